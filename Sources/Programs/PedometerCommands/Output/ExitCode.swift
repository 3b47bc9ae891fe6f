import ArgumentParser
import LiveSources

extension ExitStatus {
  /// Ends a command with this code.
  package var exitCode: ExitCode { ExitCode(rawValue) }
}
