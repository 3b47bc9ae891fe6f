/// One connection to a broker, from the attempt to its end. Another attempt is another connection, so nothing of an
/// earlier one is sent late.
protocol MQTTConnection: AnyObject, Sendable {
  /// Sends a message with QoS 1.
  /// - Returns: the number that ``MQTTEvent/delivered(_:)`` repeats.
  func publish(_ message: MQTTMessage) throws(MQTTFailure) -> Int
  /// Subscribes with QoS 1.
  func subscribe(_ topic: String) throws(MQTTFailure)
  /// Acknowledges a received message, and lets another one in. Each one is finished once.
  func finish(_ message: MQTTMessage)
  /// Ends the connection; the broker does not publish the will. ``MQTTEvent/ended(_:)`` follows.
  func close()
}

/// What happens to a connection.
enum MQTTEvent: Sendable, Hashable {
  /// The broker accepts the client.
  case connected
  /// The broker has acknowledged a message.
  case delivered(Int)
  /// The broker refuses a subscription.
  case refused(topic: String)
  /// The connection waits for ``MQTTConnection/finish(_:)``, after a few of them.
  case received(MQTTMessage)
  /// A message that is too long was not read, and is acknowledged.
  case skipped(topic: String)
  /// The last event, also after a failed attempt.
  case ended(MQTTFailure)
}

struct MQTTMessage: Sendable, Hashable {
  var topic: String
  var payload: [UInt8]
  /// The broker keeps it for later subscribers; for a received message: it was kept.
  var isRetained = false
  /// Of a received message: its number, if the broker waits for its acknowledgement.
  var number: Int?
  /// Of a received message: whether the broker may have sent it before.
  var isRepeated = false

  init(_ topic: String, _ payload: String, isRetained: Bool = true) {
    self.init(topic: topic, payload: Array(payload.utf8), isRetained: isRetained)
  }

  init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
  }
}

/// What a connection needs to know.
struct MQTTSession: Sendable, Hashable {
  var settings: MQTTSettings
  /// The client's name for the broker.
  var identity: String
  /// The topic of the will, ``MQTTTopics/offline``.
  var availability: String
}

/// Opens connections.
struct MQTTConnector: Sendable {
  /// Begins an attempt; returns at once. `handle` gets the events of the connection in order, on any thread.
  var open:
    @Sendable (_ session: MQTTSession, _ handle: @escaping @Sendable (any MQTTConnection, MQTTEvent) -> Void)
      throws(MQTTFailure) -> any MQTTConnection
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
