import Accelerometry

/// Detects the layout of a recording from its first second: dialect, names, columns, timestamps and, if it is not
/// stated, the unit.
///
/// It examines complete lines, so the result does not depend on how the bytes arrive. All rows from the first valid one
/// on stay in the buffer for the parser. The unit of a regular file is detected from all of it or from pieces spread
/// over it (``UnitSurvey``); that of a pipe from its first second or, if that is ambiguous, its first five.
struct LayoutProbe {
  struct Finding {
    var decoder: RowDecoder
    var decimalMark: UInt8
    /// Gives samples that share a time their own.
    var spreader: TimeSpreader?
    var period: Int64
    /// The question about the unit that later samples may answer.
    var question: UnitWatch.Question?
    /// The doubt about the unit that the answer replaces.
    var unitDoubt: String?
    /// The reading of an axis without acceleration, in g.
    var zero: Float = 0
    /// Whether names show the columns, so that another row of names shows others.
    var followsNames = false
    var isSorted = false
    /// What all axes of a row have that is no sample, in the recording's unit.
    var failedRead: Float?
    /// The device that the rows above are of, where lines name it.
    var device: DeviceLabel?

    /// Reads the upper half of a range as numbers below zero.
    mutating func takeSigned(_ range: Float) {
      decoder.unsignedRange = range
      if let value = failedRead, value >= range / 2 { failedRead = value - range }
    }
  }

  /// The maximum number of columns that are examined.
  static let mostColumns = 512
  /// A second of samples of the fastest sensor.
  private static let mostRows = 1000
  /// Five seconds of most sensors, if the unit is ambiguous.
  private static let mostRowsInDoubt = 2500
  /// The maximum number of bytes of rows that are examined.
  private static let mostBytes = 98_304

  let path: String
  let options: RecordingOptions
  /// The device whose rows to use, where lines between the rows name it.
  var device: String?
  var summary = RecordingSummary()
  private var headers = HeaderCandidates()
  private var most = (numbers: 0, line: 1)
  private var metadataLine: Int?
  private var hasCheckedStart = false
  private var columns: RowColumns?
  private var probe: RowProbe?
  /// Bytes above the first row, how many of them do not occur in text, and the first of these.
  private var preamble = (bytes: 0, controls: 0, first: (byte: 0, value: UInt8(0)))
  /// The first line of an Empatica E4: the time of the first sample, three times.
  private var tripleStart: Double?

  init(path: String, options: RecordingOptions) {
    (self.path, self.options) = (path, options)
    summary.format = options.format
  }

  /// Examines the buffer.
  /// - Returns: `nil` if more bytes are needed.
  mutating func examine(_ buffer: inout LineBuffer, of source: ByteSource) throws(RecordingError) -> Finding? {
    let dropped = buffer.takeDroppedLines()
    for _ in 0..<dropped.count { summary.skip(.lineTooLong, line: dropped.first) }
    if !hasCheckedStart {
      guard buffer.available > 0 || dropped.count > 0 || buffer.isEnded else { return nil }
      try FileStart(path: path, head: buffer.head).check(wasDropped: dropped.count > 0)
      if buffer.head.starts(with: FileStart.byteOrderMark), buffer.consumedBytes == 0 { buffer.consumeBytes(3) }
      hasCheckedStart = true
    }
    if source.isRewritten { summary.axes = "" }
    if columns == nil { try findFirstRow(&buffer) }
    if columns != nil {
      do throws(RecordingError) {
        if let finding = try examineRows(&buffer, source) { return finding }
      } catch {
        // The scripts of a page may have rows of numbers. Some loggers write a page with the recording in it.
        guard let kind = FileStart.document(buffer.head), kind == FileStart.webPage else { throw error }
        throw .notText(path: path, byte: 0, value: buffer.head.first ?? 0, looksLike: kind)
      }
    }
    if buffer.isEnded { throw nothingFound(buffer, of: source) }
    return nil
  }

  /// The error for a recording that ended without a sample.
  private func nothingFound(_ buffer: borrowing LineBuffer, of source: ByteSource) -> RecordingError {
    // An adapter may have found no samples in a text that is not empty.
    if buffer.head.isEmpty { return source.isAdapted ? .noSample(path: path) : .empty(path: path) }
    if let device, columns == nil { return .unknownDevice(path: path, name: device, names: headers.devices) }
    if preamble.controls > 0, isBinary { return notText }
    if let kind = FileStart.document(buffer.head) {
      return .notText(path: path, byte: 0, value: buffer.head.first ?? 0, looksLike: kind)
    }
    if let worst = summary.commonestReason, headers.named != nil || most.numbers == 0 || columns != nil {
      return .noGoodRow(path: path, reason: worst.reason, line: worst.firstLine)
    }
    if let metadataLine, most.numbers == 0 { return .headerOnly(path: path, line: metadataLine) }
    if let header = headers.named { return .headerOnly(path: path, line: header.line) }
    let line = most.numbers > 0 ? most.line : max(1, buffer.line - 1)
    return .tooFewColumns(path: path, line: line, found: most.numbers)
  }

  /// Consumes lines up to the first with three numbers.
  private mutating func findFirstRow(_ buffer: inout LineBuffer) throws(RecordingError) {
    while columns == nil, let line = buffer.line(at: buffer.start) {
      if let device, headers.device.map({ !$0.isOf(device) }) ?? true,
        RowStructure(buffer.bytes.span, line.content).values >= 3
      {
        buffer.consume(upTo: line.next, lines: 1)
        continue
      }
      // A row is confirmed by the rows after it.
      if !buffer.isEnded, !buffer.isFull, !Self.isHeaderlike(buffer.bytes.span, line.content) {
        guard RowStructure.holdsLines(RowStructure.rowsThatAgree, behind: line.next, buffer) else { return }
        let row = buffer.withPlainText(line.content) { RowStructure($0, $1) }
        if row.values >= 3, row.isConfirmed(behind: line.next, buffer) == nil { return }
      }
      try look(at: line.content, next: line.next, buffer)
      if columns == nil { buffer.consume(upTo: line.next, lines: 1) }
    }
  }

  /// Whether a line has fewer than three digits, so that it cannot be a row.
  private static func isHeaderlike(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    line.count { bytes[$0] &- 0x30 <= 9 } < 3
  }

  private mutating func look(at line: Range<Int>, next: Int, _ buffer: borrowing LineBuffer) throws(RecordingError) {
    if next - 1 - line.lowerBound > LineBuffer.longestLine { return summary.skip(.lineTooLong, line: buffer.line) }
    if let plain = buffer.plainText(line) { return try look(plain.span, plain.indices, next: next, buffer) }
    try look(buffer.bytes.span, line, next: next, buffer)
  }

  private mutating func look(
    _ bytes: Span<UInt8>, _ line: Range<Int>, next: Int, _ buffer: borrowing LineBuffer
  ) throws(RecordingError) {
    if CSVDialect.isBlankLine(bytes, line) { return }
    if let comment = CSVDialect.commentText(bytes, line) {
      return headers.note(bytes, comment, number: buffer.line, isComment: true)
    }
    if summary.format == .auto {
      let first = line.first { bytes[$0] > 0x20 }.map { bytes[$0] }
      summary.format = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .jsonl : .csv
      // A line of a log may begin with `[m/s^2]` or a time in brackets.
      var json = JSONFields()
      if first == UInt8(ascii: "["), !RowDecoder.isBracket(bytes, line),
        !json.read(bytes, line) || Self.isTitle(bytes, line)
      {
        summary.format = .csv
      }
    }
    let kinds = FileStart.kinds(bytes, line)
    if kinds.nuls > 0, kinds.others == 0, kinds.controls == 0 { return summary.skip(.nulByte, line: buffer.line) }
    try noteControls(kinds, bytes, line, offset: buffer.consumedBytes - buffer.start)
    if summary.format == .jsonl {
      lookAtJSON(bytes, line, buffer.line)
    } else {
      try lookAtCSV(bytes, line, next: next, buffer)
    }
  }

  /// Whether a line is the title of a section, such as `[Info]`.
  private static func isTitle(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    guard let open = line.first(where: { bytes[$0] > 0x20 }), open + 1 < line.upperBound else { return false }
    return bytes[open + 1] | 0x20 &- 0x61 < 26 && !line.contains { ",\":{".utf8.contains(bytes[$0]) }
  }

  /// Counts bytes that are not text. A few come from plugging in a cable or from a boot loader; many mean that the file
  /// is not text.
  private mutating func noteControls(
    _ kinds: (nuls: Int, controls: Int, others: Int), _ bytes: Span<UInt8>, _ line: Range<Int>, offset: Int
  ) throws(RecordingError) {
    preamble.bytes += line.count
    if kinds.controls > 0, preamble.controls == 0, let place = line.first(where: { FileStart.isControl(bytes[$0]) }) {
      preamble.first = (offset + place, bytes[place])
    }
    preamble.controls += kinds.controls
    if preamble.bytes >= Self.leastBytesOfBinary, isBinary { throw notText }
  }

  private static let leastBytesOfBinary = 512

  private var isBinary: Bool { preamble.controls * 20 > preamble.bytes }

  private var notText: RecordingError {
    .notText(path: path, byte: preamble.first.byte, value: preamble.first.value, looksLike: nil)
  }

  /// The first two lines of an Empatica E4: the time of the first sample and the sampling frequency, three times each.
  private mutating func takesTriple(_ bytes: Span<UInt8>, _ fields: RowFields) -> Bool {
    guard fields.ranges.count == 3 else { return false }
    var values: [Double] = []
    for column in 0..<3 { if case .number(let number) = fields.field(column, bytes) { values.append(number.value) } }
    guard values.count == 3, values[0] == values[1], values[1] == values[2] else { return false }
    if let tripleStart, (1...1000).contains(values[0]) {
      headers.noteTriple(start: tripleStart, rate: values[0])
      self.tripleStart = nil
      return true
    }
    guard TimeGuess.isUnixTime(values[0]) else { return false }
    tripleStart = values[0]
    return true
  }

  private static func isMostlyLetters(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    line.count { bytes[$0] | 0x20 &- 0x61 < 26 } * 2 > line.count
  }

  private mutating func lookAtCSV(
    _ bytes: Span<UInt8>, _ line: Range<Int>, next: Int, _ buffer: borrowing LineBuffer
  ) throws(RecordingError) {
    let number = buffer.line
    let structure = RowStructure(bytes, line)
    note(numbers: structure.values, line: number)
    guard structure.values >= 3 else {
      if headers.named != nil, device == nil {
        summary.skip(structure.values == 0 ? .notNumbers : .missingValues, line: number)
      }
      return headers.note(bytes, line, number: number, isComment: false)
    }
    var fields = RowFields(kind: .csv(structure.dialect))
    _ = fields.read(bytes, line, limit: Self.mostColumns)
    if takesTriple(bytes, fields) { return }
    let row = fields.ranges.map { range in range.map { bytes[$0] } }
    guard structure.isConfirmed(behind: next, buffer) ?? true || isWhole(row, structure, behind: next, buffer) else {
      // Names may contain numbers: `Accel Channel 0, Accel Channel 1, …`; a line above a table may state the rate.
      if Self.isMostlyLetters(bytes, line) || structure.beginsWithText {
        headers.note(bytes, line, number: number, isComment: false)
      } else if structure.agreement(behind: next, of: 0..<RowStructure.rowsThatAgree, buffer).isOfWiderRows {
        summary.skip(.missingValues, line: number)
      }
      return
    }
    if structure.dialect.delimiter != UInt8(ascii: "|") || line.contains(where: { bytes[$0] == UInt8(ascii: "\"") }),
      let packing = PackedRow(bytes, line)
        ?? buffer.line(at: next).flatMap({ PackedRow(buffer.bytes.span, $0.content) })
    {
      throw .packedRows(path: path, line: number, packing)
    }
    let header = headers.header(dialect: structure.dialect, row: row)
    columns = RowColumns(kind: .csv(structure.dialect), names: header?.names, headerLine: header?.line ?? number)
  }

  /// Whether a row that is narrower than those after it has all named columns.
  private func isWhole(
    _ row: [[UInt8]], _ structure: RowStructure, behind next: Int, _ buffer: borrowing LineBuffer
  ) -> Bool {
    let header = headers.header(dialect: structure.dialect, row: row)
    return header?.names.count == row.count
      && structure.agreement(behind: next, of: 0..<RowStructure.rowsThatAgree, buffer).isOfWiderRows
  }

  private mutating func lookAtJSON(_ bytes: Span<UInt8>, _ line: Range<Int>, _ number: Int) {
    if RowDecoder.isNoSample(bytes, line) {
      if JSONFields.isMetadata(bytes, line) {
        metadataLine = number
        headers.noteMetadata(line.map { bytes[$0] })
      }
      return
    }
    var json = JSONFields()
    guard json.read(bytes, line) else { return summary.skip(.notNumbers, line: number) }
    let numbers = json.values.count { RowColumns.isValue(bytes, $0.text, decimalComma: true) }
    note(numbers: numbers, line: number)
    if json.values.first.map({ json.name($0) }) == "0" {
      if numbers >= 3 { columns = RowColumns(kind: .json(nil), names: nil, headerLine: number) }
      return
    }
    let names = json.values.map { json.name($0) }
    guard numbers >= 3, options.columns != nil || ColumnLayout(names: names, isRising: { _ in true }) != nil else {
      return
    }
    columns = RowColumns(kind: .json(names.map { Array($0.utf8) }), names: names, headerLine: number)
  }

  private mutating func note(numbers: Int, line: Int) {
    if numbers > most.numbers || most.numbers == 0 { most = (numbers, line) }
  }

  private mutating func examineRows(
    _ buffer: inout LineBuffer, _ source: ByteSource
  ) throws(RecordingError) -> Finding? {
    guard let columns else { return nil }
    if probe == nil {
      if let epoch = headers.epoch { throw .epochs(path: path, line: epoch.line, seconds: epoch.seconds) }
      guard var layout = try columns.layout(buffer, of: source, path: path, options: options) else { return nil }
      layout.isDayFirst = headers.isDayFirst
      layout.beginsWithCounter = columns.beginWithCounter(layout, buffer)
      if options.unit == nil, let positions = headers.positions(layout, columns) {
        throw .positions(path: path, line: positions.line, what: positions.what)
      }
      if let unit = columns.unknownTimeUnit(layout) {
        guard options.samplingFrequency != nil else {
          throw .unknownTimeUnit(path: path, line: columns.headerLine, unit: unit)
        }
        layout.time = nil
        layout.doubts.append("the unit '\(unit)' of the times is unknown; using the given sampling frequency")
      }
      if layout.time != nil, options.samplingFrequency != nil, options.columns == nil,
        columns.hasUnreadableTimes(layout, buffer)
      {
        layout.time = nil
        layout.timeSpansTwo = false
        layout.doubts.append("the times cannot be read; using the given sampling frequency")
      }
      if layout.time == nil, statedRate == nil, let frequency = columns.statedInterval(buffer) {
        headers.note(rate: frequency, line: buffer.line)
      }
      if layout.time == nil, statedRate == nil {
        throw .noTimestamps(path: path, line: buffer.line, mayHaveTime: columns.mayHaveTime(layout, buffer))
      }
      if !source.isRewritten { summary.axes = columns.axes(layout) }
      probe = RowProbe(fields: RowFields(kind: columns.kind), layout: layout)
    }
    guard var probe else { return nil }
    let needsUnit =
      options.unit == nil && probe.layout.unit == nil && headers.unit == nil && source.sizeIfRegular == nil
    probe.read(&buffer, summary: &summary) { [statedRate] in
      $0.isEnough(
        statedRate: statedRate?.hertz, needsUnit: needsUnit,
        mostRows: needsUnit ? Self.mostRowsInDoubt : Self.mostRows, mostBytes: Self.mostBytes)
    }
    self.probe = probe
    guard !probe.isEmpty, buffer.isEnded || buffer.isFull || probe.isDone else { return nil }
    var conclusion = LayoutConclusion(
      path: path, options: options, headers: headers, columns: columns, source: source,
      place: (buffer.consumedBytes, buffer.line), probe: probe, summary: summary)
    defer { summary = conclusion.summary }
    return try conclusion.conclude()
  }

  /// The sampling frequency of a recording without timestamps.
  private var statedRate: SamplingFrequency? { headers.rate(options) }
}
