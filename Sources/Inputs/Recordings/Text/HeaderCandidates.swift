import Accelerometry

/// The lines above the first sample that may contain the columns' names.
struct HeaderCandidates {
  struct Header: Equatable {
    var names: [String]
    var line: Int
    var isComment: Bool
  }

  /// What loggers write before the names.
  private static let labels: Set = ["header", "headers", "columns", "fields"]

  /// Longer lines are not headers.
  private static let longest = 8192

  /// The maximum number of stored interpretations of lines.
  private static let most = 16

  /// The last few lines with the names of three axes, with each delimiter that yields them.
  private var strong: [Header] = []
  /// The last line of any kind except comments.
  private var nearest: (text: [UInt8], line: Int)?
  /// The line before that.
  private var above: (text: [UInt8], line: Int)?
  /// A number before "Hz", as loggers write above their columns.
  private(set) var statedRate: (frequency: SamplingFrequency, line: Int)?
  /// The time of the first sample, as our writer states it above relative timestamps.
  private(set) var start: DateTimeText.Moment?
  /// Whether a line states that dates begin with the day, as ActiLife's does.
  private(set) var isDayFirst = false
  /// The unit that our own writer states.
  private(set) var unit: AccelerationUnit?
  /// The device that the rows below are of, and the names of all so far.
  private(set) var device: DeviceLabel?
  private(set) var devices: [String] = []
  private static let mostDevices = 64
  /// The length of an epoch, as ActiLife writes it above activity counts; 0 above raw samples.
  private(set) var epoch: (seconds: Int, line: Int)?

  /// A line of units that are lengths, as below the names of positions, and what a title says of them.
  private var lengths: (text: [UInt8], line: Int)?
  private var positions: (word: String, line: Int)?

  /// The last line with the names of three axes, if there is one.
  var named: Header? { strong.last { !$0.isComment } }

  mutating func note(_ bytes: Span<UInt8>, _ line: Range<Int>, number: Int, isComment: Bool) {
    guard line.count <= Self.longest else { return }
    // Garbage before a line does not change its names.
    let text = line.compactMap { FileStart.isControl(bytes[$0]) || bytes[$0] == 0 ? nil : bytes[$0] }
    if Self.holds(text, "date") { isDayFirst = isDayFirst || Self.statesDayFirst(text) }
    if isComment { noteMetadata(text) }
    if let label = DeviceLabel(text.span, text.indices), device == nil || device?.key == label.key {
      device = label
      if devices.count < Self.mostDevices, !devices.contains(label.name) { devices.append(label.name) }
    }
    if let seconds = Self.epochSeconds(text) { epoch = seconds > 0 ? (seconds, number) : nil }
    if let frequency = StatedRate.frequency(in: text) ?? (statedRate == nil ? StatedRate.frequency(inAll: text) : nil) {
      statedRate = (frequency, number)
    }
    if !isComment { (above, nearest) = (nearest, (text, number)) }
    notePositions(text, number)
    // Most lines of a long log end here.
    guard Self.holds(text, "xyz") else { return }
    // Blanks are part of many names, so they are the last interpretation of a line, and the last one noted has
    // precedence.
    for dialect in CSVDialect.candidates.reversed() {
      let names = named(text, dialect, number: number, isComment: isComment)
      // A quote in a name shows another delimiter.
      guard names.count >= 3, !names.contains(where: { $0.contains("\"") }),
        ColumnLayout(names: names, isRising: { _ in true }) != nil
      else { continue }
      strong.append(Header(names: names, line: number, isComment: isComment))
    }
    if strong.count > Self.most { strong.removeFirst(strong.count - Self.most) }
  }

  /// The columns that a line names, with each delimiter that yields three axes.
  static func layouts(_ bytes: Span<UInt8>, _ line: Range<Int>) -> [(dialect: CSVDialect, layout: ColumnLayout)] {
    guard line.count <= longest else { return [] }
    let text = line.map { bytes[$0] }
    return CSVDialect.candidates.compactMap { dialect in
      ColumnLayout(names: names(text, dialect), isRising: { _ in true }).map { (dialect, $0) }
    }
  }

  /// The titles of files of motion capture: Vicon's, Qualisys's, OptiTrack's and OpenSim's.
  private static let titlesOfPositions = ["trajectories", "marker_names", "nummarkers", "length units"]
  private static let lengthUnits = ["mm", "cm", "m"]

  /// Takes a line that says that the values are positions.
  private mutating func notePositions(_ text: [UInt8], _ number: Int) {
    let first = text.first { $0 > 0x20 && $0 != UInt8(ascii: "\"") }.map { $0 | 0x20 }
    guard Self.holds(text, "m") || first == UInt8(ascii: "t") else { return }
    let words = text.split { ",;\t".utf8.contains($0) || $0 == UInt8(ascii: "|") }
    let isUnits = words.count { word in Self.lengthUnits.contains { Self.unquoted(word).elementsEqual($0.utf8) } } >= 3
    if isUnits { lengths = (text, number) }
    for word in words.prefix(Self.wordsOfTitle) {
      let name = String(decoding: Self.unquoted(word), as: UTF8.self).lowercased()
      if Self.titlesOfPositions.contains(name) { positions = (name, number) }
    }
  }

  private static let wordsOfTitle = 32

  private static func unquoted(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isMargin = { (byte: UInt8) in byte <= 0x20 || byte == UInt8(ascii: "\"") }
    guard let last = word.lastIndex(where: { !isMargin($0) }) else { return [] }
    return word[...last].drop(while: isMargin)
  }

  /// What says that three columns are positions, and its line.
  func positions(_ layout: ColumnLayout, _ columns: RowColumns) -> (what: String, line: Int)? {
    let axes = [layout.x, layout.y, layout.z]
    if let names = columns.names {
      let units = axes.compactMap { $0 < names.count ? ColumnName.unitOfLength(names[$0]) : nil }
      if units.count == 3 { return ("the unit \(units[0])", columns.headerLine) }
    }
    if let lengths {
      for dialect in CSVDialect.candidates {
        let units = Self.names(lengths.text, dialect)
        let found = axes.compactMap { $0 < units.count && Self.lengthUnits.contains(units[$0]) ? units[$0] : nil }
        if found.count == 3 { return ("the unit \(found[0])", lengths.line) }
      }
    }
    return positions.map { ("'\($0.word)'", $0.line) }
  }

  /// The names of a line; those of two lines where the line above names groups of columns:
  ///
  ///     ,Gyroscope,,,Accelerometer,,
  ///     Time,X,Y,Z,X,Y,Z
  private func named(_ text: [UInt8], _ dialect: CSVDialect, number: Int, isComment: Bool) -> [String] {
    let names = Self.names(text, dialect)
    guard !isComment, names.count > 3, let above, above.line == number - 1,
      Set(names.filter { !$0.isEmpty }).count < names.count(where: { !$0.isEmpty })
    else { return names }
    let groups = Self.names(above.text, dialect)
    guard groups.count == names.count, Set(groups).count < groups.count,
      groups.contains(where: { $0.contains(where: \.isLetter) })
    else { return names }
    var group = ""
    return zip(groups, names).map { title, name in
      if !title.isEmpty { group = title }
      return title.isEmpty && group.isEmpty ? name : name.isEmpty ? title : "\(group) \(name)"
    }
  }

  /// Takes the metadata of our writer: `start: 2026-05-06T10:11:12+02:00` and `unit: g` in comments, the same in quotes
  /// in JSON metadata.
  mutating func noteMetadata(_ text: [UInt8]) {
    if let field = Self.value(of: "start", in: text), let moment = DateTimeText.parseMoment(text.span, field) {
      start = moment
    }
    if let field = Self.value(of: "unit", in: text), text[field].elementsEqual("g".utf8) { unit = .g }
  }

  /// The seconds in `Epoch Period (hh:mm:ss) 00:01:00`.
  private static func epochSeconds(_ text: [UInt8]) -> Int? {
    guard holds(text, "epoch") else { return nil }
    let words = String(decoding: text, as: UTF8.self).lowercased().split { " \t,;:\"()".contains($0) }
    guard words.starts(with: ["epoch", "period"]) else { return nil }
    let numbers = words.suffix(3).compactMap { Int($0) }
    guard numbers.count == 3, numbers.allSatisfy({ (0..<100).contains($0) }) else { return nil }
    return (numbers[0] * 60 + numbers[1]) * 60 + numbers[2]
  }

  private static func statesDayFirst(_ text: [UInt8]) -> Bool {
    let lower = text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    return ["d/m/y", "dd/mm/y", "d/mm/y", "dd/m/y"].contains { lower.firstRange(of: Array($0.utf8)) != nil }
  }

  /// Takes the time of the first sample, in Unix seconds, and the sampling frequency.
  mutating func noteTriple(start seconds: Double, rate: Double) {
    start = DateTimeText.Moment(wallNanoseconds: Int64((seconds * 1e9).rounded()), offset: 0)
    if let frequency = SamplingFrequency(hertz: rate) { statedRate = (frequency, 2) }
  }

  /// The range of a key's value: after the key, a colon and quotes, up to a blank or a quote.
  private static func value(of key: StaticString, in text: [UInt8]) -> Range<Int>? {
    guard let word = text.firstRange(of: Array("\(key)".utf8)) else { return nil }
    let quote = UInt8(ascii: "\"")
    var i = word.upperBound
    if i < text.count, text[i] == quote { i += 1 }
    guard i < text.count, text[i] == UInt8(ascii: ":") else { return nil }
    i += 1
    while i < text.count, text[i] == 0x20 || text[i] == quote { i += 1 }
    let end: Int = text[i...].firstIndex { $0 <= 0x20 || $0 == quote } ?? text.count
    return i..<end
  }

  /// The header that belongs to rows of this width.
  func header(dialect: CSVDialect, row: [[UInt8]]) -> Header? {
    for header in strong.reversed() { if let fitting = Self.fit(header, to: row) { return fitting } }
    if let named { return named }
    guard let nearest else { return nil }
    let names = Self.names(nearest.text, dialect)
    let looksLikeNames = names.filter { name in name.contains(where: \.isLetter) }.count * 2 >= names.count
    guard looksLikeNames else { return nil }
    return Self.fit(Header(names: names, line: nearest.line, isComment: false), to: row)
  }

  /// The header adapted to the number of columns in a row, if possible.
  private static func fit(_ header: Header, to row: [[UInt8]]) -> Header? {
    var fitting = header
    switch header.names.count - row.count {
    case 0: return header
    case 1 where header.names.last?.isEmpty == true:
      fitting.names.removeLast()
      return fitting
    // A delimiter ends each row.
    case -1 where row.last?.isEmpty == true: return header
    case -1:
      // One name for a date and a time of day; or, in R's tables, no name for the row names.
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

  private static func isDate(_ field: [UInt8]) -> Bool { DateTimeText.parseDate(field.span, field.indices) != nil }

  static func names(_ text: [UInt8], _ dialect: CSVDialect) -> [String] {
    var names = dialect.cells(of: text)
    // A label is not one of them: `;Headers, time,Ax,Ay,Az`, `ChannelTitle=`.
    if let first = names.first, first.hasSuffix("=") || labels.contains(first.lowercased().filter(\.isLetter)) {
      names.removeFirst()
    }
    return names
  }

  /// Whether a text contains all these letters, in either case.
  private static func holds(_ text: [UInt8], _ letters: StaticString) -> Bool {
    letters.description.utf8.allSatisfy { letter in text.contains { $0 | 0x20 == letter } }
  }

  /// The sampling frequency of a recording without timestamps.
  func rate(_ options: RecordingOptions) -> SamplingFrequency? {
    options.samplingFrequency ?? options.measuredFrequency ?? statedRate?.frequency
  }

  /// The sampling frequency that each row states.
  mutating func note(rate frequency: SamplingFrequency, line: Int) { statedRate = (frequency, line) }
}
