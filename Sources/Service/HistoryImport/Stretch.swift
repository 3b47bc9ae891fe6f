import Foundation
import History
import Platform

/// The time of a period that no shorter one of the same source covers, with the steps that those lack.
struct Stretch {
  /// With the steps of this stretch.
  var period: ImportedPeriod
  /// The number of the file.
  var file: Int
  /// Seconds since 1970, by rising time; the parts of the period that belong to the stretch.
  var pieces: [Range<Double>]

  /// Entries that repeat or overlap others.
  struct Repeats {
    var count = 0
    /// Those that do not count again.
    var steps = 0
  }

  /// How coarse the period is; the finest are 0.
  var level: Int {
    let seconds = period.end.timeIntervalSince(period.start)
    return [120, 1200, 7200].firstIndex { seconds <= $0 } ?? 3
  }

  var first: Int { Self.minute(pieces[0].lowerBound) }
  var last: Int { max(first, Self.minute(pieces[pieces.count - 1].upperBound - 0.001)) }
  var isWithinMinute: Bool { first == last }

  /// Its minutes, with its seconds in them.
  var weights: [(minute: Int, seconds: Double)] {
    var weights: [(minute: Int, seconds: Double)] = []
    for piece in pieces {
      let first = Self.minute(piece.lowerBound)
      for minute in first...max(first, Self.minute(piece.upperBound - 0.001)) {
        let seconds = min(piece.upperBound, Double(minute + 1) * 60) - max(piece.lowerBound, Double(minute) * 60)
        if weights.last?.minute == minute {
          weights[weights.count - 1].seconds += seconds
        } else {
          weights.append((minute, seconds))
        }
      }
    }
    return weights
  }

  /// The stretches of a source's periods, and how many entries repeat or overlap others, by file.
  static func all(
    of periods: [(period: ImportedPeriod, file: Int)]
  ) -> (stretches: [Stretch], repeats: [Int: Repeats]) {
    let sorted = periods.map { Stretch(period: $0.period, file: $0.file, pieces: [range(of: $0.period)]) }
      .sorted { $0.pieces[0].lowerBound < $1.pieces[0].lowerBound }
    var stretches: [Stretch] = []
    var repeats: [Int: Repeats] = [:]
    var start = 0
    while start < sorted.count {
      var next = start + 1
      var end = sorted[start].pieces[0].upperBound
      while next < sorted.count, sorted[next].pieces[0].lowerBound < end {
        end = max(end, sorted[next].pieces[0].upperBound)
        next += 1
      }
      if next == start + 1 {
        stretches.append(sorted[start])
      } else {
        stretches += disjoint(sorted[start..<next], &repeats)
      }
      start = next
    }
    return (stretches, repeats)
  }

  /// The shortest periods first; of equal ones the one with the most steps.
  private static func disjoint(_ overlapping: ArraySlice<Stretch>, _ repeats: inout [Int: Repeats]) -> [Stretch] {
    let sorted = overlapping.sorted {
      let (a, b) = ($0.pieces[0], $1.pieces[0])
      return (a.upperBound - a.lowerBound, a.lowerBound, $1.period.steps, $0.file)
        < (b.upperBound - b.lowerBound, b.lowerBound, $0.period.steps, $1.file)
    }
    var cover = Cover(sorted.map { $0.pieces[0] })
    var stretches: [Stretch] = []
    for var stretch in sorted {
      let (covered, steps, room) = cover.sum(of: stretch.pieces[0])
      if covered > 0 {
        // Parts of sums add up to them except for the last digits.
        let rest = max(
          0,
          min(
            stretch.period.steps - Int(bounded: steps + 1e-6),
            Int(bounded: (room * WalkedStep.highestCadence + 1e-6).rounded(.down))))
        repeats[stretch.file, default: Repeats()].count += 1
        repeats[stretch.file, default: Repeats()].steps += stretch.period.steps - rest
        guard rest > 0 else { continue }
        if let distance = stretch.period.distance {
          stretch.period.distance = distance * Double(rest) / Double(stretch.period.steps)
        }
        stretch.period.steps = rest
      }
      stretch.pieces = cover.add(stretch.pieces[0], steps: stretch.period.steps)
      stretches.append(stretch)
    }
    return stretches
  }

  /// A moment lasts a millisecond.
  private static func range(of period: ImportedPeriod) -> Range<Double> {
    let start = period.start.timeIntervalSince1970
    return start..<max(start + 0.001, period.end.timeIntervalSince1970)
  }

  private static func minute(_ time: Double) -> Int { Int(bounded: (time / 60).rounded(.down)) }
}

/// Which times of overlapping periods are covered, and the steps in them. What it costs to ask or to add does not depend on the number of
/// periods: two sums of parts that are found in a tree (Fenwick), and each time is covered once.
private struct Cover {
  /// All beginnings and ends, by rising time; a part goes from one to the next.
  private let bounds: [Double]
  /// The next part at or behind each that is not covered.
  private var next: [Int]
  private var tree: [(covered: Int, steps: Double, seconds: Double)]

  init(_ periods: [Range<Double>]) {
    var bounds: [Double] = []
    for bound in periods.flatMap({ [$0.lowerBound, $0.upperBound] }).sorted() where bound != bounds.last {
      bounds.append(bound)
    }
    self.bounds = bounds
    next = Array(bounds.indices)
    tree = Array(repeating: (0, 0, 0), count: bounds.count + 1)
  }

  /// The covered parts of a period, the steps in them, and the seconds that are not covered.
  func sum(of period: Range<Double>) -> (covered: Int, steps: Double, room: Double) {
    var (covered, steps, seconds) = (0, 0.0, period.upperBound - period.lowerBound)
    for (bound, sign) in [(period.upperBound, 1), (period.lowerBound, -1)] {
      var place = index(bound)
      while place > 0 {
        covered += sign * tree[place].covered
        steps += Double(sign) * tree[place].steps
        seconds -= Double(sign) * tree[place].seconds
        place &= place - 1
      }
    }
    return (covered, steps, max(0, seconds))
  }

  /// Covers the rest of a period with steps.
  /// - Returns: the times that were not covered, by rising time.
  mutating func add(_ period: Range<Double>, steps: Int) -> [Range<Double>] {
    let (end, begin) = (index(period.upperBound), index(period.lowerBound))
    var pieces: [Range<Double>] = []
    var parts: [Int] = []
    var part = free(begin)
    while part < end {
      if let last = pieces.last, last.upperBound == bounds[part] {
        pieces[pieces.count - 1] = last.lowerBound..<bounds[part + 1]
      } else {
        pieces.append(bounds[part]..<bounds[part + 1])
      }
      parts.append(part)
      next[part] = part + 1
      part = free(part + 1)
    }
    let sum = pieces.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    for part in parts {
      let seconds = bounds[part + 1] - bounds[part]
      var place = part + 1
      while place < tree.count {
        tree[place].covered += 1
        tree[place].steps += Double(steps) * seconds / sum
        tree[place].seconds += seconds
        place += place & -place
      }
    }
    return pieces
  }

  private func index(_ bound: Double) -> Int { bounds.firstPlace { $0 >= bound } }

  /// The first part at or behind one that is not covered.
  private mutating func free(_ part: Int) -> Int {
    var (last, place) = (part, part)
    while next[last] != last { last = next[last] }
    while next[place] != last { (next[place], place) = (last, next[place]) }
    return last
  }
}
