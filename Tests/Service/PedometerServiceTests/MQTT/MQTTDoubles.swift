import Foundation
import History
import Logging
import Pedometry
import Synchronization
import TestSupport

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceMessaging

/// A broker of the tests: it accepts or refuses, acknowledges at once unless told otherwise, and keeps what it gets.
final class ScriptedBroker: Sendable {
  struct State: Sendable {
    /// The failure of the next attempts; `nil`: they succeed.
    var failure: MQTTFailure?
    /// Whether it acknowledges what it gets, and what it got before.
    var acknowledges = true
    var attempts = 0
    /// With the number of the attempt.
    var messages: [(attempt: Int, message: MQTTMessage)] = []
    var subscriptions: [String] = []
    /// The topics of subscriptions and messages, in order.
    var topics: [String] = []
    var closed: [Int] = []
    /// Whether the latest end came with a word, so that there is no will.
    var isOrderly = false
    /// The messages that the service has acknowledged.
    var finished: [MQTTMessage] = []
    fileprivate var current: Connection?

    /// What a new subscriber gets.
    var retained: [String: String] {
      messages.filter(\.message.isRetained).reduce(into: [:]) {
        $0[$1.message.topic] = String(decoding: $1.message.payload, as: UTF8.self)
      }
    }

    /// The payloads on a topic, in order.
    func payloads(_ topic: String) -> [String] {
      messages.filter { $0.message.topic == topic }.map { String(decoding: $0.message.payload, as: UTF8.self) }
    }
  }

  let state = Observed(State())

  fileprivate final class Connection: MQTTConnection {
    let broker: ScriptedBroker
    let attempt: Int
    let messages: AsyncStream<MQTTMessage>
    let arrival: AsyncStream<MQTTMessage>.Continuation
    private let failure = Observed<MQTTFailure?>(nil)

    init(_ broker: ScriptedBroker, _ attempt: Int) {
      (self.broker, self.attempt) = (broker, attempt)
      (messages, arrival) = AsyncStream.makeStream()
    }

    var end: MQTTFailure {
      get async {
        await failure.wait { $0 != nil }
        return failure.value ?? .closed
      }
    }

    func fail(_ reason: MQTTFailure) {
      broker.state.update { if $0.current === self { $0.current = nil } }
      failure.update { $0 = $0 ?? reason }
      arrival.finish()
    }

    func publish(_ message: MQTTMessage) async throws(MQTTFailure) {
      // A broker that has gone gets nothing, also between its end and the moment at which the service learns of it.
      broker.state.update { state in
        guard state.current === self else { return }
        state.messages.append((attempt, message))
        state.topics.append(message.topic)
      }
      // As with a real one, a cancellation changes nothing.
      await Task { await broker.state.wait { $0.acknowledges || $0.current !== self } }.value
      if broker.state.value.current !== self { throw .closed }
    }

    func subscribe(_ topic: String) async throws(MQTTFailure) -> Bool {
      broker.state.update {
        $0.subscriptions.append(topic)
        $0.topics.append(topic)
      }
      return true
    }

    func finish(_ message: MQTTMessage) { broker.state.update { $0.finished.append(message) } }

    func close(isOrderly: Bool) {
      broker.state.update { [attempt] in
        $0.closed.append(attempt)
        $0.isOrderly = isOrderly
      }
      fail(.closed)
    }
  }

  var connect: @Sendable (MQTTSettings, MQTTTopics) async throws -> any MQTTConnection {
    { _, _ in
      let (failure, connection) = self.state.update { state in
        state.attempts += 1
        let connection = Connection(self, state.attempts)
        if state.failure == nil { state.current = connection }
        return (state.failure, connection)
      }
      if let failure { throw failure }
      return connection
    }
  }

  /// Sends the service a message.
  func deliver(_ message: MQTTMessage) { state.value.current?.arrival.yield(message) }

  /// Ends the connection, and fails further attempts.
  func fall(_ failure: MQTTFailure) {
    let current = state.update { state -> Connection? in
      state.failure = failure
      return state.current
    }
    current?.fail(failure)
  }
}

/// Figures that a test changes.
final class ScriptedFigures: Sendable {
  let value = Mutex(PublishedFigures.walking(steps: 100))
  var closure: @Sendable () async -> PublishedFigures { { self.value.withLock { $0 } } }
  func set(steps: Int) { value.withLock { $0 = .walking(steps: steps) } }
}

extension PublishedFigures {
  /// A day of a walker with one sensor.
  static func walking(steps: Int, cadence: Double? = 1.75, state: SourceState.State = .counting) -> PublishedFigures {
    PublishedFigures(
      total: WalkTotals(steps: 10_000 + steps, distanceTravelled: 7000.04 + Double(steps)),
      today: TodayFigures(
        date: "2026-11-22", steps: steps, distanceTravelled: Double(steps), activeTime: 0, goal: nil),
      sources: [
        SourceState(
          uri: "iio:device0", name: "A \"quoted\" sensor", state: state,
          reason: state == .counting ? nil : "it was unplugged", steps: steps,
          walk: WalkTotals(steps: steps, distanceTravelled: 0, currentCadence: cadence))
      ])
  }
}

extension LogLines {
  /// Logs to these lines.
  var logger: Logger { Logger(label: "test") { _ in LineLog(lines: self) } }
}
