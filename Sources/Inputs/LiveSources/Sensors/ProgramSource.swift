import Accelerometry
import LinuxSensors
import SourceNames

/// A program whose standard output is a recording, such as `ssccli`, or `ssh` to a board. It is started again when it fails, or has
/// ended after it printed samples as they were measured.
struct ProgramSource: SourceKind {
  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .program(let command)? = uri else { return nil }
    let text = TextSource(uri: .program(command), name: "exec:\(command)", medium: .program(command.description)) {
      ProgramChannel(try ProgramOutput(command))
    }
    return SourceWay(.program) { text.connection(sources, isAgain: $0) }
  }
}

/// The output of a program as lines of text.
private final class ProgramChannel: TextChannel {
  private let program: ProgramOutput
  private var hasBegun = false

  init(_ program: ProgramOutput) { self.program = program }

  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    program.wait(until: stop, atMost: timeout)
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    if hasBegun { return try unsafe program.read(into: target) }
    // Of a board the first line may be a part of one; that of a program is whole, so it follows an end of a line.
    let count = try unsafe program.read(into: UnsafeMutableRawBufferPointer(rebasing: target[1...]))
    if count == 0 { return 0 }
    hasBegun = true
    unsafe target[0] = 0x0A
    return count + 1
  }

  func takeRemark() -> String? { program.takeRemark() }

  var isComplete: Bool { program.hasSucceeded }
}
