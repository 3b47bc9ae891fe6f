// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Motion's.

import Foundation
import History
import Pedometry

/// The domain of errors that handlers receive: `(error as NSError).domain`.
public let CMErrorDomain = "CMErrorDomain"

/// The codes of Core Motion's errors: `(error as NSError).code`.
public struct CMError: RawRepresentable, Hashable, Sendable {
  /// The code.
  public let rawValue: UInt32

  /// Creates a code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a code.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

// Of these, handlers receive those with a comment.
public let CMErrorNULL = CMError(100)
public let CMErrorDeviceRequiresMovement = CMError(101)
public let CMErrorTrueNorthNotAvailable = CMError(102)
/// Another error; the description states it.
public let CMErrorUnknown = CMError(103)
/// The machine has neither a step sensor nor a history.
public let CMErrorMotionActivityNotAvailable = CMError(104)
/// This user may not read the sensor or the history.
public let CMErrorMotionActivityNotAuthorized = CMError(105)
public let CMErrorMotionActivityNotEntitled = CMError(106)
/// A parameter is invalid, such as an end before the start.
public let CMErrorInvalidParameter = CMError(107)
public let CMErrorInvalidAction = CMError(108)
public let CMErrorNotAvailable = CMError(109)
public let CMErrorNotEntitled = CMError(110)
public let CMErrorNotAuthorized = CMError(111)
public let CMErrorNilData = CMError(112)
public let CMErrorSize = CMError(113)

/// The errors that handlers receive: Core Motion's domain and code, and one sentence with the remedy.
struct CMFailure: CustomNSError, LocalizedError, CustomStringConvertible {
  static var errorDomain: String { CMErrorDomain }

  let code: CMError
  let description: String

  var errorCode: Int { Int(code.rawValue) }
  var errorDescription: String? { description }
  var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

  init(_ error: any Error) {
    description = "\(error)"
    code =
      switch (error as? PedometerError, (error as? HistoryError)?.code) {
      case (.notAvailable, _), (_, .nothingYet): CMErrorMotionActivityNotAvailable
      case (.notAuthorized, _), (_, .notPermitted): CMErrorMotionActivityNotAuthorized
      case (_, .badPeriod): CMErrorInvalidParameter
      default: CMErrorUnknown
      }
  }
}
