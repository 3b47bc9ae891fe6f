import Foundation
import History
import Logging
import Platform
import ServiceCore
import Synchronization

/// Messages of clients on the subscribed topics: samples or finished steps, as in the bodies of `POST /api/samples` and
/// `POST /api/steps`.
///
/// A message is acknowledged when its steps are in the history, so the broker sends again what was not stored.
final class MQTTIntake: Sendable {
  private let messages: ClientMessages
  private let limits: ServiceLimits
  private let clock: ServiceClock
  private let logger: Logger
  private let complaints = Mutex<[String: String]>([:])

  /// The maximum number of topics whose latest complaint is remembered.
  private static let mostComplaints = 256

  init(messages: ClientMessages, limits: ServiceLimits, clock: ServiceClock, logger: Logger) {
    (self.messages, self.limits, self.clock, self.logger) = (messages, limits, clock, logger)
  }

  /// Processes messages in their order, and finishes each that is stored, or refused for good. When the task is cancelled, the
  /// rest of those that have arrived is tried, each once.
  func run(_ arrivals: AsyncStream<MQTTMessage>, finish: (MQTTMessage) -> Void) async {
    for await message in arrivals {
      if await take(message) { finish(message) }
    }
  }

  /// - Returns: whether the message is stored, or refused for good.
  private func take(_ message: MQTTMessage) async -> Bool {
    var backoff = Backoff()
    while true {
      do {
        if let doubt = try await count(message) {
          complain(message.topic, doubt)
        } else {
          complaints.withLock { $0[message.topic] = nil }
        }
        return true
      } catch {
        complain(message.topic, "\(error)")
        // Otherwise the queue of samples is full, or the history cannot be written now.
        if let refusal = error as? ServiceRefusal, refusal.status != 503, refusal.wait ?? .max > 60 { return true }
        if Task.isCancelled { return false }
        try? await clock.sleep(backoff.next())
      }
    }
  }

  /// - Returns: what the sender would want to know about a message that was accepted.
  private func count(_ message: MQTTMessage) async throws -> String? {
    guard !message.isTooLong, message.payload.count <= limits.samplesSize else {
      throw ServiceRefusal(413, "a message is longer than \(limits.samplesSize) bytes; send less")
    }
    let name = Self.sourceName(topic: message.topic)
    // One object with a number of steps; all others are samples.
    let object = try? JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any]
    if object?["steps"] != nil {
      let steps = try ClientMessages.Steps(body: Data(message.payload))
      let taken = try await messages.takeSteps(steps, usualName: name)
      // A message that is delivered twice is not worth a line.
      return taken.isKnown || message.isRepeated ? nil : taken.receipt.remark
    }
    // The broker sends a kept message after each start, and its samples would be a new walk.
    if message.isRetained {
      throw ServiceRefusal(400, "a retained message with samples is not counted; publish without retain")
    }
    _ = try messages.takeSamples(message.payload, [:], usualName: name)
    return nil
  }

  /// The name of a client that gives none: its topic, in the characters of such names, with dots for slashes. A topic
  /// with other characters, or too many, has a checksum at the end, because different topics are different clients.
  static func sourceName(topic: String) -> String {
    var isExact = true
    let name = topic.utf8.map { byte -> UInt8 in
      if byte == UInt8(ascii: "/") { return UInt8(ascii: ".") }
      if (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x5F { return byte }
      isExact = false
      return byte == UInt8(ascii: ".") ? byte : UInt8(ascii: "-")
    }
    if isExact, name.count <= 64 { return String(decoding: name, as: UTF8.self) }
    return String(decoding: name.suffix(64 - 9), as: UTF8.self) + "-" + SHA256.digits(of: Array(topic.utf8)).prefix(8)
  }

  private func complain(_ topic: String, _ reason: String) {
    let isNew = complaints.withLock { complaints in
      if complaints[topic] == nil, complaints.count >= Self.mostComplaints { complaints.removeAll() }
      return complaints.updateValue(reason, forKey: topic) != reason
    }
    if isNew { logger.warning("MQTT topic \(topic): \(reason)") }
  }
}
