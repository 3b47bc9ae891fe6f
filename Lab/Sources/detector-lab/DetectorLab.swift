import ArgumentParser
import Glibc

@testable import Recordings

/// Tools for developers of the step detector: inspect it, fit its gate, measure it, draw its pictures. Not part of any product.
@main
struct DetectorLab: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detector-lab",
    abstract: "Inspect the step detector, fit its gate, measure it, draw its pictures",
    subcommands: [TraceCommand.self, FitCommand.self, ValidateCommand.self, DrawCommand.self])

  static func main() {
    // A closed pipe is then a distinct error.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as any LabError {
      // A reader that closes the pipe is not an error.
      if error.exitCode != 0 { Output.complain("detector-lab: \(error)") }
      Glibc.exit(error.exitCode)
    } catch let error as RecordingError {
      Output.complain("detector-lab: \(error)")
      Glibc.exit(exitCode(of: error))
    } catch {
      exit(withError: error)
    }
  }

  private static func exitCode(of error: RecordingError) -> Int32 {
    switch error.kind {
    case .noInput: 66
    case .badData: 65
    case .io: 74
    case .permission: 77
    case .usage: 64
    }
  }
}

/// An error of the lab itself: one sentence, and the exit code of `sysexits.h`.
protocol LabError: Error, CustomStringConvertible {
  var exitCode: Int32 { get }
}
