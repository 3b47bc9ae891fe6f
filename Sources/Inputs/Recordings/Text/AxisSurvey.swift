/// Finds the three columns with gravity in parts of a second or two: in the first rows, or all over a regular file.
///
/// The beginning may show a sensor that is turned; a magnetometer has a steady mean as well, but not of one g.
struct AxisSurvey {
  private let parts: [[[Double?]]]

  private static let mostBytes = 1 << 19
  private static let fewestPieces = 4
  /// A second or two of most sensors.
  private static let rowsOfPart = 100

  /// Looks at the first rows.
  init(_ rows: [[Double?]]) { parts = [rows] }

  /// Looks at a file; `nil` if it cannot be read again, or is too short.
  init?(_ source: ByteSource, _ kind: RowFields.Kind) {
    guard let size = source.sizeIfRegular, !source.isCompressed else { return nil }
    parts = FilePieces.of(0..<size, most: Self.mostBytes).flatMap { piece in
      let rows = Self.rows(piece, source, kind)
      return stride(from: 0, through: rows.count - Self.rowsOfPart, by: Self.rowsOfPart).map { start in
        Array(rows[start..<start + Self.rowsOfPart])
      }
    }
    if parts.count < Self.fewestPieces { return nil }
  }

  /// The columns of the accelerometer among those of some sensors; `nil` if they cannot be told.
  func axes(of axes: [Int]) -> [Int]? { withGravity(among: axes) ?? three(of: axes, worst: Self.worst) }

  /// Three columns that have gravity in a common unit.
  func withGravity(among axes: [Int]) -> [Int]? {
    three(of: Self.withoutQuaternion(axes, parts.flatMap { $0 }), worst: Self.good)
  }

  /// Which of some sensors have gravity, the best first, and the first before others that are as good.
  func sensors(withGravity sensors: [[Int]]) -> [Int] {
    let scores = sensors.map { score($0) }
    var having = sensors.indices.filter { scores[$0] < Self.good }
    // In counts, no length is that of one g.
    if having.isEmpty { having = sensors.indices.filter { means(sensors[$0]).isSteady } }
    guard let best = having.min(by: { scores[$0] < scores[$1] }), let first = having.first else { return [] }
    let chosen = scores[first] - scores[best] < Self.clear ? first : best
    return [chosen] + having.filter { $0 != chosen }
  }

  /// Which of some sensors has gravity in a common unit, beyond doubt, where another, which should have it, has none; `nil` in any other
  /// case.
  func gravity(among sensors: [[Int]], insteadOf named: [Int]) -> [Int]? {
    means(named).isSteady ? nil : self.sensors(clearlyWithGravity: sensors).min { score($0) < score($1) }
  }

  /// The sensors that have gravity in a common unit, beyond doubt.
  func sensors(clearlyWithGravity sensors: [[Int]]) -> [[Int]] {
    sensors.filter { score($0) < Self.clear && means($0).steadiness > 1 }
  }

  /// The sensors of a row stand in threes; where no three of these have gravity, another column stands among them.
  private func three(of axes: [Int], worst: Double) -> [Int]? {
    let threes = axes.threes
    let scores = threes.map { score($0) }
    guard let best = scores.indices.min(by: { scores[$0] < scores[$1] }) else { return nil }
    // The first is kept where it is as good: a sensor that turns slowly has a steady mean as well, but hardly of one g.
    if scores[0] < Self.good, scores[0] - scores[best] < Self.clear { return threes[0] }
    if scores[best] < Self.good { return threes[best] }
    let shifted = (0...axes.count - 3).map { Array(axes[$0..<$0 + 3]) }
      .map { (columns: $0, score: score($0)) }.min { $0.score < $1.score }
    if let shifted, shifted.score < Self.clear { return shifted.columns }
    return scores[best] < worst ? threes[best] : nil
  }

  private static let (clear, good, worst) = (0.25, 0.5, 0.9)

  /// Columns without the four of a quaternion, of which the sum of squares is 1, so that some three of them may look like one
  /// g; all of them if fewer than three others are left.
  static func withoutQuaternion(_ axes: [Int], _ rows: [[Double?]]) -> [Int] {
    guard axes.count >= 7 else { return axes }
    let first = (0...axes.count - 4).first { start in
      rows.count { row in
        let values = axes[start..<start + 4].map { $0 < row.count ? row[$0] ?? .nan : .nan }
        return abs(values.reduce(0) { $0 + $1 * $1 } - 1) < 0.03
      } * 100 >= rows.count * 99
    }
    return first.map { Array(axes[..<$0] + axes[($0 + 4)...]) } ?? axes
  }

  /// How unlike gravity three columns are: the spread of the lengths of their means, and how far these are from one g in a
  /// common unit and as large as their motion; infinite if one cannot be an axis.
  private func score(_ axes: [Int]) -> Double {
    let found = means(axes)
    guard found.areAxes, found.middle > 0 else { return .infinity }
    let middle = found.middle
    let distance = [1, 9.80665, 1000].map { abs(middle / $0 - 1) }.min() ?? 0
    return found.spread + (UnitGuess.isPlain(middle) && found.isSteady ? distance / 2 : 0.5)
  }

  private struct Means {
    /// The median length of their mean vectors, and its relative spread.
    var middle = 0.0
    var spread = 0.0
    /// How large they are compared with the motion. A gyroscope that swings may have a mean as long as gravity, which is small compared
    /// with its motion.
    var steadiness = 0.0
    var isSteady: Bool { steadiness >= UnitGuess.leastSteadiness }
    var areAxes = false
  }

  private func means(_ axes: [Int]) -> Means {
    guard let first = parts.first?.first else { return Means() }
    let seconds = parts.map { rows in axes.map { rows.column($0) }.map { (mean: $0.mean, variance: $0.variance) } }
    let lengths = seconds.map { axes in axes.map(\.mean).length }.sorted()
    let motions = seconds.map { axes in axes.reduce(0.0) { $0 + $1.variance }.squareRoot() }.sorted()
    var found = Means(middle: lengths[lengths.count / 2])
    found.spread = (lengths[lengths.count * 4 / 5] - lengths[lengths.count / 5]) / max(found.middle, 1e-12)
    found.steadiness = lengths[lengths.count / 5] / max(motions[motions.count * 4 / 5], 1e-12)
    let isConstant = axes.contains { axis in
      axis < first.count && parts.allSatisfy { $0.allSatisfy { axis < $0.count && $0[axis] == first[axis] } }
    }
    // A pressure or a temperature beside two axes: by far the largest, and it stands still while these move.
    let columns = axes.indices.map { axis in
      (mean: seconds.map { abs($0[axis].mean) }.mean, deviation: seconds.map { $0[axis].variance }.mean.squareRoot())
    }
    let motion = columns.map(\.deviation).length
    let stands = columns.max { $0.mean < $1.mean }.map { 5 * $0.deviation < min(0.025 * $0.mean, motion) } ?? true
    found.areAxes = !isConstant && !stands
    return found
  }

  private static func rows(_ piece: Range<Int>, _ source: ByteSource, _ kind: RowFields.Kind) -> [[Double?]] {
    var fields = RowFields(kind: kind)
    var rows: [[Double?]] = []
    // Those before a failure of reading are enough.
    _ = try? source.excerpt(from: piece.lowerBound, count: piece.count).eachLine { bytes, line, number, isOpen in
      if isOpen || number == 1 && piece.lowerBound > 0 { return }
      let row = RowColumns.row(bytes, line, &fields)
      if row.count(where: { $0 != nil }) >= 3 { rows.append(row) }
    }
    return rows
  }
}

extension [Int] {
  /// In threes, as the axes of sensors stand.
  var threes: [[Int]] { stride(from: 0, through: count - 3, by: 3).map { Array(self[$0..<$0 + 3]) } }
}
