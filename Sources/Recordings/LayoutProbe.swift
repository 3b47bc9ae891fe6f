import Accelerometry

/// Finds out what a recording is by its first second: dialect, names, columns, timestamps; and by as much as it can see
/// its unit, where nothing states that.
///
/// It looks at lines one after the other and stops at the same one however the bytes come in, and it leaves all rows
/// from the first good one on in the buffer, for the reader proper. The unit of a regular file is judged by all of it,
/// or by pieces spread over it (``UnitSurvey``); that of a pipe by its first second or, when that leaves a doubt, its
/// first five.
struct LayoutProbe {
  /// What was found out.
  struct Finding {
    var decoder: RowDecoder
    var decimalMark: UInt8
    var isWholeSeconds: Bool
    var period: Int64
    /// What later samples may say otherwise about the unit.
    var question: UnitWatch.Question?
  }

  /// A recording of more columns is looked at up to here.
  static let mostColumns = 512
  /// A second of samples of the fastest sensor; then it has to be clear.
  private static let mostRows = 1000
  /// Five seconds of most sensors: so many where the unit is in doubt.
  private static let mostRowsInDoubt = 2500
  /// So much text of rows is enough in any case.
  private static let mostBytes = 98_304

  let path: String
  let options: RecordingOptions
  /// What is known so far.
  var summary = RecordingSummary()
  private var headers = HeaderCandidates()
  private var most = (numbers: 0, line: 1)
  private var metadataLine: Int?
  private var hasCheckedStart = false
  private var columns: RowColumns?
  private var probe: RowProbe?
  /// Bytes above the first row, those of them that are in no text, and the first of these.
  private var preamble = (bytes: 0, controls: 0, first: (byte: 0, value: UInt8(0)))
  /// What stands in the first line of an Empatica E4: the moment of the first sample, three times.
  private var tripleStart: Double?

  init(path: String, options: RecordingOptions) {
    self.path = path
    self.options = options
    summary.format = options.format
  }

  /// Looks at what is there.
  /// - Returns: nothing as long as more is needed.
  mutating func examine(_ buffer: inout LineBuffer, of source: ByteSource) throws(RecordingError) -> Finding? {
    let dropped = buffer.takeDroppedLines()
    for _ in 0..<dropped.count { summary.skip(.lineTooLong, line: dropped.first) }
    if !hasCheckedStart {
      guard buffer.available > 0 || dropped.count > 0 || buffer.isEnded else { return nil }
      try FileStart(path: path, head: buffer.head).check(wasDropped: dropped.count > 0)
      if buffer.head.starts(with: FileStart.byteOrderMark), buffer.consumedBytes == 0 { buffer.consumeBytes(3) }
      hasCheckedStart = true
    }
    if columns == nil { try findFirstRow(&buffer) }
    if columns != nil, let finding = try examineRows(&buffer, source) { return finding }
    if buffer.isEnded { throw nothingFound(buffer) }
    return nil
  }

  /// Why a recording that has ended holds no sample.
  private func nothingFound(_ buffer: borrowing LineBuffer) -> RecordingError {
    if buffer.head.isEmpty { return .empty(path: path) }
    if preamble.controls > 0, isBinary { return notText }
    if let worst = summary.commonestReason, headers.named != nil || most.numbers == 0 || columns != nil {
      return .noGoodRow(path: path, reason: worst.reason, line: worst.firstLine)
    }
    if let metadataLine, most.numbers == 0 { return .headerOnly(path: path, line: metadataLine) }
    if let header = headers.named { return .headerOnly(path: path, line: header.line) }
    let line = most.numbers > 0 ? most.line : max(1, buffer.line - 1)
    return .tooFewColumns(path: path, line: line, found: most.numbers)
  }
}

extension LayoutProbe {
  /// Consumes lines up to the first that holds three numbers.
  private mutating func findFirstRow(_ buffer: inout LineBuffer) throws(RecordingError) {
    while columns == nil, let line = buffer.line(at: buffer.start) {
      // A row is known by the rows behind it.
      if !buffer.isEnded, !buffer.isFull, !Self.holdsLines(Self.rowsThatAgree, behind: line.next, buffer) {
        guard Self.isHeaderlike(buffer.bytes.span, line.content) else { return }
      }
      try look(at: line.content, next: line.next, buffer)
      if columns == nil { buffer.consume(upTo: line.next, lines: 1) }
    }
  }

  /// So many lines behind a row are looked at.
  private static let rowsThatAgree = 8

  private static func holdsLines(_ count: Int, behind place: Int, _ buffer: borrowing LineBuffer) -> Bool {
    var place = place
    for _ in 0..<count {
      guard let line = buffer.line(at: place) else { return false }
      place = line.next
    }
    return true
  }

  /// Whether a line holds fewer than three digits: no row, whatever follows.
  private static func isHeaderlike(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    var digits = 0
    for i in line where bytes[i] &- 0x30 <= 9 { digits += 1 }
    return digits < 3
  }

  private mutating func look(at line: Range<Int>, next: Int, _ buffer: borrowing LineBuffer) throws(RecordingError) {
    let bytes = buffer.bytes.span
    if next - 1 - line.lowerBound > LineBuffer.longestLine { return summary.skip(.lineTooLong, line: buffer.line) }
    if CSVDialect.isBlankLine(bytes, line) { return }
    if let comment = CSVDialect.commentText(bytes, line) {
      return headers.note(bytes, comment, number: buffer.line, isComment: true)
    }
    if summary.format == .auto {
      let first = line.first { bytes[$0] > 0x20 }.map { bytes[$0] }
      summary.format = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .jsonl : .csv
      // `[m/s^2]` or a time in brackets begins a line of a log.
      var json = JSONFields()
      if first == UInt8(ascii: "["), !json.read(bytes, line), !RowDecoder.isBracket(bytes, line) {
        summary.format = .csv
      }
    }
    let kinds = FileStart.kinds(bytes, line)
    if kinds.nuls > 0, kinds.others == 0, kinds.controls == 0 { return summary.skip(.nulByte, line: buffer.line) }
    try noteControls(kinds, bytes, line, offset: buffer.consumedBytes - buffer.start)
    if summary.format == .jsonl {
      lookAtJSON(bytes, line, buffer.line)
    } else {
      lookAtCSV(bytes, line, next: next, buffer)
    }
  }

  /// A few bytes of no text are a cable that was plugged in, or a boot loader; many are a file of another kind.
  private mutating func noteControls(
    _ kinds: (nuls: Int, controls: Int, others: Int), _ bytes: Span<UInt8>, _ line: Range<Int>, offset: Int
  ) throws(RecordingError) {
    preamble.bytes += line.count
    if kinds.controls > 0, preamble.controls == 0,
      let place = line.first(where: { FileStart.isControl(bytes[$0]) })
    {
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

  /// Empatica E4's first two lines: when the first sample was taken, and how many come in a second, three times each.
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

  /// Whether the lines behind a row are rows of the same kind; where they are rows of another one, it is none.
  private static func agrees(
    _ buffer: borrowing LineBuffer, behind next: Int, _ dialect: CSVDialect, columns: Int
  ) -> Bool {
    var place = next
    var (same, other, lines) = (0, 0, 0)
    while lines < rowsThatAgree, let line = buffer.line(at: place) {
      place = line.next
      lines += 1
      let bytes = buffer.bytes.span
      for candidate in [dialect] + CSVDialect.candidates.filter({ $0 != dialect }) {
        var fields = RowFields(kind: .csv(candidate))
        _ = fields.read(bytes, line.content, limit: mostColumns)
        let numbers = fields.ranges.count { RowColumns.isValue(bytes, $0, decimalComma: candidate.decimalComma) }
        guard numbers >= 3 else { continue }
        if candidate == dialect, abs(fields.ranges.count - columns) <= 1 { same += 1 } else { other += 1 }
        break
      }
    }
    // Numbers above other lines only are a banner's; at the end of a text they are its only row.
    return same > 0 || (other == 0 && lines < rowsThatAgree)
  }

  private mutating func lookAtCSV(
    _ bytes: Span<UInt8>, _ line: Range<Int>, next: Int, _ buffer: borrowing LineBuffer
  ) {
    let number = buffer.line
    var best: (dialect: CSVDialect, numbers: Int)?
    for dialect in CSVDialect.candidates {
      var fields = RowFields(kind: .csv(dialect))
      _ = fields.read(bytes, line, limit: Self.mostColumns)
      let numbers = fields.ranges.count { RowColumns.isValue(bytes, $0, decimalComma: dialect.decimalComma) }
      if numbers > best?.numbers ?? 0 { best = (dialect, numbers) }
    }
    note(numbers: best?.numbers ?? 0, line: number)
    guard let best, best.numbers >= 3 else {
      if headers.named != nil { summary.skip(best == nil ? .notNumbers : .missingValues, line: number) }
      return headers.note(bytes, line, number: number, isComment: false)
    }
    var fields = RowFields(kind: .csv(best.dialect))
    _ = fields.read(bytes, line, limit: Self.mostColumns)
    if takesTriple(bytes, fields) { return }
    guard Self.agrees(buffer, behind: next, best.dialect, columns: fields.ranges.count) else { return }
    let row = fields.ranges.map { range in range.map { bytes[$0] } }
    let header = headers.header(dialect: best.dialect, row: row)
    columns = RowColumns(kind: .csv(best.dialect), names: header?.names, headerLine: header?.line ?? number)
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
    let numbers = json.values.count { RowColumns.isValue(bytes, $0.text, decimalComma: false) }
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
}

extension LayoutProbe {
  /// Looks at the rows from the first one on.
  private mutating func examineRows(
    _ buffer: inout LineBuffer, _ source: ByteSource
  ) throws(RecordingError) -> Finding? {
    guard let columns else { return nil }
    if probe == nil {
      guard var layout = try columns.layout(buffer, path: path, options: options) else { return nil }
      layout.isDayFirst = headers.isDayFirst
      if layout.time == nil, statedRate == nil {
        throw .noTimestamps(path: path, line: buffer.line)
      }
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
    return try conclude(probe, columns, buffer, source)
  }

  /// The sampling frequency of a recording without timestamps.
  private var statedRate: SamplingFrequency? {
    options.samplingFrequency ?? options.measuredFrequency ?? headers.statedRate?.frequency
  }

  /// Puts everything together.
  private mutating func conclude(
    _ rows: RowProbe, _ columns: RowColumns, _ buffer: borrowing LineBuffer, _ source: ByteSource
  ) throws(RecordingError) -> Finding {
    var probe = rows
    var countsRows = false
    if probe.timeGuess.isCounter {
      guard options.samplingFrequency ?? options.measuredFrequency != nil else {
        throw .ambiguousTimes(path: path, line: buffer.line)
      }
      probe.leaveOutTimes()
      countsRows = true
    }
    let layout = probe.layout
    let time = probe.timeGuess
    summary.columns = columns.described(layout)
    summary.timestampFormat = time.format
    summary.timestampsAreAbsolute = time.isAbsolute
    noteClock(probe.firstMoment)
    summary.doubts = layout.doubts + (try doubts(about: time, layout, rows: probe.rows, line: buffer.line))
    if probe.isAmbiguousDate, !headers.isDayFirst {
      summary.doubts.append("dates were read as month/day/year; the recording does not state the order")
    }
    if countsRows {
      summary.doubts.append(
        "the times rise by 1 and were read as row numbers; "
          + (options.samplingFrequency == nil
            ? "using the times of arrival" : "using the given sampling frequency"))
    }
    let period = layout.time == nil ? statedRate?.periodInNanoseconds ?? 0 : Double(time.period)
    var finding = Finding(
      decoder: RowDecoder(
        fields: RowFields(kind: columns.kind), layout: layout, timestampFormat: time.format, unitInG: 1,
        madeUpPeriod: period),
      decimalMark: probe.decimalMark, isWholeSeconds: time.isWholeSeconds,
      period: Int64(exactly: period.rounded()) ?? SampleAssembler.longestStep)
    let seen = probe.evidence(time, rate: statedRate?.hertz)
    if let unit = options.unit ?? layout.unit ?? headers.unit {
      if let doubt = UnitGuess.doubt(about: unit, seen, isLinear: layout.isLinear) { summary.doubts.append(doubt) }
      summary.unit = unit
      summary.gravityRemoved = layout.isLinear || UnitGuess.lacksGravity(seen, unit: unit)
    } else {
      let survey = UnitSurvey(source: source, finding: finding, firstRow: (buffer.consumedBytes, buffer.line))
      let evidence = survey.evidence() ?? seen
      let guess = UnitGuess(evidence, isLinear: layout.isLinear)
      if guess.isAbsurd {
        throw .unknownUnit(path: path, size: guess.gravityRemoved ? evidence.motion : evidence.gravity)
      }
      if let doubt = guess.doubt { summary.doubts.append(doubt) }
      summary.unit = guess.unit
      summary.gravityRemoved = guess.gravityRemoved
      finding.question = guess.question
    }
    finding.decoder.change(unitInG: summary.unit?.inG ?? 1)
    return finding
  }

  /// What the recording's clock is: dates with or without a zone, or the start that our own writer states.
  private mutating func noteClock(_ first: CivilTime.Moment?) {
    if let first, summary.timestampsAreAbsolute {
      summary.utcOffset = first.offset
      summary.isWallClock = first.offset == nil
    } else if summary.timestampFormat == .serialDays {
      summary.isWallClock = true
    } else if !summary.timestampsAreAbsolute, let start = headers.start {
      summary.statedStart = start.wallNanoseconds
      summary.utcOffset = start.offset
    }
  }

  /// What is doubtful about the timestamps.
  private func doubts(
    about time: TimeGuess, _ layout: ColumnLayout, rows: Int, line: Int
  ) throws(RecordingError) -> [String] {
    guard layout.time != nil else {
      if let rate = statedRate?.hertz, !TimeGuess.plausibleRates.contains(rate) {
        throw .implausibleRate(path: path, line: line, rate: TimeGuess.text(rate: rate))
      }
      guard options.samplingFrequency == nil, options.measuredFrequency == nil, let stated = headers.statedRate
      else { return [] }
      return ["there are no timestamps; using the \(stated.frequency) stated in line \(stated.line)"]
    }
    var doubts: [String] = []
    if time.isImplausible {
      if rows >= RowProbe.rowsForSlow { throw .implausibleRate(path: path, line: line, rate: time.rate) }
      doubts.append("there are \(time.rate) samples a second, but counting needs at least 5")
    } else if let doubt = time.doubt {
      doubts.append(doubt)
    }
    if time.isWholeSeconds {
      doubts.append("the timestamps are whole seconds; samples were spread evenly over each second")
    }
    if options.samplingFrequency != nil {
      doubts.append("the given sampling frequency was ignored, because the recording has timestamps")
    }
    return doubts
  }
}
