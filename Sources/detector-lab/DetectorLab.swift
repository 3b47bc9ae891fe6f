import ArgumentParser
import Glibc
import Recordings

/// Tools of those who work on the step detector: look into it, fit its gate, draw its pictures. Not a product.
@main
struct DetectorLab: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detector-lab",
    abstract: "Look into the step detector, fit its gate, draw its pictures",
    subcommands: [TraceCommand.self, FitCommand.self, DrawCommand.self, CalibrateCommand.self])

  static func main() {
    // a closed pipe is then an error that can be told apart
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as any LabError {
      // A pipe whose reader has seen enough is no trouble.
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
