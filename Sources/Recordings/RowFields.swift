/// Finds a line's columns, in CSV or in JSON Lines.
struct RowFields {
  /// The format of the line.
  enum Kind: Equatable {
    case csv(CSVDialect)
    /// JSON: the paths of the columns; `nil` for an array's elements in order.
    case json([[UInt8]]?)
  }

  let kind: Kind
  /// The ranges of the columns in the latest line.
  private(set) var ranges: [Range<Int>] = []
  private var json = JSONFields()

  init(kind: Kind) { self.kind = kind }

  /// Whether a comma may precede the decimals.
  var decimalComma: Bool {
    if case .csv(let dialect) = kind { dialect.decimalComma } else { false }
  }

  /// Parses a line; `limit` columns are enough.
  /// - Returns: whether the line has columns at all.
  mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>, limit: Int) -> Bool {
    switch kind {
    case .csv(let dialect):
      dialect.split(bytes, line, limit: limit, into: &ranges)
      return true
    case .json(let columns):
      guard json.read(bytes, line) else { return false }
      ranges.removeAll(keepingCapacity: true)
      if let columns {
        arrange(columns, line)
      } else {
        for value in json.values.prefix(limit) { ranges.append(value.text) }
      }
      return true
    }
  }

  /// Arranges the values in the order of the columns; a missing one is empty.
  private mutating func arrange(_ columns: [[UInt8]], _ line: Range<Int>) {
    for (index, path) in columns.enumerated() {
      if index < json.values.count, json.has(json.values[index], path: path) {
        ranges.append(json.values[index].text)
      } else if let value = json.values.first(where: { json.has($0, path: path) }) {
        ranges.append(value.text)
      } else {
        ranges.append(line.lowerBound..<line.lowerBound)
      }
    }
  }

  /// The field in a column.
  func field(_ column: Int, _ bytes: Span<UInt8>) -> DecimalNumber.Field {
    column < ranges.count ? DecimalNumber.parse(bytes, ranges[column], decimalComma: decimalComma) : .empty
  }

  /// Why a row with an empty column is skipped: a line of text also has few columns.
  func shortfall(_ layout: ColumnLayout, _ bytes: Span<UInt8>) -> SkipReason {
    guard case .csv = kind, let time = layout.time, time < ranges.count, !ranges[time].isEmpty,
      !RowColumns.isValue(bytes, ranges[time], decimalComma: decimalComma)
    else { return .missingValues }
    return .notNumbers
  }
}
