import Foundation
import Platform
import ServiceCore

struct MQTTTopics: Sendable, Hashable {
  /// The device's identity: 16 hexadecimal digits.
  let identity: String
  let base: String

  /// - Parameter base: the prefix in the settings.
  init(identity: String, base: String?) { (self.identity, self.base) = (identity, base ?? "pedometer/\(identity)") }

  /// ``online`` or ``offline``.
  var availability: String { base + "/availability" }
  /// The figures.
  var state: String { base + "/state" }
  /// The state of each source.
  var sources: String { base + "/sources" }

  static let (online, offline) = ("online", "offline")

  /// The name in topics and identifiers that other devices do not have.
  var device: String { "pedometer_\(identity)" }
}

/// The identity of this service for MQTT: a random number in the state folder, so that it stays the same when the
/// machine gets another name, and differs between two services of a machine.
package enum MQTTIdentity {
  static let fileName = "mqtt-identity"

  /// Reads the identity; creates it at the first call.
  package static func read(folder: String) throws(StateFileError) -> String {
    let path = "\(folder)/\(fileName)"
    let kept = try SmallFile.text(of: path)?.trimmingCharacters(in: .whitespacesAndNewlines)
    if let kept, kept.count == 16, kept.allSatisfy({ $0.isASCII && $0.isHexDigit && !$0.isUppercase }) { return kept }
    let identity = UInt64.random(in: .min ... .max).padded(16, radix: 16)
    try SmallFile.write(identity + "\n", to: path)
    return identity
  }
}
