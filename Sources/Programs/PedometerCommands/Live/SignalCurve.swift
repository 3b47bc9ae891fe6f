import Accelerometry

/// The latest seconds of a signal as a small curve, so that one sees that the sensor works before the first step.
///
/// A pure value of a bounded size: 480 points, about 4 kB.
struct SignalCurve {
  /// The time of a column, which has two points.
  static let column = Duration.milliseconds(150)
  /// A weaker signal than this is drawn flat, in g: the noise of a sensor at rest is no movement.
  static let least: Float = 0.15

  private static let point = Duration.milliseconds(75)
  private static let mostColumns = 240

  /// The lowest and highest deviation from the mean magnitude in each point, in g, the newest last.
  private(set) var points: [ClosedRange<Float>] = []
  private var start: Duration?
  private var mean: Float?

  /// Takes samples.
  /// - Returns: whether a column was completed, so that the curve has changed.
  mutating func take(_ samples: [AccelerationSample]) -> Bool {
    var hasChanged = false
    for sample in samples {
      let squares = sample.acceleration * sample.acceleration
      let magnitude = squares.sum().squareRoot()
      guard magnitude.isFinite else { continue }
      // Gravity and the offset of the sensor, followed slowly.
      let level = mean.map { $0 + (magnitude - $0) * 0.01 } ?? magnitude
      mean = level
      let deviation = magnitude - level
      if let start, sample.timestamp >= start, sample.timestamp - start < Self.point, let last = points.last {
        points[points.count - 1] = min(last.lowerBound, deviation)...max(last.upperBound, deviation)
      } else {
        hasChanged = hasChanged || !points.isEmpty && points.count.isMultiple(of: 2)
        begin(at: sample.timestamp)
        points.append(deviation...deviation)
      }
    }
    return hasChanged
  }

  /// Begins a point; points follow each other at equal times unless samples are missing.
  private mutating func begin(at time: Duration) {
    start = start.map { (0..<2).contains((time - $0) / Self.point) ? $0 + Self.point : time } ?? time
    if points.count >= 2 * Self.mostColumns { points.removeFirst(2) }
  }

  /// Whether there was movement all the last seconds: in each two of them more than ``least``. `nil` before as many.
  func moves(for seconds: Int) -> Bool? {
    let piece = Int(Duration.seconds(2) / Self.point)
    let strong = points.suffix(seconds / 2 * piece).map { max(-$0.lowerBound, $0.upperBound) > Self.least }
    guard strong.count == seconds / 2 * piece else { return nil }
    return stride(from: 0, to: strong.count, by: piece).allSatisfy { strong[$0..<$0 + piece].contains(true) }
  }
}

// MARK: - several rows

extension SignalCurve {
  /// The signal itself in several rows, the newest on the right.
  /// - Parameter hasBraille: whether the terminal has the characters for 2×4 dots in a cell.
  func rows(width: Int, height: Int, hasBraille: Bool) -> [String] {
    guard width > 0, height > 0 else { return [] }
    // Whole columns, so that the picture moves by whole cells.
    let whole = points.prefix(points.count / 2 * 2).suffix(2 * width)
    let levels = height * (hasBraille ? 4 : 3)
    let spans = Self.joined(whole.map { level(of: $0, levels, scale(of: whole)) })
    let blank = width - spans.count / 2
    return (0..<height).map { row in
      var text = String.UnicodeScalarView(repeatElement(" ", count: blank))
      for column in 0..<spans.count / 2 {
        let pair = (spans[2 * column], spans[2 * column + 1])
        text.append(hasBraille ? Self.dots(pair, row) : Self.stroke(pair, row))
      }
      return String(text)
    }
  }

  /// The deviation at the upper edge, in g.
  private func scale(of points: ArraySlice<ClosedRange<Float>>) -> Float {
    max(points.reduce(0) { max($0, -$1.lowerBound, $1.upperBound) }, Self.least)
  }

  /// The levels of a point, zero at the top.
  private func level(of point: ClosedRange<Float>, _ levels: Int, _ scale: Float) -> ClosedRange<Int> {
    let level = { (value: Float) in
      min(max(Int((1 - value / scale) * Float(levels) / 2), 0), levels - 1)
    }
    return level(point.upperBound)...level(point.lowerBound)
  }

  /// Each point reaches to the one before, so that the curve has no holes.
  private static func joined(_ points: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    points.indices.map { index in
      let point = points[index]
      guard index > 0 else { return point }
      let before = points[index - 1]
      if before.upperBound < point.lowerBound { return before.upperBound + 1...point.upperBound }
      if before.lowerBound > point.upperBound { return point.lowerBound...before.lowerBound - 1 }
      return point
    }
  }

  /// A braille pattern (Unicode, 8-dot patterns).
  private static func dots(_ pair: (ClosedRange<Int>, ClosedRange<Int>), _ row: Int) -> Unicode.Scalar {
    let bits: [(left: UInt32, right: UInt32)] = [(0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80)]
    var pattern: UInt32 = 0
    for dot in 0..<4 {
      if pair.0.contains(4 * row + dot) { pattern |= bits[dot].left }
      if pair.1.contains(4 * row + dot) { pattern |= bits[dot].right }
    }
    return pattern == 0 ? " " : Unicode.Scalar(0x2800 + pattern) ?? " "
  }

  /// The same in ASCII, with three levels in a row.
  private static func stroke(_ pair: (ClosedRange<Int>, ClosedRange<Int>), _ row: Int) -> Unicode.Scalar {
    let levels = (0..<3).filter { pair.0.contains(3 * row + $0) || pair.1.contains(3 * row + $0) }
    switch (levels.count, levels.first) {
    case (0, _): return " "
    case (1, 0): return "'"
    case (1, 1): return "-"
    case (1, _): return "."
    default: return "|"
    }
  }
}
