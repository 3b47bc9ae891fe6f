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
  private struct Arrival {
    var message: MQTTMessage
    var finished: @Sendable () -> Void
  }

  private let messages: ClientMessages
  private let limits: ServiceLimits
  private let clock: ServiceClock
  private let logger: Logger
  private let rings: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let complaints = Mutex<[String: String]>([:])
  private let waiting = Mutex<[Arrival]>([])
  private let ending = Mutex(Ending())

  private struct Ending {
    /// Whether each remaining message is tried once only.
    var hasBegun = false
    /// The wait before a message is tried again.
    var nap: Task<Void, Never>?
  }

  /// The maximum number of topics whose latest complaint is remembered.
  private static let mostComplaints = 256
  /// The maximum number of messages without acknowledgement that outlive their connection.
  private static let mostForgotten = 256

  init(messages: ClientMessages, limits: ServiceLimits, clock: ServiceClock, logger: Logger) {
    (self.messages, self.limits, self.clock, self.logger) = (messages, limits, clock, logger)
    (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Queues a message; the connection limits their number.
  /// - Parameter finished: called when it is stored, or refused for good.
  func add(_ message: MQTTMessage, _ finished: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(Arrival(message: message, finished: finished)) }
    bell.yield()
  }

  /// Forgets the messages of a connection that has ended, since the broker sends them again.
  func forget() {
    waiting.withLock { waiting in
      waiting.removeAll { $0.message.number != nil }
      waiting.removeFirst(max(0, waiting.count - Self.mostForgotten))
    }
  }

  func skip(_ topic: String) { complain(topic, tooLong.reason) }

  private var tooLong: ServiceRefusal {
    ServiceRefusal(413, "a message is longer than \(limits.samplesSize) bytes; send less")
  }

  /// Processes messages in their order, until all are processed after ``finish()``, or the task is cancelled.
  func run() async {
    for await _ in rings {
      while !Task.isCancelled, let arrival = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        if await take(arrival.message) { arrival.finished() }
      }
    }
  }

  /// Lets ``run()`` end after the messages that have arrived, each tried once more.
  func finish() {
    let nap = ending.withLock { ending in
      ending.hasBegun = true
      return ending.nap
    }
    nap?.cancel()
    bell.finish()
  }

  /// Waits before another attempt.
  /// - Returns: whether there is one.
  private func mayTryAgain(after wait: Duration) async -> Bool {
    let nap = ending.withLock { ending -> Task<Void, Never>? in
      if ending.hasBegun { return nil }
      let nap = Task { [clock] in _ = try? await clock.sleep(wait) }
      ending.nap = nap
      return nap
    }
    guard let nap else { return false }
    await withTaskCancellationHandler {
      await nap.value
    } onCancel: {
      nap.cancel()
    }
    return true
  }

  /// - Returns: whether the message is stored, or refused for good.
  private func take(_ message: MQTTMessage) async -> Bool {
    var backoff = Backoff()
    while !Task.isCancelled {
      do {
        if let doubt = try await count(message) {
          complain(message.topic, doubt)
        } else {
          complaints.withLock { $0[message.topic] = nil }
        }
        return true
      } catch let refusal as ServiceRefusal where refusal.status != 503 {
        complain(message.topic, refusal.reason)
        return true
      } catch let pace as PaceRefusal where pace.wait > .seconds(60) {
        complain(message.topic, pace.excess)
        return true
      } catch {
        // The queue of samples is full, or the history cannot be written now.
        complain(message.topic, (error as? PaceRefusal)?.excess ?? "\(error)")
        guard await mayTryAgain(after: backoff.next()) else { return false }
      }
    }
    return false
  }

  /// - Returns: what the sender would want to know about a message that was accepted.
  private func count(_ message: MQTTMessage) async throws -> String? {
    guard message.payload.count <= limits.samplesSize else { throw tooLong }
    let name = Self.sourceName(topic: message.topic)
    if let steps = try? JSONDecoder().decode(ClientMessages.Steps.self, from: Data(message.payload)) {
      let taken = try await messages.takeSteps(steps, usualName: name)
      // A message that is delivered twice is not worth a line.
      return taken.isKnown || message.isRepeated ? nil : taken.receipt.remark
    }
    if Self.looksLikeSteps(message.payload) {
      // Decoded again for its reason.
      _ = try ClientMessages.Steps(body: Data(message.payload))
    }
    // The broker sends a kept message after each start, and its samples would be a new walk.
    if message.isRetained {
      throw ServiceRefusal(400, "a retained message with samples is not counted; publish without retain")
    }
    _ = try messages.takeSamples(message.payload, [:], usualName: name)
    return nil
  }

  /// Whether a message is one object with a number of steps.
  private static func looksLikeSteps(_ payload: [UInt8]) -> Bool {
    let object = try? JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
    return object?["steps"] != nil
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
