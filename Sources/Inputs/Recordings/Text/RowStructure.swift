/// What a line looks like as a row of a table.
struct RowStructure {
  /// The one that gives most values.
  private(set) var dialect = CSVDialect.candidates[0]
  /// Numbers and times.
  private(set) var values = 0
  private(set) var columns = 0
  private(set) var beginsWithText = false
  /// Whether the first value is a date or a time of day.
  private var beginsWithClock = false
  private var beginsEmpty = false

  init(_ bytes: Span<UInt8>, _ line: Range<Int>) {
    for dialect in CSVDialect.candidates {
      // The blanks in `0.12, 2026-05-06 10:11:12 AM` separate no columns.
      let isSplit = values >= 3 && !beginsWithText
      if dialect.delimiter == 0x20, isSplit { continue }
      let other = RowStructure(bytes, line, dialect)
      if other.values > values { self = other }
    }
  }

  private init(_ bytes: Span<UInt8>, _ line: Range<Int>, _ dialect: CSVDialect) {
    self.dialect = dialect
    var fields = RowFields(kind: .csv(dialect))
    _ = fields.read(bytes, line, limit: LayoutProbe.mostColumns)
    columns = fields.ranges.count
    for (index, range) in fields.ranges.enumerated() {
      if RowColumns.isValue(bytes, range, decimalComma: dialect.decimalComma) {
        values += 1
        if index == 0, case .text = DecimalNumber.parse(bytes, range, decimalComma: dialect.decimalComma) {
          beginsWithClock = true
        }
      } else if index == 0 {
        (beginsWithText, beginsEmpty) = (!range.isEmpty, range.isEmpty)
      }
    }
  }

  enum Likeness {
    case same
    /// It has a column and a value more: where all lines do, this one is a part of a row.
    case wider
    case other
  }

  /// Whether another line is such a row; `nil` if it is no row. One that begins with a label, or with a number, is none where rows
  /// begin with a number, or with a time of day.
  func likeness(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Likeness? {
    for candidate in [dialect] + CSVDialect.candidates.filter({ $0 != dialect }) {
      let other = RowStructure(bytes, line, candidate)
      guard other.values >= 3 else { continue }
      // A row of totals may stand above the others, with nothing where they have their time.
      let isTotal = beginsEmpty && !other.beginsEmpty && !other.beginsWithText
      guard candidate == dialect, abs(other.columns - columns) <= 1, other.beginsWithText == beginsWithText,
        other.beginsWithClock == beginsWithClock, !isTotal
      else { return .other }
      return other.columns > columns && other.values > values ? .wider : .same
    }
    return nil
  }
}
