/// The lines above the first sample that may hold the columns' names.
struct HeaderCandidates {
  struct Header: Equatable {
    var names: [String]
    var line: Int
    var isComment: Bool
  }

  /// Longer lines name no columns.
  private static let longest = 8192

  /// The last few lines that name three axes.
  private var strong: [Header] = []
  /// The last line of any kind that is no comment.
  private var nearest: (text: [UInt8], line: Int)?
  /// A number in front of "Hz", as loggers write above their columns.
  private(set) var statedRate: (hertz: Double, line: Int)?

  /// The last line that names three axes, if there is one.
  var named: Header? { strong.last { !$0.isComment } }

  /// Looks at a line.
  mutating func note(_ bytes: Span<UInt8>, _ line: Range<Int>, number: Int, isComment: Bool) {
    guard line.count <= Self.longest else { return }
    let text = line.map { bytes[$0] }
    if let hertz = Self.rate(text) { statedRate = (hertz, number) }
    if !isComment { nearest = (text, number) }
    let best = CSVDialect.candidates.map { Self.names(text, $0) }
      .filter { $0.count >= 3 && ColumnLayout(names: $0, isRising: { _ in true }) != nil }
      .max { $0.count < $1.count }
    guard let best else { return }
    strong.append(Header(names: best, line: number, isComment: isComment))
    if strong.count > 4 { strong.removeFirst() }
  }

  /// The header that belongs to rows of this width.
  func header(dialect: CSVDialect, row: [[UInt8]]) -> Header? {
    for header in strong.reversed() {
      if let fitting = Self.fit(header, to: row) { return fitting }
    }
    if let named { return named }
    guard let nearest else { return nil }
    let names = Self.names(nearest.text, dialect)
    let looksLikeNames = names.filter { name in name.contains(where: \.isLetter) }.count * 2 >= names.count
    guard looksLikeNames else { return nil }
    return Self.fit(Header(names: names, line: nearest.line, isComment: false), to: row)
  }

  /// The header with as many names as the row has columns, when they can be brought together.
  private static func fit(_ header: Header, to row: [[UInt8]]) -> Header? {
    var fitting = header
    switch header.names.count - row.count {
    case 0: return header
    case 1 where header.names.last?.isEmpty == true:
      fitting.names.removeLast()
      return fitting
    // A delimiter closes each row.
    case -1 where row.last?.isEmpty == true: return header
    case -1:
      // One name over a date and a time of day; or, as R writes tables, none over the rows' own names.
      let date = row.indices.first { isDate(row[$0]) }
      fitting.names.insert("", at: date.map { $0 + 1 } ?? 0)
      if let date, date < header.names.count {
        fitting.names[date + 1] = "time"
        fitting.names[date] = "date"
      }
      return fitting
    default: return nil
    }
  }

  private static func isDate(_ field: [UInt8]) -> Bool { CivilTime.parseDate(field.span, field.indices) != nil }

  private static func names(_ text: [UInt8], _ dialect: CSVDialect) -> [String] {
    var fields: [Range<Int>] = []
    dialect.split(text.span, text.indices, limit: LayoutProbe.mostColumns, into: &fields)
    return fields.map { String(decoding: text[$0], as: UTF8.self) }
  }

  /// The number in front of "Hz".
  private static func rate(_ text: [UInt8]) -> Double? {
    var words: [String] = []
    for word in String(decoding: text, as: UTF8.self).split(whereSeparator: { " \t,;:=()[]".contains($0) }) {
      let lower = word.lowercased()
      if lower == "hz", let last = words.last, let hertz = Double(last) {
        return hertz > 0 && hertz.isFinite ? hertz : nil
      }
      if lower.hasSuffix("hz"), let hertz = Double(lower.dropLast(2)) {
        return hertz > 0 && hertz.isFinite ? hertz : nil
      }
      words.append(lower)
    }
    return nil
  }
}
