import Accelerometry
import LinuxSensors
import SourceNames

/// A program whose standard output is a recording, such as `ssccli`, or `ssh` to a board. It is started again when it fails, or has
/// ended after it printed samples as they were measured.
struct ProgramSource: SourceKind {
  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .program(let command)? = uri else { return nil }
    return SourceWay(.program) { isAgain in
      SourceConnection(
        text: .program(command), name: "exec:\(command)", medium: .program("\(command)"), sources, isAgain: isAgain
      ) { try ProgramOutput(command) }
    }
  }
}

extension ProgramOutput: TextChannel {}
