/// Finds the three columns with gravity in pieces of a regular file, from its first row to its last.
///
/// The beginning may show a sensor that is turned; a magnetometer has a steady mean as well, but not of one g.
struct AxisSurvey {
  let source: ByteSource
  let kind: RowFields.Kind

  private static let (pieces, lengthOfPiece) = (32, 1 << 14)
  private static let fewestPieces = 4
  /// A second or two of most sensors.
  private static let rowsOfPart = 100

  /// The index of the first of three columns, in steps of three; `nil` if it cannot be told.
  func axes(of axes: [Int]) -> Int? {
    let parts = parts()
    guard parts.count >= Self.fewestPieces else { return nil }
    let groups = stride(from: 0, through: axes.count - 3, by: 3).map { first in
      Self.score(parts, Array(axes[first..<first + 3]))
    }
    guard let best = groups.indices.min(by: { groups[$0] < groups[$1] }), groups[best] < Self.worst else { return nil }
    // The first is kept where it is as good.
    return groups[0] < Self.good ? 0 : best * 3
  }

  private static let (good, worst) = (0.5, 0.9)

  /// How unlike gravity three columns are: the spread of the lengths of their means, and a half if these are not one g in a
  /// common unit.
  private static func score(_ parts: [[[Double?]]], _ axes: [Int]) -> Double {
    let lengths = parts.map { rows -> Double in
      axes.reduce(0.0) { sum, axis in
        let values = rows.compactMap { axis < $0.count ? $0[axis] : nil }
        let mean = values.reduce(0, +) / Double(max(1, values.count))
        return sum + mean * mean
      }.squareRoot()
    }.sorted()
    let middle = lengths[lengths.count / 2]
    guard middle > 0 else { return .infinity }
    let spread = (lengths[lengths.count * 4 / 5] - lengths[lengths.count / 5]) / middle
    let isCommon = (0.7..<1.8).contains(middle) || (7..<15.5).contains(middle) || (700..<1450).contains(middle)
    return isCommon ? spread : spread + 0.5
  }

  /// Rows of about a second each.
  private func parts() -> [[[Double?]]] {
    guard let size = source.sizeIfRegular, !source.isCompressed else { return [] }
    let isShort = size <= Self.pieces * Self.lengthOfPiece
    let (count, length) = isShort ? (1, size) : (Self.pieces, Self.lengthOfPiece)
    var parts: [[[Double?]]] = []
    for piece in 0..<count {
      let place = count == 1 ? 0 : (size - length) / (count - 1) * piece
      let rows = rows(source.excerpt(from: place, count: length), skippingFirst: piece > 0)
      for start in stride(from: 0, to: rows.count, by: Self.rowsOfPart) where start + Self.rowsOfPart <= rows.count {
        parts.append(Array(rows[start..<start + Self.rowsOfPart]))
      }
    }
    return parts
  }

  private func rows(_ excerpt: ByteSource, skippingFirst: Bool) -> [[Double?]] {
    var lines = LineBuffer(capacity: 1 << 17)
    var fields = RowFields(kind: kind)
    var rows: [[Double?]] = []
    do throws(RecordingError) {
      while !lines.isEnded {
        try lines.fill(from: excerpt)
        while let line = lines.line(at: lines.start) {
          if lines.makePlain(firstLine: line.content) != nil { continue }
          let isCut = (skippingFirst && lines.line == 1) || (lines.lastLineIsOpen && line.next == lines.linesEnd)
          if !isCut {
            let row = RowColumns.row(lines.bytes.span, line.content, &fields)
            if row.count(where: { $0 != nil }) >= 3 { rows.append(row) }
          }
          lines.consume(upTo: line.next, lines: 1)
        }
      }
    } catch { return rows }
    return rows
  }
}
