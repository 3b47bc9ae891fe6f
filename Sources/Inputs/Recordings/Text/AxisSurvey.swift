/// Finds the three columns with gravity in pieces of a regular file, from its first row to its last.
///
/// The beginning may show a sensor that is turned; a magnetometer has a steady mean as well, but not of one g.
struct AxisSurvey {
  let source: ByteSource
  let kind: RowFields.Kind

  private static let mostBytes = 1 << 19
  private static let fewestPieces = 4
  /// A second or two of most sensors.
  private static let rowsOfPart = 100

  /// The columns of the accelerometer among those of some sensors; `nil` if they cannot be told.
  func axes(of axes: [Int]) -> [Int]? {
    let parts = parts()
    guard parts.count >= Self.fewestPieces else { return nil }
    return Self.withGravity(among: axes, parts) ?? Self.three(of: axes, parts, worst: Self.worst)
  }

  /// Three columns that have gravity in a common unit in the first rows.
  static func withGravity(among axes: [Int], _ rows: [[Double?]]) -> [Int]? { withGravity(among: axes, [rows]) }

  private static func withGravity(among axes: [Int], _ parts: [[[Double?]]]) -> [Int]? {
    three(of: withoutQuaternion(axes, parts.flatMap { $0 }), parts, worst: good)
  }

  /// Which of some sensors have gravity, the best first, and the first before others that are as good.
  func sensors(withGravity sensors: [[Int]]) -> [Int]? {
    let parts = parts()
    return parts.count >= Self.fewestPieces ? Self.sensors(withGravity: sensors, parts) : nil
  }

  /// The same in parts of a second.
  static func sensors(withGravity sensors: [[Int]], _ parts: [[[Double?]]]) -> [Int] {
    let scores = sensors.map { score(parts, $0) }
    var having = sensors.indices.filter { scores[$0] < good }
    // In counts, no length is that of one g.
    if having.isEmpty { having = sensors.indices.filter { means(parts, sensors[$0]).isSteady } }
    guard let best = having.min(by: { scores[$0] < scores[$1] }), let first = having.first else { return [] }
    let chosen = scores[first] - scores[best] < clear ? first : best
    return [chosen] + having.filter { $0 != chosen }
  }

  /// Which of some sensors has gravity in a common unit, beyond doubt, where another, which should have it, has none; `nil` in any other
  /// case.
  func gravity(among sensors: [[Int]], insteadOf named: [Int]) -> [Int]? {
    let parts = parts()
    guard parts.count >= Self.fewestPieces, !Self.means(parts, named).isSteady else { return nil }
    return Self.gravity(among: sensors, parts)
  }

  /// Which of some sensors has gravity in a common unit, beyond doubt.
  static func gravity(among sensors: [[Int]], _ parts: [[[Double?]]]) -> [Int]? {
    sensors.filter { isClear($0, parts) }.min { score(parts, $0) < score(parts, $1) }
  }

  private static func isClear(_ axes: [Int], _ parts: [[[Double?]]]) -> Bool {
    score(parts, axes) < clear && means(parts, axes).steadiness > 1
  }

  /// The sensors that have gravity in a common unit, beyond doubt.
  func sensors(clearlyWithGravity sensors: [[Int]]) -> [[Int]] {
    let parts = parts()
    return parts.count >= Self.fewestPieces ? sensors.filter { Self.isClear($0, parts) } : []
  }

  /// The sensors of a row stand in threes; where no three of these have gravity, another column stands among them.
  private static func three(of axes: [Int], _ parts: [[[Double?]]], worst: Double) -> [Int]? {
    let threes = stride(from: 0, through: axes.count - 3, by: 3).map { Array(axes[$0..<$0 + 3]) }
    let scores = threes.map { score(parts, $0) }
    guard let best = scores.indices.min(by: { scores[$0] < scores[$1] }) else { return nil }
    // The first is kept where it is as good: a sensor that turns slowly has a steady mean as well, but hardly of one g.
    if scores[0] < good, scores[0] - scores[best] < clear { return threes[0] }
    if scores[best] < good { return threes[best] }
    let shifted = (0...axes.count - 3).map { Array(axes[$0..<$0 + 3]) }
      .map { (columns: $0, score: score(parts, $0)) }.min { $0.score < $1.score }
    if let shifted, shifted.score < clear { return shifted.columns }
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
  private static func score(_ parts: [[[Double?]]], _ axes: [Int]) -> Double {
    let found = means(parts, axes)
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

  private static func means(_ parts: [[[Double?]]], _ axes: [Int]) -> Means {
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

  /// Rows of about a second each.
  private func parts() -> [[[Double?]]] {
    guard let size = source.sizeIfRegular, !source.isCompressed else { return [] }
    var parts: [[[Double?]]] = []
    for piece in FilePieces.of(0..<size, most: Self.mostBytes) {
      let rows = rows(piece)
      for start in stride(from: 0, to: rows.count, by: Self.rowsOfPart) where start + Self.rowsOfPart <= rows.count {
        parts.append(Array(rows[start..<start + Self.rowsOfPart]))
      }
    }
    return parts
  }

  private func rows(_ piece: Range<Int>) -> [[Double?]] {
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
