import Foundation
import History
import Logging
import Platform
import ServiceCore
import Synchronization

/// Messages of clients on the subscribed topics: samples or finished steps, as in the bodies of `POST /api/samples` and
/// `POST /api/steps`.
final class MQTTIntake: Sendable {
  private let messages: ClientMessages
  private let limits: ServiceLimits
  private let clock: ServiceClock
  private let logger: Logger
  private let arrivals: AsyncStream<MQTTMessage>
  private let arrival: AsyncStream<MQTTMessage>.Continuation
  private let complaints = Mutex<[String: String]>([:])
  private let ending = Mutex(Ending())
  private let queue: IntakeQueue

  private struct Ending {
    /// Whether each remaining message is tried once only.
    var hasBegun = false
    /// The wait before a message is tried again.
    var nap: Task<Void, Never>?
    /// The messages that could not be stored, and their steps.
    var lost = (messages: 0, steps: 0)
    var reason = ""
  }

  /// The maximum number of topics whose latest complaint is remembered.
  private static let mostComplaints = 256

  /// - Parameter mostWaiting: the maximum number of unprocessed messages before the end.
  init(
    messages: ClientMessages, limits: ServiceLimits, clock: ServiceClock, logger: Logger, mostWaiting: Int = 4096
  ) {
    (self.messages, self.limits, self.clock, self.logger) = (messages, limits, clock, logger)
    (arrivals, arrival) = AsyncStream.makeStream()
    queue = IntakeQueue(most: mostWaiting)
  }

  /// Queues a message. Blocks while the maximum number waits: the connection's thread then reads and acknowledges no
  /// more, so the broker keeps the rest.
  func add(_ message: MQTTMessage) {
    queue.enter()
    guard case .terminated = arrival.yield(message) else { return }
    logger.error("MQTT topic \(message.topic): a message arrived after the end; \(steps(in: message)) steps are lost")
  }

  /// Lets all messages in from now on: the connection ends soon, and its thread must not wait.
  func open() { queue.open() }

  /// Processes messages in their order, until all are processed after ``finish()``, or the task is cancelled. Then the
  /// rest is lost, and the log says so.
  func run() async {
    for await message in arrivals {
      await take(message)
      queue.leave()
    }
    // The service had to end; nobody takes the rest.
    queue.open()
    let (lost, reason) = ending.withLock { ($0.lost, $0.reason) }
    guard lost.messages > 0 else { return }
    logger.error(
      "MQTT: \(lost.messages) delivered messages could not be stored and are lost, with \(lost.steps) steps: \(reason)")
  }

  /// Lets ``run()`` end after the messages that have arrived. What cannot be stored now is lost, because the broker does
  /// not repeat it; the log then says so.
  func finish() {
    queue.open()
    let nap = ending.withLock { ending in
      ending.hasBegun = true
      return ending.nap
    }
    nap?.cancel()
    arrival.finish()
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

  /// Counts a message that cannot be stored any more, with its steps.
  private func lose(_ message: MQTTMessage, _ reason: String) {
    let steps = steps(in: message)
    ending.withLock { ending in
      ending.lost = (ending.lost.messages + 1, ending.lost.steps + steps)
      ending.reason = reason
    }
  }

  /// The steps that a message states; 0 for samples.
  private func steps(in message: MQTTMessage) -> Int {
    (try? JSONDecoder().decode(Steps.self, from: Data(message.payload)).steps) ?? 0
  }

  private func take(_ message: MQTTMessage) async {
    var backoff = Backoff()
    while !Task.isCancelled {
      do {
        let doubt = try await count(message)
        if let doubt { return complain(message.topic, doubt) }
        complaints.withLock { $0[message.topic] = nil }
        return
      } catch let refusal as ServiceRefusal where refusal.status != 503 {
        return complain(message.topic, refusal.reason)
      } catch let pace as PaceRefusal where pace.wait > .seconds(60) {
        return complain(message.topic, pace.excess)
      } catch {
        // The queue of samples is full, or the history cannot be written now.
        let reason = (error as? PaceRefusal)?.excess ?? "\(error)"
        complain(message.topic, reason)
        guard await mayTryAgain(after: backoff.next()) else { return lose(message, reason) }
      }
    }
    lose(message, "the service had to end before they were stored")
  }

  /// - Returns: what the sender would want to know about a message that was accepted.
  private func count(_ message: MQTTMessage) async throws -> String? {
    let limit = limits.samplesSize
    guard message.payload.count <= limit else {
      throw ServiceRefusal(status: 413, reason: "a message is longer than \(limit) bytes; send less")
    }
    let name = Self.sourceName(topic: message.topic)
    if var steps = try? JSONDecoder().decode(Steps.self, from: Data(message.payload)) {
      steps.source = steps.source ?? name
      let taken = try await messages.takeSteps(steps.order)
      // A message that is delivered twice is not worth a line.
      return taken.isKnown ? nil : Self.doubt(steps.steps, taken.receipt)
    }
    if Self.looksLikeSteps(message.payload) {
      // Decoded again for its reason.
      _ = try Steps(body: Data(message.payload))
    }
    // The broker sends a kept message after each start, and its samples would be a new walk.
    if message.isRetained {
      throw ServiceRefusal(
        status: 400, reason: "a retained message with samples is not counted; publish without retain")
    }
    _ = try messages.takeSamples(message.payload, [:], usualName: name)
    return nil
  }

  /// Why a period was not stored as a whole.
  private static func doubt(_ steps: Int, _ receipt: HistoryReceipt) -> String? {
    if receipt.repeated > 0 {
      return "\(receipt.repeated) of \(steps) steps are not later than the latest of their source, and count as "
        + "repeated; send periods in their order, and give each device its own topic or 'source'"
    }
    return receipt.impossible > 0 ? "\(receipt.impossible) of \(steps) steps are impossible, and do not count" : nil
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

  /// Logs each new reason of a topic once.
  private func complain(_ topic: String, _ reason: String) {
    let isNew = complaints.withLock { complaints in
      if complaints[topic] == nil, complaints.count >= Self.mostComplaints { complaints.removeAll() }
      return complaints.updateValue(reason, forKey: topic) != reason
    }
    if isNew { logger.warning("MQTT topic \(topic): \(reason)") }
  }
}
