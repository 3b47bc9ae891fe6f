/// Finds a line's columns, in CSV or in JSON Lines.
struct RowFields {
  enum Kind: Equatable {
    case csv(CSVDialect)
    /// JSON: the paths of the columns; `nil` for an array's elements in order.
    case json([[UInt8]]?)
  }

  let kind: Kind
  /// The ranges of the columns in the latest line.
  private(set) var ranges: [Range<Int>] = []
  private var json = JSONFields()
  /// Which values of the latest line of JSON are the columns, −1 for those that are missing.
  private var places: [Int] = []

  init(kind: Kind) { self.kind = kind }

  /// Whether a comma may precede the decimals; in JSON it does in strings.
  var decimalComma: Bool { if case .csv(let dialect) = kind { dialect.decimalComma } else { true } }

  /// Whether the first column is a word, such as `Average`: no number, and no hexadecimal one either.
  func beginsWithWord(_ bytes: Span<UInt8>) -> Bool {
    guard field(0, bytes) == .text else { return false }
    let isDigit = { (byte: UInt8) in byte &- 0x30 <= 9 }
    let isHexadecimal = { (byte: UInt8) in isDigit(byte) || byte | 0x20 &- 0x61 < 6 }
    let range = ranges[0]
    return !range.contains { isDigit(bytes[$0]) } && !range.allSatisfy { isHexadecimal(bytes[$0]) }
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
    places.removeAll(keepingCapacity: true)
    for (index, path) in columns.enumerated() {
      let isInOrder = index < json.values.count && json.has(json.values[index], path: path)
      let place = isInOrder ? index : json.values.firstIndex { json.has($0, path: path) } ?? -1
      places.append(place)
      ranges.append(place < 0 ? line.lowerBound..<line.lowerBound : json.values[place].text)
    }
  }

  /// What stands around the values of the latest line of JSON; `nil` if it lacks a column.
  func frame(_ layout: ColumnLayout) -> JSONFrame? {
    guard case .json(let columns) = kind else { return nil }
    func place(_ column: Int) -> Int? {
      guard columns != nil else { return column < json.values.count ? column : nil }
      return column < places.count && places[column] >= 0 ? places[column] : nil
    }
    guard let x = place(layout.x), let y = place(layout.y), let z = place(layout.z) else { return nil }
    var time: Int?
    if let column = layout.time {
      time = place(column)
      if time == nil { return nil }
    }
    guard Set([x, y, z, time ?? -1]).count == 4 else { return nil }
    return json.frame { index in
      switch index {
      case x: .axis(0)
      case y: .axis(1)
      case z: .axis(2)
      case time: .time
      default: nil
      }
    }
  }

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
