import Accelerometry

/// The columns as they lie before the reader when the first row was found.
struct RowColumns {
  let kind: RowFields.Kind
  /// Their names, if they have any.
  let names: [String]?
  /// The line of the names.
  let headerLine: Int

  /// So many rows show which columns rise.
  private static let rowsForRising = 8

  /// Whether a field is a number, or a date, a time, NaN.
  static func isValue(_ bytes: Span<UInt8>, _ range: Range<Int>, decimalComma: Bool) -> Bool {
    switch DecimalNumber.parse(bytes, range, decimalComma: decimalComma) {
    case .number, .notFinite: true
    case .empty: false
    case .text: moment(bytes, range) != nil
    }
  }

  /// A field as something that rises or does not.
  private static func moment(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    let moment =
      CivilTime.parseDateAndTime(bytes, range) ?? CivilTime.parseTimeOfDay(bytes, range)
      ?? CivilTime.parseDate(bytes, range)
    return moment.map(Double.init)
  }

  /// The layout, by the options, the names or the first rows; nothing when more rows are needed.
  func layout(
    _ buffer: borrowing LineBuffer, path: String, options: RecordingOptions
  ) throws(RecordingError) -> ColumnLayout? {
    let rows = firstRows(buffer)
    let width = rows.first?.count ?? 0
    if let asked = options.columns {
      return try ColumnLayout(asked: asked, names: names, width: max(width, names?.count ?? 0), path: path)
    }
    guard rows.count == Self.rowsForRising || buffer.isEnded || buffer.isFull else { return nil }
    let rising = { (column: Int) in Self.isRising(rows, column) }
    guard let names else { return try positional(rows, rising, path: path, options, line: buffer.line) }
    if let layout = ColumnLayout(names: names, isRising: rising) {
      // A table of a sensor that is none of ours has no time for it either: the first rows decide.
      return layout
    }
    let roles = names.map { ColumnName($0).role }
    if roles.contains(.foreign) || names.count < 3 { throw .noAxes(path: path, line: headerLine, names: names) }
    var layout = try positional(rows, rising, path: path, options, line: headerLine)
    layout.doubts.append(
      "the column names of line \(headerLine) name no axes; read were the columns"
        + " \((layout.time.map { "\($0 + 1), " } ?? "") + "\(layout.x + 1), \(layout.y + 1), \(layout.z + 1)"): say which"
        + " with --columns")
    return layout
  }

  /// t,x,y,z; x,y,z; or the three columns behind the first that rises.
  private func positional(
    _ rows: [[Double?]], _ isRising: (Int) -> Bool, path: String, _ options: RecordingOptions, line: Int
  ) throws(RecordingError) -> ColumnLayout {
    let first = rows.first ?? []
    let columns = first.indices.filter { first[$0] != nil }
    if columns.count == 3 {
      return ColumnLayout(time: nil, x: columns[0], y: columns[1], z: columns[2])
    }
    let time = columns.first { column in isRising(column) && columns.filter { $0 > column }.count >= 3 }
    if let time = time ?? (columns.count == 4 && options.samplingFrequency == nil ? columns.first : nil) {
      let axes = columns.filter { $0 > time }
      var layout = ColumnLayout(time: time, x: axes[0], y: axes[1], z: axes[2])
      if time > 0, isDate(rows, time - 1) {
        layout.time = time - 1
        layout.timeSpansTwo = true
      }
      return layout
    }
    guard options.samplingFrequency != nil, columns.count >= 3 else { throw .noTimestamps(path: path, line: line) }
    return ColumnLayout(time: nil, x: columns[0], y: columns[1], z: columns[2])
  }

  private func isDate(_ rows: [[Double?]], _ column: Int) -> Bool {
    rows.allSatisfy { row in
      guard column + 1 < row.count, let date = row[column], let time = row[column + 1] else { return false }
      return date.truncatingRemainder(dividingBy: 86_400e9) == 0 && (0..<86_400e9).contains(time) && time >= 0
    }
  }

  /// Whether a column has a value in each row and goes up from most rows to the next.
  private static func isRising(_ rows: [[Double?]], _ column: Int) -> Bool {
    let values = rows.compactMap { column < $0.count ? $0[column] : nil }
    guard values.count == rows.count, let first = values.first, let last = values.last else { return false }
    if values.count == 1 { return true }
    let ups = zip(values, values.dropFirst()).count { $0 < $1 }
    return last > first && ups * 10 >= (values.count - 1) * 7
  }

  /// The first rows with at least three values.
  private func firstRows(_ buffer: borrowing LineBuffer) -> [[Double?]] {
    let bytes = buffer.bytes.span
    var rows: [[Double?]] = []
    var fields = RowFields(kind: kind)
    var place = buffer.start
    while rows.count < Self.rowsForRising, let line = buffer.line(at: place) {
      place = line.next
      guard CSVDialect.commentText(bytes, line.content) == nil, line.content.count <= LineBuffer.longestLine,
        fields.read(bytes, line.content, limit: LayoutProbe.mostColumns)
      else { continue }
      let row: [Double?] = fields.ranges.map { range in
        switch DecimalNumber.parse(bytes, range, decimalComma: fields.decimalComma) {
        case .number(let number): number.value
        case .notFinite: .nan
        case .empty: nil
        case .text: Self.moment(bytes, range)
        }
      }
      if row.count(where: { $0 != nil }) >= 3 { rows.append(row) }
    }
    return rows
  }

  /// The layout in the recording's own words.
  func described(_ layout: ColumnLayout) -> RecordingSummary.Columns {
    let name = { (column: Int) -> String in
      guard let names, column < names.count, !names[column].isEmpty else { return "\(column + 1)" }
      return names[column]
    }
    return RecordingSummary.Columns(
      time: layout.time.map(name), x: name(layout.x), y: name(layout.y), z: name(layout.z))
  }
}
