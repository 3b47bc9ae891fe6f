import Counting
import LinuxSensors
import Recordings

/// An error of a source: one sentence and the exit code.
package struct SourceFailure: Error, Sendable {
  package var message: String
  package var status: ExitStatus

  package init(message: String, status: ExitStatus) { (self.message, self.status) = (message, status) }

  package init(_ error: any Error) {
    switch error {
    case let failure as SourceFailure: self = failure
    case let error as SensorError: self.init(message: CommandTerms.translate("\(error)"), status: error.exitStatus)
    case let error as RecordingError: self.init(message: CommandTerms.translate("\(error)"), status: error.exitStatus)
    case let error as UncountableSamples: self.init(message: CommandTerms.translate("\(error)"), status: .badData)
    case let error as SyntheticWalkError: self.init(message: "\(error)", status: .usage)
    case let error as RecordingWriterError:
      self.init(message: "\(error)", status: error.code == .cannotCreate ? .cannotCreate : .io)
    default: self.init(message: "\(error)", status: .io)
    }
  }

  /// The message for a lost source that is awaited.
  package static func loss(_ error: any Error) -> String {
    if let error = error as? SensorError {
      return CommandTerms.translate(error.reason)
        + (error.kind == .busy ? "; waiting until it is free" : "; waiting for it to return")
    }
    return CommandTerms.translate("\(error); trying again")
  }
}
