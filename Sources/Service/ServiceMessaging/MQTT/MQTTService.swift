import Foundation
import Logging
import Platform
import ServiceCore
import ServiceLifecycle

/// Publishes the figures to an MQTT broker, and reads the messages of clients from it.
///
/// Each connection begins with everything: discovery, the newest figures, availability. So a broker that was restarted,
/// or was away for days, has the right figures at once; nothing is queued while it is away. While a message is not
/// acknowledged, no other one is sent, and then the newest figures are.
package struct MQTTService: Service {
  let settings: MQTTSettings
  let topics: MQTTTopics
  let version: String
  let clock: ServiceClock
  /// Connects, and waits until the broker accepts this client; cancelling the task gives up.
  var connect: @Sendable (MQTTSettings, MQTTTopics) async throws -> any MQTTConnection = {
    try await BrokerConnection.open($0, $1)
  }
  let figures: @Sendable () async -> PublishedFigures
  /// Receives the messages of clients; `nil` without subscriptions.
  var intake: MQTTIntake?
  var connected: @Sendable (Bool) -> Void = { _ in }
  let logger: Logger

  /// The time between two looks at the figures.
  static let interval = Duration.seconds(5)
  /// The longest wait for the broker's last acknowledgement.
  static let timeout = Duration.seconds(2)
  /// A connection that lasts this long resets the back-off.
  static let calm = Duration.seconds(60)

  /// Runs until the service ends; the device is then announced as offline.
  package func run() async throws {
    var backoff = Backoff()
    // The latest failure in the log, which is not repeated.
    var told: MQTTFailure?
    while !isOver {
      var start: Duration?
      var failure: MQTTFailure
      do {
        let connection = try await cancelWhenGracefulShutdown { try await connect(settings, topics) }
        start = clock.elapsed()
        connected(true)
        logger.notice("MQTT: publishing to \(settings.address) as \(topics.base)")
        told = nil
        failure = await attend(connection)
      } catch { failure = MQTTFailure(error) }
      connected(false)
      if isOver { return }
      if start != nil || told != failure {
        logger.warning(
          "MQTT: \(start != nil ? "lost" : "cannot connect to") \(settings.address): \(failure); trying again")
        told = failure
      }
      if let start, clock.elapsed() - start >= Self.calm { backoff.reset() }
      await cancelWhenGracefulShutdown { [wait = backoff.next()] in try? await clock.sleep(wait) }
    }
  }

  private var isOver: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

  /// Publishes, and takes what arrives, until the connection has ended.
  private func attend(_ connection: any MQTTConnection) async -> MQTTFailure {
    let publishing = Task { await publish(to: connection) }
    let taking = Task { if let intake { await intake.run(connection.messages) { connection.finish($0) } } }
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await gracefulShutdown()
        publishing.cancel()
        await leave(connection, publishing, taking)
      }
      let failure = await connection.end
      group.cancelAll()
      return failure
    }
  }

  /// Announces that the device is offline: an orderly end does not trigger the will. What has arrived is stored, and acknowledged
  /// while there is a connection.
  private func leave(
    _ connection: any MQTTConnection, _ publishing: Task<Void, Never>, _ taking: Task<Void, Never>
  ) async {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await publishing.value
        return (try? await connection.publish(MQTTMessage(topics.availability, MQTTTopics.offline))) != nil
      }
      group.addTask {
        try? await clock.sleep(Self.timeout)
        return false
      }
      let isTold = await group.next() ?? false
      group.cancelAll()
      taking.cancel()
      await taking.value
      // This also ends what still waits for the broker.
      connection.close(isOrderly: isTold)
    }
  }

  /// Sends everything to a broker that may know nothing, and then what changes.
  private func publish(to connection: any MQTTConnection) async {
    // What the broker has, by topic.
    var sent: [String: [UInt8]] = [:]
    func send(_ messages: [MQTTMessage]) async throws {
      for message in messages where sent[message.topic] != message.payload {
        try Task.checkCancellation()
        try await connection.publish(message)
        sent[message.topic] = message.payload
      }
    }
    do {
      var figures = await self.figures()
      try await send(discovery(figures.page))
      for topic in settings.subscriptions where try await !connection.subscribe(topic) {
        logger.warning("MQTT: the broker refuses the subscription of \(topic); check its access list")
      }
      try await send(messages(figures))
      // After the figures, so that no entity is available without a value, and after the subscriptions, so that no message is
      // lost that is sent to a service because it is online.
      try await send([MQTTMessage(topics.availability, MQTTTopics.online)])
      while true {
        try await clock.sleep(Self.interval)
        figures = await self.figures()
        try await send(messages(figures))
      }
    } catch {}
  }

  private func messages(_ figures: PublishedFigures) -> [MQTTMessage] {
    [MQTTMessage(topics.state, figures.state), MQTTMessage(topics.sources, figures.details)]
  }

  private func discovery(_ page: String?) -> [MQTTMessage] {
    guard let prefix = settings.discovery else { return [] }
    let page = page.flatMap(URL.init(string:)).flatMap { Loopback.includes($0.host ?? "localhost") ? nil : $0 }
    return HomeAssistantDiscovery(
      topics: topics, prefix: prefix, name: settings.name, version: version, page: page?.absoluteString
    ).messages
  }
}

extension MQTTService {
  /// - Parameters:
  ///   - identity: the device's, from ``MQTTIdentity``.
  ///   - messages: takes the messages on the subscribed topics.
  ///   - connected: gets whether the broker is connected.
  package init(
    _ settings: MQTTSettings, identity: String, version: String, clock: ServiceClock, messages: ClientMessages,
    limits: ServiceLimits, connected: @escaping @Sendable (Bool) -> Void, logger: Logger,
    figures: @escaping @Sendable () async -> PublishedFigures
  ) {
    if settings.exposesPassword {
      logger.warning("MQTT: the password is sent unencrypted to \(settings.address); use mqtts in mqtt.url")
    }
    self.init(
      settings: settings, topics: MQTTTopics(identity: identity, base: settings.topic), version: version,
      clock: clock, figures: figures,
      intake: settings.subscriptions.isEmpty
        ? nil : MQTTIntake(messages: messages, limits: limits, clock: clock, logger: logger),
      connected: connected, logger: logger)
  }
}
