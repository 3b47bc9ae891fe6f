import Platform
import ServiceSettings
import ServiceTransport
import Synchronization
import WebSocketNetwork

/// Receives messages of WebSocket servers and of MQTT brokers.
package struct MessageClients: MessageClient {
  package init() {}

  package func connect(
    to server: MessageServer, events: @escaping @Sendable (MessageEvent) -> Void
  ) -> any MessageConnection {
    guard let subscription = server.subscription else { return NIOMessageClient().connect(to: server, events: events) }
    let reader = TopicReader(subscription.topic, events)
    do {
      reader.begin(try BrokerConnection(Self.session(server, subscription)) { reader.take($1, from: $0) })
    } catch let failure as MQTTFailure {
      reader.end(failure)
    } catch {
      reader.end(MessageEnd.unreachable("\(error)"))
    }
    return reader
  }

  /// A connection without will and memory: the broker forgets it at its end.
  private static func session(
    _ server: MessageServer, _ subscription: MessageServer.Subscription
  ) throws -> MQTTSession {
    var settings = MQTTSettings(
      host: server.host, port: Int(server.port), isEncrypted: server.encryption != nil)
    settings.user = subscription.user
    if case .file(let path)? = server.encryption { settings.authorities = path }
    if let file = subscription.passwordFile {
      let text = try SecretFile.text(of: file, "the password file", create: "cat", place: nil)
      settings.password = Secret(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    let identity = "pedometer-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    return MQTTSession(settings: settings, identity: identity, availability: nil, isClean: true)
  }
}

/// Subscribes to a topic, and passes its messages on.
private final class TopicReader: MessageConnection {
  private let topic: String
  private let events: @Sendable (MessageEvent) -> Void
  private let connection = Mutex<(any MQTTConnection)?>(nil)
  private let hasEnded = Mutex(false)

  init(_ topic: String, _ events: @escaping @Sendable (MessageEvent) -> Void) {
    (self.topic, self.events) = (topic, events)
  }

  /// Sets the connection that ``close()`` ends.
  func begin(_ connection: any MQTTConnection) { self.connection.withLock { $0 = connection } }

  func take(_ event: MQTTEvent, from connection: any MQTTConnection) {
    switch event {
    case .connected:
      // A failure is followed by the end of the connection.
      do throws(MQTTFailure) { try connection.subscribe(topic) } catch { connection.close() }
    case .received(let message):
      // What the broker kept was measured at another time.
      if !message.isRetained { events(.message(message.payload)) }
      connection.finish(message)
    case .refused: end(MessageEnd.violation("the broker refuses the subscription of \(topic)"))
    case .skipped:
      end(MessageEnd.violation("a message of more than \(InputLimits.message) bytes"))
      connection.close()
    case .delivered: break
    case .ended(let failure):
      self.connection.withLock { $0 = nil }
      end(failure)
    }
  }

  /// Reports only the first end.
  func end(_ end: MessageEnd) {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isFirst { events(.ended(end)) }
  }

  func end(_ failure: MQTTFailure) {
    switch failure {
    case .refused(4), .refused(5): end(MessageEnd.unreachable("the broker refuses the user or the password"))
    case .refused: end(MessageEnd.unreachable("the broker: \(failure)"))
    case .untrusted(let reason): end(MessageEnd.untrusted(reason))
    case .lost(let reason): end(MessageEnd.unreachable(reason))
    case .closed: end(MessageEnd.closed(code: nil, words: ""))
    }
  }

  func close() { connection.withLock { $0 }?.close() }
}
