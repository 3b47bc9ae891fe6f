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
    var acknowledges = true
    var attempts = 0
    /// With the number of the attempt.
    var messages: [(attempt: Int, message: MQTTMessage)] = []
    var subscriptions: [String] = []
    /// The topics of subscriptions and messages, in order.
    var topics: [String] = []
    var closed: [Int] = []
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
    private let handler: @Sendable (any MQTTConnection, MQTTEvent) -> Void
    let numbers = Mutex(0)

    init(
      _ broker: ScriptedBroker, _ attempt: Int, _ handler: @escaping @Sendable (any MQTTConnection, MQTTEvent) -> Void
    ) {
      (self.broker, self.attempt, self.handler) = (broker, attempt, handler)
    }

    func handle(_ event: MQTTEvent) { handler(self, event) }

    func publish(_ message: MQTTMessage) throws(MQTTFailure) -> Int {
      let number = numbers.withLock {
        $0 += 1
        return $0
      }
      // A broker that has gone gets nothing, also between its end and the moment at which the service learns of it.
      let acknowledges = broker.state.update { state in
        guard state.current === self else { return false }
        state.messages.append((attempt, message))
        state.topics.append(message.topic)
        return state.acknowledges
      }
      if acknowledges { handle(.delivered(number)) }
      return number
    }

    func subscribe(_ topic: String) throws(MQTTFailure) {
      broker.state.update {
        $0.subscriptions.append(topic)
        $0.topics.append(topic)
      }
    }

    func finish(_ message: MQTTMessage) { broker.state.update { $0.finished.append(message) } }

    func close() {
      broker.state.update { [attempt] in $0.closed.append(attempt) }
      handle(.ended(.closed))
    }
  }

  var connector: MQTTConnector {
    MQTTConnector { session, handle throws(MQTTFailure) in
      let connection = self.state.update { state -> Connection in
        state.attempts += 1
        let connection = Connection(self, state.attempts, handle)
        state.current = state.failure == nil ? connection : nil
        return connection
      }
      connection.handle(self.state.value.failure.map { .ended($0) } ?? .connected)
      return connection
    }
  }

  /// Sends the service messages on the present connection, whenever it is called.
  var delivery: @Sendable (MQTTMessage) -> Void {
    let current = state.value.current
    return { current?.handle(.received($0)) }
  }

  /// Sends the service a message.
  func deliver(_ message: MQTTMessage) { delivery(message) }

  /// Acknowledges everything up to a number of the current connection.
  func acknowledge(_ numbers: ClosedRange<Int>) {
    let current = state.value.current
    for number in numbers { current?.handle(.delivered(number)) }
  }

  /// Ends the connection, and fails further attempts.
  func fall(_ failure: MQTTFailure) {
    let current = state.update { state -> Connection? in
      state.failure = failure
      defer { state.current = nil }
      return state.current
    }
    current?.handle(.ended(failure))
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
