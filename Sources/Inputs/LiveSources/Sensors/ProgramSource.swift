import Accelerometry
import Counting
import LinuxSensors
import SourceNames

/// A program whose standard output is a recording, such as `ssccli`, or `ssh` to a board. It is started again when it fails, or has
/// ended after it printed samples as they were measured.
struct ProgramSource: SourceKind {
  /// Waits between two attempts.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  func takes(_ uri: SourceURI?) -> Bool { if case .program? = uri { true } else { false } }

  func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    guard case .program(let command)? = uri else { return nil }
    let (name, sleep) = ("exec:\(command)", sleep)
    let text = TextFeed(uri: .program(command), name: name, medium: .program(command.description)) {
      ProgramLine(try ProgramOutput(command))
    }
    return text.feed(for: opener) { first, again in
      Reconnecting<SampleBatch>.radio(
        name, waits: opener.finder.waits, first: { first }, open: { again() }, sleep: sleep,
        speaks: { !$0.samples.isEmpty }, joint: TextFeed.joint)
    }
  }
}

/// The output of a program as lines of text.
private final class ProgramLine: BoardLine {
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

  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome { stop.wait(atMost: time) }

  var now: Int64 { SensorClock.boottime.now }

  func takeRemark() -> String? { program.takeRemark() }

  var isComplete: Bool { program.hasSucceeded }
}
