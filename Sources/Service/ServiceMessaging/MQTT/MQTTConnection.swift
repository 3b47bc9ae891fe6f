/// One connection to a broker that has accepted this client. Another attempt is another connection, so nothing of an
/// earlier one is sent late.
protocol MQTTConnection: AnyObject, Sendable {
  /// What the broker sends, until the end; after a few unfinished ones, no more are read. One consumer.
  var messages: AsyncStream<MQTTMessage> { get }
  /// Why the connection has ended, as soon as it has.
  var end: MQTTFailure { get async }

  /// Sends a message with QoS 1, and returns when the broker has acknowledged it.
  func publish(_ message: MQTTMessage) async throws(MQTTFailure)
  /// Subscribes with QoS 1.
  /// - Returns: whether the broker permits it.
  func subscribe(_ topic: String) async throws(MQTTFailure) -> Bool
  /// Acknowledges a received message, and lets another one in. Each one is finished once.
  func finish(_ message: MQTTMessage)
  /// Ends the connection.
  /// - Parameter isOrderly: with a word, so that the broker does not publish the will.
  func close(isOrderly: Bool)
}

struct MQTTMessage: Sendable, Hashable {
  var topic: String
  var payload: [UInt8]
  /// The broker keeps it for later subscribers; for a received message: it was kept.
  var isRetained = false
  /// Of a received message: its number, if the broker waits for its acknowledgement.
  var number: UInt16?
  /// Of a received message: whether the broker may have sent it before.
  var isRepeated = false
  /// Of a received message: whether it is longer than `InputLimits.message`; its payload was not kept.
  var isTooLong = false

  init(_ topic: String, _ payload: String, isRetained: Bool = true) {
    self.init(topic: topic, payload: Array(payload.utf8), isRetained: isRetained)
  }

  init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
  }
}

/// Why a connection failed or ended.
package enum MQTTFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The broker's answer to the client: MQTT 3.1.1, section 3.2.2.3.
  case refused(code: Int)
  /// The broker's certificate is not accepted, with the reason.
  case untrusted(String)
  /// There is no connection, or no longer, with the reason.
  case lost(String)
  /// This side has closed it.
  case closed

  init(_ error: any Error) { self = error as? MQTTFailure ?? .lost("\(error)") }

  static let hungUp = "it closed the connection"
  static let foreign = "it does not speak MQTT 3.1.1"
  static let unencrypted = "it does not complete the TLS handshake"

  /// One sentence, if necessary with a remedy.
  package var description: String {
    switch self {
    case .refused(1): "it does not support MQTT 3.1.1"
    case .refused(2): "it refuses the name of this client"
    case .refused(3): "it is not available"
    case .refused(4), .refused(5):
      "it refuses the user or the password; check mqtt.username and mqtt.password-file"
    case .refused(let code): "it refuses this client (code \(code))"
    case .untrusted(let reason):
      "its certificate is not accepted (\(reason)); give its authority as mqtt.ca-file and the name in the certificate in mqtt.url,"
        + " or renew it if it has expired"
    // A broker that expects TLS ends the connection without an answer.
    case .lost(Self.hungUp): "\(Self.hungUp); if it expects TLS, use mqtts in mqtt.url"
    case .lost(Self.unencrypted): "\(Self.unencrypted); if the port has no TLS, use mqtt instead of mqtts in mqtt.url"
    case .lost(let reason): reason
    case .closed: "closed"
    }
  }
}
