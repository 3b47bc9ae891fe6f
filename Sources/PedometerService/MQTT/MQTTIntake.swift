import Foundation
import Logging
import Platform
import Synchronization

/// Messages of clients on the subscribed topics: samples or finished steps, as in the bodies of `POST /api/samples` and
/// `POST /api/steps`.
final class MQTTIntake: Sendable {
  private let messages: ClientMessages
  private let limits: ServiceLimits
  private let clock: ServiceClock
  private let logger: Logger
  private let waiting: AsyncStream<MQTTMessage>
  private let arrival: AsyncStream<MQTTMessage>.Continuation
  private let complaints = Mutex<[String: String]>([:])

  /// The maximum number of unprocessed messages.
  static let mostWaiting = 4096
  /// The maximum number of topics whose latest complaint is remembered.
  private static let mostComplaints = 256

  init(messages: ClientMessages, limits: ServiceLimits, clock: ServiceClock, logger: Logger) {
    (self.messages, self.limits, self.clock, self.logger) = (messages, limits, clock, logger)
    (waiting, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostWaiting))
  }

  /// Queues a message.
  func add(_ message: MQTTMessage) {
    if case .dropped = arrival.yield(message) {
      complain(message.topic, "messages arrive faster than they are counted; some were dropped")
    }
  }

  /// Processes messages in their order until the task is cancelled.
  func run() async { for await message in waiting { await take(message) } }

  private func take(_ message: MQTTMessage) async {
    var backoff = Backoff()
    while !Task.isCancelled {
      do {
        try await count(message)
        complaints.withLock { $0[message.topic] = nil }
        return
      } catch let refusal as ServiceRefusal where refusal.status != 503 {
        return complain(message.topic, refusal.reason)
      } catch let pace as PaceRefusal where pace.wait > .seconds(60) {
        return complain(message.topic, pace.excess)
      } catch {
        // The queue of samples is full, or the history cannot be written now.
        complain(message.topic, (error as? PaceRefusal)?.excess ?? "\(error)")
        try? await clock.sleep(backoff.next())
      }
    }
  }

  private func count(_ message: MQTTMessage) async throws {
    let limit = limits.samplesSize
    guard message.payload.count <= limit else {
      throw ServiceRefusal(status: 413, reason: "a message is longer than \(limit) bytes; send less")
    }
    let name = Self.sourceName(topic: message.topic)
    if var steps = try? JSONDecoder().decode(Steps.self, from: Data(message.payload)) {
      steps.source = steps.source ?? name
      _ = try await messages.takeSteps(steps.order)
      return
    }
    if Self.looksLikeSteps(message.payload) {
      // Decoded again for its reason.
      _ = try ClientMessages.Steps(body: Data(message.payload))
    }
    // The broker sends a kept message after each start, and its samples would be a new walk.
    if message.isRetained {
      throw ServiceRefusal(
        status: 400, reason: "a retained message with samples is not counted; publish without retain")
    }
    _ = try messages.takeSamples(message.payload, [:], usualName: name)
  }

  private struct Steps: Decodable {
    var source: String?
    var start: String
    var end: String
    var steps: Int
    var distance: Double?

    var order: ClientMessages.Steps {
      ClientMessages.Steps(source: source ?? "", start: start, end: end, steps: steps, distance: distance)
    }
  }

  /// Whether a message is one object with a number of steps.
  private static func looksLikeSteps(_ payload: [UInt8]) -> Bool {
    let object = try? JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
    return object?["steps"] != nil
  }

  /// The name of a client that gives none: its topic, in the characters of such names.
  static func sourceName(topic: String) -> String {
    let name = topic.utf8.map { byte -> UInt8 in
      let isFit = (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x5F
      return isFit ? byte : byte == UInt8(ascii: "/") ? UInt8(ascii: ".") : UInt8(ascii: "-")
    }
    return String(decoding: name.suffix(64), as: UTF8.self)
  }

  /// Logs each new reason of a topic once.
  private func complain(_ topic: String, _ reason: String) {
    let isNew = complaints.withLock { complaints in
      if complaints[topic] == nil, complaints.count >= Self.mostComplaints { complaints.removeAll() }
      return complaints.updateValue(reason, forKey: topic) != reason
    }
    if isNew { logger.warning("MQTT topic \(topic): \(reason)") }
  }
}
