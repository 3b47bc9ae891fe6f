import Foundation
import History

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
    var stretches: [Stretch] = []
    // Disjoint, by rising time.
    var covered: [(range: Range<Double>, steps: Double)] = []
    for var stretch in sorted {
      let whole = stretch.pieces[0]
      var index = covered.partitioningIndex { $0.range.upperBound > whole.lowerBound }
      let insertion = index
      var (free, steps, from): ([Range<Double>], Double, Double) = ([], 0, whole.lowerBound)
      while index < covered.count, covered[index].range.lowerBound < whole.upperBound {
        let (range, inside) = (covered[index].range, covered[index].range.clamped(to: whole))
        steps += covered[index].steps * length(inside) / length(range)
        if inside.lowerBound > from { free.append(from..<inside.lowerBound) }
        from = inside.upperBound
        index += 1
      }
      if from < whole.upperBound { free.append(from..<whole.upperBound) }
      if index > insertion {
        let room = free.reduce(0) { $0 + length($1) }
        let rest = max(0, min(stretch.period.steps - Int(steps.rounded()), Int(room * WalkedStep.highestCadence)))
        repeats[stretch.file, default: Repeats()].count += 1
        repeats[stretch.file, default: Repeats()].steps += stretch.period.steps - rest
        guard rest > 0 else { continue }
        if let distance = stretch.period.distance {
          stretch.period.distance = distance * Double(rest) / Double(stretch.period.steps)
        }
        (stretch.period.steps, stretch.pieces) = (rest, free)
      }
      let sum = stretch.pieces.reduce(0) { $0 + length($1) }
      for piece in stretch.pieces {
        let place = covered.partitioningIndex { $0.range.lowerBound > piece.lowerBound }
        covered.insert((piece, Double(stretch.period.steps) * length(piece) / sum), at: place)
      }
      stretches.append(stretch)
    }
    return stretches
  }

  /// A moment lasts a millisecond.
  private static func range(of period: ImportedPeriod) -> Range<Double> {
    let start = period.start.timeIntervalSince1970
    return start..<max(start + 0.001, period.end.timeIntervalSince1970)
  }

  private static func length(_ range: Range<Double>) -> Double { range.upperBound - range.lowerBound }

  private static func minute(_ time: Double) -> Int { Int((time / 60).rounded(.down)) }
}

extension Array {
  /// The first index whose element fulfils a condition that all later ones fulfil, too.
  fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
