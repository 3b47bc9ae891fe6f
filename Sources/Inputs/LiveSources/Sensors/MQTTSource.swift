import LinuxSensors
import ServiceTransport
import SourceNames

/// Samples that an app or a board publishes on a topic of an MQTT broker.
package struct MQTTSource: SourceKind {
  package init() {}

  package func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .mqtt(let address)? = uri else { return nil }
    var server = MessageServer(
      host: address.host, port: address.port, authority: address.authority, target: "/",
      encryption: address.isEncrypted ? address.authorities.map { .file($0) } ?? .system : nil)
    server.subscription = MessageServer.Subscription(
      topic: address.topic, user: address.user, passwordFile: address.passwordFile)
    return .messages(
      of: server, named: "the topic \(address.topic) at \(address.authority)", at: (.mqtt(address), address.url),
      sources
    ) { Self.error(of: $0, address) }
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
