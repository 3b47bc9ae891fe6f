import LinuxSensors
import Recordings

/// The exit codes that scripts rely on: those of sysexits(3).
package enum ExitStatus: Int32 {
  case usage = 64
  case badData = 65
  case noInput = 66
  case noSensor = 69
  case cannotCreate = 73
  case io = 74
  case busy = 75
  case `protocol` = 76
  case permission = 77
  case configuration = 78

  /// The order of severity that selects one exit code if several sources fail: failures of the machine first, then
  /// errors that the user can fix, then errors in files.
  package static let byGravity: [ExitStatus] = [
    .io, .busy, .permission, .noSensor, .noInput, .protocol, .badData, .cannotCreate, .configuration, .usage,
  ]

  package static func worst(of statuses: some Collection<ExitStatus>) -> ExitStatus? {
    byGravity.first { statuses.contains($0) }
  }
}

extension RecordingError {
  package var exitStatus: ExitStatus { kind.exitStatus }
}

extension RecordingError.Kind {
  package var exitStatus: ExitStatus {
    switch self {
    case .noInput: .noInput
    case .badData: .badData
    case .io: .io
    case .permission: .permission
    case .usage: .usage
    }
  }
}

extension SensorError {
  package var exitStatus: ExitStatus {
    switch kind {
    case .unavailable: .noSensor
    case .inputOutput: .io
    case .busy: .busy
    case .protocolViolation: .protocol
    case .permission: .permission
    }
  }
}
