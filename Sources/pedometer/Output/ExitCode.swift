import ArgumentParser
import LiveCounting

extension ExitStatus {
  /// Ends a command with this code.
  var exitCode: ExitCode { ExitCode(rawValue) }
}
