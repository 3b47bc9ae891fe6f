import LinuxSensors
import ServiceTransport
import SourceNames

/// Samples that an app or a board publishes on a topic of an MQTT broker.
package struct MQTTSource: SourceKind {
  /// Waits between two attempts.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  package init() {}

  package func takes(_ uri: SourceURI?) -> Bool { if case .mqtt? = uri { true } else { false } }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) throws -> LiveFeed? {
    guard case .mqtt(let address)? = uri else { return nil }
    var server = MessageServer(
      host: address.host, port: address.port, authority: address.authority, target: "/",
      encryption: address.isEncrypted ? address.authorities.map { .file($0) } ?? .system : nil)
    server.subscription = MessageServer.Subscription(
      topic: address.topic, user: address.user, passwordFile: address.passwordFile)
    // It is subscribed to when the first sample is requested.
    return try MessageFeed(
      uri: .mqtt(address), address: address.url, name: "the topic \(address.topic) at \(address.authority)",
      server: server, error: { Self.error(of: $0, address) }
    ).feed(for: opener, sleep: sleep)
  }

  private static func error(of end: MessageEnd, _ address: MQTTAddress) -> SensorError {
    let remedy = "check the broker's address, the user and the topic"
    switch end {
    case .unreachable(let reason): return .disconnected(name: address.url, reason: reason, remedy: remedy)
    case .untrusted(let reason):
      return .unexpected(
        path: address.url, reason: "cannot be connected to with TLS (\(reason))",
        remedy: "check the address; append ,ca=FILE with the certificate of the broker's authority")
    case .refused(let code): return .disconnected(name: address.url, reason: "refused (\(code))", remedy: remedy)
    case .closed:
      return .disconnected(name: address.url, reason: "the broker closed the connection", remedy: remedy)
    case .violation(let reason): return .unexpected(path: address.url, reason: reason, remedy: remedy)
    }
  }
}
