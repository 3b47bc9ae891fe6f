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
      reader.begin(try Self.open(server, subscription) { reader.take($0) })
    } catch let failure as MQTTFailure {
      reader.take(.ended(failure))
    } catch {
      reader.end(.unreachable("\(error)"))
    }
    return reader
  }

  /// A connection without will and memory: the broker forgets it at its end.
  private static func open(
    _ server: MessageServer, _ subscription: MessageServer.Subscription,
    _ handle: @escaping @Sendable (MQTTEvent) -> Void
  ) throws -> any MQTTConnection {
    var settings = MQTTSettings(
      host: server.host, port: Int(server.port), isEncrypted: server.encryption != nil)
    settings.user = subscription.user
    if case .file(let path)? = server.encryption { settings.authorities = path }
    if let file = subscription.passwordFile {
      let text = try SecretFile.text(of: file, "the password file", create: "cat", place: nil)
      settings.password = Secret(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    let identity = "pedometer-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    return try MosquittoConnection(
      MQTTSession(settings: settings, identity: identity, availability: nil, isClean: true), handle)
  }
}

/// Subscribes to a topic, and passes its messages on.
private final class TopicReader: MessageConnection {
  private struct State {
    var connection: (any MQTTConnection)?
    var isConnected = false
    var hasEnded = false
  }

  private let topic: String
  private let events: @Sendable (MessageEvent) -> Void
  private let state = Mutex(State())

  init(_ topic: String, _ events: @escaping @Sendable (MessageEvent) -> Void) {
    (self.topic, self.events) = (topic, events)
  }

  /// Sets the connection, which may be accepted already.
  func begin(_ connection: any MQTTConnection) {
    let isConnected = state.withLock { state in
      state.connection = connection
      return state.isConnected
    }
    if isConnected { subscribe(with: connection) }
  }

  private func subscribe(with connection: any MQTTConnection) {
    // A failure is followed by the end of the connection.
    do throws(MQTTFailure) { try connection.subscribe(topic) } catch { connection.close() }
  }

  func take(_ event: MQTTEvent) {
    switch event {
    case .connected:
      let connection = state.withLock { state in
        state.isConnected = true
        return state.connection
      }
      if let connection { subscribe(with: connection) }
    // What the broker kept was measured at another time.
    case .received(let message): if !message.isRetained { events(.message(message.payload)) }
    case .refused: end(.violation("the broker refuses the subscription of \(topic)"))
    case .delivered: break
    case .ended(let failure): end(Self.end(failure))
    }
  }

  /// Reports only the first end.
  func end(_ end: MessageEnd) {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { events(.ended(end)) }
  }

  func close() { state.withLock { $0.connection }?.close() }

  private static func end(_ failure: MQTTFailure) -> MessageEnd {
    switch failure {
    case .refused(4), .refused(5): .unreachable("the broker refuses the user or the password")
    case .refused: .unreachable("the broker: \(failure)")
    case .untrusted(let reason): .untrusted(reason)
    case .lost(let reason): .unreachable(reason)
    case .closed: .closed(code: nil, words: "")
    case .noLibrary: .unreachable("the library libmosquitto is missing; install the package libmosquitto1")
    }
  }
}
