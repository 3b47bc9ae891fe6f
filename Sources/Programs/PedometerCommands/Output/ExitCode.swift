import ArgumentParser
import LiveSources
import Recordings
import Terminals

extension Commands {
  /// Runs a command's work. An error becomes a sentence on standard error and an exit code; a reader that has closed the pipe ends it
  /// normally.
  package static func reporting(_ work: () throws -> Void) throws {
    StandardOutput.ignoreBrokenPipes()
    do { try work() } catch let error
      where error is StandardOutput.Closed || error is ExitCode || error is ValidationError
    {
      throw error
    } catch {
      if (error as? RecordingWriterError)?.code == .brokenPipe { return }
      let failure = SourceFailure(error)
      throw failure.status.failure(failure.message)
    }
  }
}

extension ExitStatus {
  package var exitCode: ExitCode { ExitCode(rawValue) }

  /// The same, after a sentence on standard error.
  package func failure(_ sentence: String) -> ExitCode {
    complain(sentence)
    return exitCode
  }
}
