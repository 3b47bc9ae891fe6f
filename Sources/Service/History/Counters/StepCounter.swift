import Foundation
import Pedometry

/// A reading of a counter that only rises, such as a phone's steps since its start.
package struct CounterReading: Sendable, Hashable {
  /// What a counter counts from.
  package enum Origin: String, Sendable, Hashable {
    /// The start of the device, at an unknown time. A restart makes the count fall, or a correction.
    case boot
    /// A midnight, or another time such as that of the start. The count may be corrected downwards.
    case midnight, time
  }

  /// When the device had counted so far, on its own clock.
  package var time: Date
  /// Steps since the origin.
  package var steps: Int
  package var origin: Origin
  /// When the count was 0; `nil` if unknown.
  package var since: Date?

  package init(time: Date, steps: Int, origin: Origin, since: Date?) {
    (self.time, self.steps, self.origin, self.since) = (time, steps, origin, since)
  }

  /// The largest count.
  package static let most = 1_000_000_000
}

package struct CounterReceipt: Sendable, Hashable {
  package enum Verdict: Sendable, Hashable {
    /// The first one of its counter, or of another origin: steps count from now on.
    case first
    /// The steps since the reading before count.
    case counted
    /// The counter began again, and what it has counted since then counts.
    case restarted
    /// The count is less than before, although the counter has not begun again.
    case lowered
    /// The count is less than before, and neither a correction nor a restart is likely: steps count from now on.
    case fallen
    /// The same reading as before.
    case repeated
    /// Not later than the latest reading.
    case late
    /// More than a day has passed, so the days of the steps are unknown.
    case tooLong
    /// The origin has moved to a time that was counted already, as with another time zone.
    case moved
    /// More steps than people walk, in so many seconds.
    case impossible(steps: Int, seconds: Double)
  }

  package var verdict: Verdict
  /// Steps that were added to minutes of this counter.
  package var accepted = 0
  /// Steps that other sources have in the same minutes.
  package var elsewhere = 0
  /// Steps that the reading reports, and that do not count.
  package var dropped = 0

  package init(_ verdict: Verdict, accepted: Int = 0, elsewhere: Int = 0, dropped: Int = 0) {
    (self.verdict, self.accepted, self.elsewhere, self.dropped) = (verdict, accepted, elsewhere, dropped)
  }
}

/// Decides how many steps a reading adds, knowing only the latest reading of its counter.
///
/// A pure value. Of two possible explanations the one with fewer steps counts, because no step is invented.
struct StepCounter: Hashable {
  struct Mark: Hashable {
    /// Microseconds since 1970.
    var time: Int64
    var steps: Int
  }

  var kind: CounterReading.Origin
  /// When the counter was 0, in microseconds since 1970; `nil` if unknown.
  var since: Int64?
  /// The latest reading. If the count has fallen without a restart, the highest one.
  var mark: Mark
  /// The latest reading that is impossible after the mark: a fault, or the beginning of another count.
  var doubt: Mark?

  /// How the count went on.
  struct Growth: Hashable {
    var verdict: CounterReceipt.Verdict
    var steps = 0
    /// When the first of them may have been taken, in microseconds since 1970.
    var start: Int64 = 0
  }

  /// How far the time of the origin may move without being another one, in microseconds: devices compute it anew for each reading.
  static let tolerance: Int64 = 60_000_000
  /// The most steps between two readings of a day.
  static let most = 100_000

  init(kind: CounterReading.Origin, since: Int64?, mark: Mark, doubt: Mark? = nil) {
    (self.kind, self.since, self.mark, self.doubt) = (kind, since, mark, doubt)
  }

  init(_ reading: CounterReading) {
    (kind, since) = (reading.origin, reading.since?.microseconds)
    mark = Mark(time: reading.time.microseconds, steps: reading.steps)
  }

  mutating func take(_ reading: CounterReading) -> Growth {
    let next = StepCounter(reading)
    if next.mark == mark { return Growth(verdict: .repeated) }
    guard next.mark.time > mark.time else { return Growth(verdict: .late) }
    var growths = [growth(to: next)]
    // A count that goes on from an impossible reading is another one, and the step between the two is unknown.
    if let doubt, next.mark.time > doubt.time, next.mark.steps >= doubt.steps {
      growths.append(Growth(verdict: .counted, steps: next.mark.steps - doubt.steps, start: doubt.time))
    }
    let possible = growths.filter { Self.isPossible($0, until: next.mark.time) }
    guard var growth = possible.min(by: { $0.steps < $1.steps }) else {
      if next.mark.time > doubt?.time ?? .min { doubt = next.mark }
      let seconds = Double(next.mark.time - growths[0].start) / 1e6
      return Growth(verdict: .impossible(steps: growths[0].steps, seconds: seconds))
    }
    switch growth.verdict {
    case .lowered where kind == .boot: return growth
    case .lowered:
      // What exceeds the highest count is walked after this time.
      mark.time = next.mark.time
      doubt = nil
    default:
      self = next
      if Double(next.mark.time - growth.start) > EvenSteps.longestPeriod * 1e6, growth.steps > 0 {
        growth.verdict = .tooLong
      }
    }
    return growth
  }

  private func growth(to next: StepCounter) -> Growth {
    let more = next.mark.steps - mark.steps
    if next.kind != kind { return Growth(verdict: .first, start: mark.time) }
    guard let since, let nextSince = next.since else {
      if more >= 0 { return Growth(verdict: .counted, steps: more, start: mark.time) }
      // Programs report 0 when they do not know the count.
      if next.mark.steps == 0 { return Growth(verdict: .lowered, start: mark.time) }
      switch CountFall(from: Double(mark.steps), to: Double(next.mark.steps)) {
      case .correction: return Growth(verdict: .lowered, start: mark.time)
      case .restart: return Growth(verdict: .restarted, steps: next.mark.steps, start: mark.time)
      case .unclear: return Growth(verdict: .fallen, start: mark.time)
      }
    }
    if nextSince > mark.time { return Growth(verdict: .restarted, steps: next.mark.steps, start: nextSince) }
    // An origin that is later has no steps that the former one had not.
    if nextSince >= since - Self.tolerance, more >= 0 {
      return Growth(verdict: .counted, steps: more, start: mark.time)
    }
    let isSame = abs(nextSince - since) <= Self.tolerance
    return Growth(verdict: isSame ? .lowered : .moved, start: mark.time)
  }

  /// Devices report steps late, so a short time may have those of a minute.
  private static func isPossible(_ growth: Growth, until end: Int64) -> Bool {
    let seconds = max(60, Double(end - growth.start) / 1e6)
    return Double(growth.steps) <= seconds * WalkedStep.highestCadence
      && (growth.steps <= most || seconds > EvenSteps.longestPeriod)
  }
}
