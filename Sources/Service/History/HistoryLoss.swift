import Foundation

/// A period of which the history lost data, because its file was damaged.
public struct HistoryLoss: Sendable, Hashable {
  /// What was lost.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Minutes with their steps.
    case minutes
    /// The beginnings and ends of bouts; the minutes are complete.
    case bouts
    /// The identity and name of a source; its minutes are complete.
    case source
  }

  /// The earliest moment that may be affected.
  public var start: Date
  /// The latest moment that may be affected, exclusive.
  public var end: Date
  /// What was lost.
  public var kind: Kind
  /// The number of lost minutes of sources; 0 if it is unknown.
  public var minutes: Int
  /// The number of lost steps, as far as sums that survived tell; `nil` if it is unknown.
  public var steps: Int?
  /// When the damage was found.
  public var noticed: Date

  /// Creates a loss.
  public init(start: Date, end: Date, kind: Kind = .minutes, minutes: Int = 0, steps: Int? = nil, noticed: Date) {
    (self.start, self.end, self.kind) = (start, end, kind)
    (self.minutes, self.steps, self.noticed) = (minutes, steps, noticed)
  }

  /// The period and the numbers for people, in UTC: `2026-05-06 10:00 to 10:45 UTC (41 minutes, 3021 steps)`.
  public var text: String {
    let (from, to) = (CivilDate(start, offset: 0), CivilDate(end, offset: 0))
    var text = "\(from.date) \(from.time) to \(from.date == to.date ? "" : to.date + " ")\(to.time) UTC"
    switch kind {
    case .bouts: return text + " (bouts only)"
    case .source: return text + " (the name of a source)"
    case .minutes:
      var numbers: [String] = []
      if minutes > 0 { numbers.append("\(minutes) \(minutes == 1 ? "minute" : "minutes")") }
      if let steps { numbers.append("\(steps) \(steps == 1 ? "step" : "steps")") }
      if !numbers.isEmpty { text += " (\(numbers.joined(separator: ", ")))" }
      return text
    }
  }
}

extension [HistoryLoss] {
  /// The losses with adjoining periods of the same kind joined, by rising time.
  package var merged: [HistoryLoss] {
    var all: [HistoryLoss] = []
    for loss in sorted(by: { ($0.kind.rawValue, $0.start) < ($1.kind.rawValue, $1.start) }) {
      guard let last = all.indices.last, all[last].kind == loss.kind, all[last].noticed == loss.noticed,
        loss.start <= all[last].end
      else {
        all.append(loss)
        continue
      }
      all[last].end = Swift.max(all[last].end, loss.end)
      all[last].minutes += loss.minutes
      all[last].steps = all[last].steps.flatMap { a in loss.steps.map { a + $0 } }
    }
    return all.sorted { $0.start < $1.start }
  }

  /// One line for people, with the first periods by date; empty without losses.
  package var summary: String {
    let shown = prefix(5).map(\.text).joined(separator: "; ")
    return count > 5 ? "\(shown); and \(count - 5) other \(count == 6 ? "period" : "periods")" : shown
  }
}
