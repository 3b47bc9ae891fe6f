/// Sorts rows by their times, within a bound of rows.
struct RowSorter {
  /// A row and its line.
  struct Row {
    var nanoseconds: Int64
    var acceleration: SIMD3<Float>
    var line: Int
  }

  /// As many rows are held back: twenty minutes of most sensors.
  static let most = 65_536

  private var rows: [Row] = []

  /// Takes a row.
  /// - Returns: rows in order, all earlier than those that are held back.
  mutating func add(_ row: Row) -> [Row] {
    rows.append(row)
    guard rows.count >= Self.most else { return [] }
    sort()
    defer { rows.removeFirst(Self.most / 2) }
    return Array(rows.prefix(Self.most / 2))
  }

  /// The remaining rows, in order.
  mutating func finish() -> [Row] {
    sort()
    defer { rows.removeAll() }
    return rows
  }

  private mutating func sort() { rows.sort { ($0.nanoseconds, $0.line) < ($1.nanoseconds, $1.line) } }
}
