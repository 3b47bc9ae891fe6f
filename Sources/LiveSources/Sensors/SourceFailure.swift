import LinuxSensors
import Recordings

/// Why a source cannot be read, or not any further: one sentence and the exit code.
package struct SourceFailure: Error, Sendable {
  package var message: String
  package var status: ExitStatus

  package init(message: String, status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// What an error of a source, or of where its samples go, means to a command.
  package init(_ error: any Error) {
    switch error {
    case let failure as SourceFailure: self = failure
    case let error as SensorError:
      self.init(message: "\(error)", status: error.exitStatus)
    case let error as RecordingError: self.init(message: "\(error)", status: error.exitStatus)
    case let error as SyntheticWalkError: self.init(message: "\(error)", status: .usage)
    case let error as RecordingWriterError:
      self.init(message: "\(error)", status: error.code == .cannotCreate ? .cannotCreate : .io)
    default: self.init(message: "\(error)", status: .io)
    }
  }

  /// What is said of a source that is gone and waited for.
  package static func loss(_ error: any Error) -> String {
    if let error = error as? SensorError {
      return error.kind == .busy
        ? "\(error.reason); waiting until it is free" : "\(error.reason); waiting for it to return"
    }
    return "\(error); trying again"
  }
}
