/// Sorts rows by their times, within a bound of rows.
struct RowSorter {
  /// As many rows are held back: twenty minutes of most sensors.
  static let most = 65_536

  private var rows: [RecordedRow] = []

  /// Takes a row.
  /// - Returns: rows in order, all earlier than those that are held back.
  mutating func add(_ row: RecordedRow) -> [RecordedRow] {
    rows.append(row)
    guard rows.count >= Self.most else { return [] }
    sort()
    defer { rows.removeFirst(Self.most / 2) }
    return Array(rows.prefix(Self.most / 2))
  }

  mutating func finish() -> [RecordedRow] {
    sort()
    defer { rows.removeAll() }
    return rows
  }

  private mutating func sort() { rows.sort { ($0.nanoseconds, $0.line) < ($1.nanoseconds, $1.line) } }
}
