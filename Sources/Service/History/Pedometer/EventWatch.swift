import Foundation
import Pedometry

/// The walker's pauses, and those already reported.
struct EventWatch: Sendable {
  private let start: Date
  /// The end of the last bout after which a pause was reported.
  private var told: Date
  private var isWalking = false

  /// How long after a step, in seconds, the walker is not reported as standing: the detector may report steps this late.
  static let confirmationDelay = 6.0

  init(from start: Date) { (self.start, told) = (start, start) }

  /// Reads the history.
  /// - Returns: the events since the last reading.
  mutating func look(_ reader: HistoryReader, now: Date) throws(HistoryError) -> [PedometerEvent] {
    let bouts = try reader.bouts(from: told, to: .distantFuture).filter { $0.end > told }
    let latency = WalkTracker.boutGap / .seconds(1) + Self.confirmationDelay
    var events: [PedometerEvent] = []
    for (index, bout) in bouts.enumerated() {
      if !isWalking {
        isWalking = true
        // A walk that was in progress at the start has not just resumed.
        if bout.start >= start { events.append(PedometerEvent(date: bout.start, type: .resume)) }
      }
      guard index + 1 < bouts.count || now.timeIntervalSince(bout.end) > latency else { break }
      isWalking = false
      told = bout.end
      events.append(PedometerEvent(date: bout.end, type: .pause))
    }
    return events
  }
}
