import Foundation
import Logging
import Platform
import ServiceCore
import ServiceLifecycle

/// Publishes the figures to an MQTT broker, and reads the messages of clients from it.
///
/// Each connection begins with everything: discovery, the newest figures, availability. So a broker that was restarted,
/// or was away for days, has the right figures at once; nothing is queued while it is away. While a message is not
/// acknowledged, only the newest figures wait behind it.
package struct MQTTService: Service {
  let settings: MQTTSettings
  let topics: MQTTTopics
  let version: String
  let clock: ServiceClock
  var connector = MQTTConnector.network
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
    let (inputs, input) = AsyncStream.makeStream(of: Publisher.Input.self)
    await withGracefulShutdownHandler {
      async let taken: Void? = intake?.run()
      var publisher = Publisher(self, input)
      publisher.open()
      for await next in inputs {
        await publisher.take(next)
        if publisher.hasEnded { break }
      }
      // What has arrived is stored, and acknowledged while there is a connection.
      intake?.finish()
      await taken
      publisher.leave()
      for await next in inputs { publisher.takeLast(next) }
    } onGracefulShutdown: {
      input.yield(.stop)
    }
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

/// The state of publishing, changed by one input at a time.
private struct Publisher {
  enum Input: Sendable {
    /// An event of the connection with this number.
    case event(Int, MQTTEvent)
    /// A wait has ended: for the next attempt, the next look at the figures, or the last acknowledgement.
    case due
    /// The service ends.
    case stop
  }

  private let service: MQTTService
  private let input: AsyncStream<Input>.Continuation
  private var connection: (any MQTTConnection)?
  private var attempts = 0
  private var backoff = Backoff()
  /// When the broker accepted the client; `nil` before.
  private var connectedAt: Duration?
  /// What the broker has, or will have, by topic.
  private var sent: [String: [UInt8]] = [:]
  /// The unacknowledged messages: topics by number.
  private var pending: [Int: String] = [:]
  private var farewell: Int?
  private var isStopping = false
  private var timer: Task<Void, Never>?
  /// The latest failure in the log, which is not repeated.
  private var told: MQTTFailure?
  private(set) var hasEnded = false

  init(_ service: MQTTService, _ input: AsyncStream<Input>.Continuation) {
    (self.service, self.input) = (service, input)
  }

  /// Begins an attempt to connect.
  mutating func open() {
    attempts += 1
    let (number, input, topics, intake) = (attempts, input, service.topics, service.intake)
    let session = MQTTSession(settings: service.settings, identity: topics.device, availability: topics.availability)
    do throws(MQTTFailure) {
      connection = try service.connector.open(session) { connection, event in
        switch event {
        case .received(let message):
          guard let intake else { return connection.finish(message) }
          intake.add(message) { connection.finish(message) }
        case .skipped(let topic): intake?.skip(topic)
        default: input.yield(.event(number, event))
        }
      }
    } catch { end(error) }
  }

  mutating func take(_ next: Input) async {
    switch next {
    case .event(let number, let event): if number == attempts { await take(event) }
    case .due:
      if isStopping {
        hasEnded = true
      } else if connection == nil {
        open()
      } else if connectedAt != nil {
        await publishFigures()
      }
    case .stop:
      isStopping = true
      stop()
    }
  }

  private mutating func take(_ event: MQTTEvent) async {
    switch event {
    case .connected:
      connectedAt = service.clock.elapsed()
      if isStopping { return stop() }
      await greet()
    case .delivered(let number):
      pending[number] = nil
      if farewell == number { hasEnded = true }
      if pending.isEmpty, farewell == nil { await publishFigures(isTimed: false) }
    case .refused(let topic):
      service.logger.warning("MQTT: the broker refuses the subscription of \(topic); check its access list")
    case .received, .skipped: break
    case .ended(let failure): end(failure)
    }
  }

  /// Sends everything to a broker that may know nothing.
  private mutating func greet() async {
    service.connected(true)
    service.logger.notice("MQTT: publishing to \(service.settings.address) as \(service.topics.base)")
    told = nil
    let figures = await service.figures()
    if let prefix = service.settings.discovery {
      let page = figures.page.flatMap(URL.init(string:))
      let discovery = HomeAssistantDiscovery(
        topics: service.topics, prefix: prefix, name: service.settings.name, version: service.version,
        page: page.flatMap { Loopback.includes($0.host ?? "localhost") ? nil : $0.absoluteString })
      for message in discovery.messages { publish(message) }
    }
    do throws(MQTTFailure) {
      for topic in service.settings.subscriptions { try connection?.subscribe(topic) }
    } catch { connection?.close() }
    publish(figures)
    wait(MQTTService.interval)
    // After the figures, so that no entity is available without a value, and after the subscriptions, so that no message is lost
    // that is sent to a service because it is online.
    publish(MQTTMessage(service.topics.availability, MQTTTopics.online))
  }

  /// Publishes the figures that have changed.
  /// - Parameter isTimed: whether to look again later.
  private mutating func publishFigures(isTimed: Bool = true) async {
    publish(await service.figures())
    if isTimed { wait(MQTTService.interval) }
  }

  private mutating func publish(_ figures: PublishedFigures) {
    publish(MQTTMessage(service.topics.state, figures.state))
    publish(MQTTMessage(service.topics.sources, figures.details))
  }

  /// Publishes a message unless the broker has it, or has not acknowledged an earlier one on its topic.
  private mutating func publish(_ message: MQTTMessage) {
    guard sent[message.topic] != message.payload, !pending.values.contains(message.topic), let connection else {
      return
    }
    do throws(MQTTFailure) {
      pending[try connection.publish(message)] = message.topic
      sent[message.topic] = message.payload
    } catch {
      // Its end is reported as an event.
      connection.close()
    }
  }

  private mutating func end(_ failure: MQTTFailure) {
    let wasConnected = connectedAt != nil
    if let connectedAt, service.clock.elapsed() - connectedAt >= MQTTService.calm { backoff.reset() }
    service.connected(false)
    (connection, connectedAt) = (nil, nil)
    (sent, pending) = ([:], [:])
    service.intake?.forget()
    if isStopping {
      hasEnded = true
      return
    }
    if wasConnected || told != failure {
      service.logger.warning(
        "MQTT: \(wasConnected ? "lost" : "cannot connect to") \(service.settings.address): \(failure); trying again")
      told = failure
    }
    wait(backoff.next())
  }

  /// Announces that the device is offline, and waits for the acknowledgement: an orderly end does not trigger the will.
  private mutating func stop() {
    if connectedAt != nil {
      farewell = try? connection?.publish(MQTTMessage(service.topics.availability, MQTTTopics.offline))
    }
    if farewell == nil { hasEnded = true } else { wait(MQTTService.timeout) }
  }

  /// Sends ``Input/due`` after a time, instead of an earlier one.
  private mutating func wait(_ time: Duration) {
    timer?.cancel()
    let (clock, input) = (service.clock, input)
    timer = Task { if (try? await clock.sleep(time)) != nil { input.yield(.due) } }
  }

  /// Ends the connection. The inputs end when it has ended, because messages may still arrive.
  mutating func leave() {
    timer?.cancel()
    connection?.close()
    if connectedAt == nil { input.finish() } else { wait(MQTTService.timeout) }
  }

  /// Takes an input after ``leave()``.
  mutating func takeLast(_ next: Input) {
    switch next {
    case .event(attempts, .ended), .due:
      timer?.cancel()
      input.finish()
    case .event, .stop: break
    }
  }
}
