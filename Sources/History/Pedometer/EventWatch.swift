import Foundation
import Pedometry

/// The walker's pauses, and what of them was told.
struct EventWatch: Sendable {
  private let start: Date
  /// The end of the last bout after which the walker was said to pause.
  private var told: Date
  private var isWalking = false

  /// How long after a step, in seconds, the walker is not reported as standing: the detector may report steps this late.
  static let confirmationDelay = 6.0

  init(from start: Date) { (self.start, told) = (start, start) }

  /// Looks at the history.
  /// - Returns: what happened since the last look.
  mutating func look(_ reader: HistoryReader, now: Date) throws(HistoryError) -> [PedometerEvent] {
    let bouts = try reader.bouts(from: told, to: .distantFuture).filter { $0.end > told }
    let patience = WalkTracker.boutGap / .seconds(1) + Self.confirmationDelay
    var events: [PedometerEvent] = []
    for (index, bout) in bouts.enumerated() {
      if !isWalking {
        isWalking = true
        // Who walked already when this began did not go on just now.
        if bout.start >= start { events.append(PedometerEvent(date: bout.start, type: .resume)) }
      }
      guard index + 1 < bouts.count || now.timeIntervalSince(bout.end) > patience else { break }
      isWalking = false
      told = bout.end
      events.append(PedometerEvent(date: bout.end, type: .pause))
    }
    return events
  }
}
