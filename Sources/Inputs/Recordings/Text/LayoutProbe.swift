import Accelerometry

/// Detects the layout of a recording from its first second: dialect, names, columns, timestamps and, if it is not
/// stated, the unit.
///
/// It examines complete lines, so the result does not depend on how the bytes arrive. All rows from the first valid one
/// on stay in the buffer for the parser. The unit of a regular file is detected from all of it or from pieces spread
/// over it (``UnitSurvey``); that of a pipe from its first second or, if that is ambiguous, its first five.
struct LayoutProbe {
  /// The detected layout.
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
    /// Whether the rows are sorted by their times.
    var isSorted = false
    /// What all axes of a row have that is no sample, in the recording's unit.
    var failedRead: Float?
    /// The device that the rows above are of, where lines name it.
    var device: DeviceLabel?
    /// The column of a barometer, if there is one.
    var pressure: PressureColumn?

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
  /// The findings so far.
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
    self.path = path
    self.options = options
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
}

extension LayoutProbe {
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
        guard Self.holdsLines(Self.rowsThatAgree, behind: line.next, buffer) else { return }
        let row =
          buffer.plainText(line.content).map { RowStructure($0.span, $0.indices) }
          ?? RowStructure(buffer.bytes.span, line.content)
        if row.values >= 3, Self.isConfirmed(row, behind: line.next, buffer) == nil { return }
      }
      try look(at: line.content, next: line.next, buffer)
      if columns == nil { buffer.consume(upTo: line.next, lines: 1) }
    }
  }

  /// The number of lines after a row that are examined.
  private static let rowsThatAgree = 8
  /// The same if some of these are not like it.
  private static let linesInDoubt = 64

  private static func holdsLines(_ count: Int, behind place: Int, _ buffer: borrowing LineBuffer) -> Bool {
    var place = place
    for _ in 0..<count {
      guard let line = buffer.line(at: place) else { return false }
      place = line.next
    }
    return true
  }

  /// Whether a line has fewer than three digits, so that it cannot be a row.
  private static func isHeaderlike(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    var digits = 0
    for i in line where bytes[i] &- 0x30 <= 9 { digits += 1 }
    return digits < 3
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

  /// What the lines after a row show.
  private struct Agreement {
    /// Rows of the same structure, those of them that are wider, rows of another one, and all lines.
    var (same, wider, other, lines) = (0, 0, 0, 0)

    /// Whether the row is a part of one: all lines after it have more columns.
    var isOfWiderRows: Bool { wider == rowsThatAgree }

    mutating func add(_ likeness: RowStructure.Likeness?) {
      lines += 1
      switch likeness {
      case .same?: same += 1
      case .wider?: (same, wider) = (same + 1, wider + 1)
      case .other?: other += 1
      case nil: break
      }
    }
  }

  /// Whether the lines after a row confirm it; `nil` if more are needed.
  private static func isConfirmed(_ row: RowStructure, behind next: Int, _ buffer: borrowing LineBuffer) -> Bool? {
    let isAll = buffer.isEnded || buffer.isFull
    guard isAll || holdsLines(rowsThatAgree, behind: next, buffer) else { return nil }
    let near = agreement(row, behind: next, of: 0..<rowsThatAgree, buffer)
    // Numbers followed only by other lines belong to a banner; at the end of a text they are its only row.
    if near.same == 0 { return near.other == 0 && near.lines < rowsThatAgree }
    // A logger that is plugged in writes the end of a row first.
    if near.isOfWiderRows { return false }
    if near.same == near.lines { return true }
    guard isAll || holdsLines(linesInDoubt, behind: next, buffer) else { return nil }
    // Rows of another structure follow to the end, as below a header of numbers.
    let far = agreement(row, behind: next, of: linesInDoubt / 2..<linesInDoubt, buffer)
    return far.same > 0 || far.other * 2 <= far.lines
  }

  private static func agreement(
    _ row: RowStructure, behind next: Int, of lines: Range<Int>, _ buffer: borrowing LineBuffer
  ) -> Agreement {
    var (place, number) = (next, 0)
    var found = Agreement()
    while number < lines.upperBound, let line = buffer.line(at: place) {
      place = line.next
      number += 1
      guard number > lines.lowerBound else { continue }
      found.add(
        buffer.plainText(line.content).map { row.likeness($0.span, $0.indices) }
          ?? row.likeness(buffer.bytes.span, line.content))
    }
    return found
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
    guard Self.isConfirmed(structure, behind: next, buffer) ?? true || isWhole(row, structure, behind: next, buffer)
    else {
      // Names may contain numbers: `Accel Channel 0, Accel Channel 1, …`; a line above a table may state the rate.
      if Self.isMostlyLetters(bytes, line) || structure.beginsWithText {
        headers.note(bytes, line, number: number, isComment: false)
      } else if Self.agreement(structure, behind: next, of: 0..<Self.rowsThatAgree, buffer).isOfWiderRows {
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
      && Self.agreement(structure, behind: next, of: 0..<Self.rowsThatAgree, buffer).isOfWiderRows
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
  /// Examines the rows from the first one on.
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
        layout.doubts.append(
          "the unit '\(unit)' of the times is unknown; using the given sampling frequency")
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
        throw .noTimestamps(path: path, line: buffer.line)
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
    return try conclude(probe, columns, buffer, source)
  }

  /// The sampling frequency of a recording without timestamps.
  private var statedRate: SamplingFrequency? {
    options.samplingFrequency ?? options.measuredFrequency ?? headers.statedRate?.frequency
  }

  /// Combines the findings.
  private mutating func conclude(
    _ rows: RowProbe, _ columns: RowColumns, _ buffer: borrowing LineBuffer, _ source: ByteSource
  ) throws(RecordingError) -> Finding {
    var probe = rows
    var countsRows = false
    if probe.timeGuess.isCounter {
      guard statedRate != nil else {
        throw .ambiguousTimes(path: path, line: buffer.line)
      }
      probe.leaveOutTimes()
      countsRows = true
    }
    let contradiction = contradiction(probe)
    if let sentence = contradiction {
      probe.leaveOutTimes()
      summary.doubts.append(sentence)
    }
    let place = (buffer.consumedBytes, buffer.line)
    // All of a file is looked at below.
    let failedRead = source.canBeReadAgain ? nil : probe.failedRead
    if let failedRead { probe.leaveOut(failedRead) }
    let unsignedRange = source.canBeReadAgain ? nil : probe.unsignedRange
    if let unsignedRange {
      probe.takeSigned(unsignedRange)
      summary.doubts.append(UnsignedNumbers.remark(range: unsignedRange))
    }
    var finding = self.finding(probe, columns)
    finding.failedRead = failedRead
    if probe.isShuffled, let times = UnitSurvey(source: source, finding: finding, firstRow: place).evenTimes() {
      probe.replaceTimes(times)
      finding = self.finding(probe, columns)
      finding.isSorted = true
      summary.doubts.append(Self.sorted)
    }
    var time = probe.timeGuess
    if time.isImplausible, options.samplingFrequency != nil {
      let rate = time.rate
      probe.leaveOutTimes()
      time = probe.timeGuess
      finding = self.finding(probe, columns)
      finding.failedRead = failedRead
      summary.doubts.append("the times give \(rate) samples a second; using the given sampling frequency")
    }
    if time.isShared {
      let times = UnitSurvey(source: source, finding: finding, firstRow: place).sharedTimes()
      let areBatches = !time.isWholeSeconds && times?.coarse == nil && times?.differ ?? probe.sharedTimesDiffer
      let what = times?.coarse.map { coarse in
        coarse.resolution.map { "a resolution of \(UnitGuess.text(Double($0) / 1e9)) s" } ?? "hundreds of rows each"
      }
      if options.samplingFrequency != nil, areBatches || what != nil {
        probe.leaveOutTimes()
        time = probe.timeGuess
        finding = self.finding(probe, columns)
        finding.failedRead = failedRead
        summary.doubts.append(
          "the timestamps have \(what ?? "several rows each"); using the given sampling frequency")
      } else if let coarse = times?.coarse, let what {
        guard coarse.isEven, let resolution = coarse.resolution else {
          throw .coarseTimes(path: path, resolution: coarse.resolution)
        }
        finding.spreader = TimeSpreader(resolution: resolution)
        summary.doubts.append("the timestamps have \(what); samples were spread evenly over it")
      } else if areBatches {
        finding.spreader = TimeSpreader(period: time.period)
        summary.doubts.append("several rows share each time; they were spread evenly up to the next time")
      } else if !time.isWholeSeconds {
        time.takeCopies()
        finding.period = time.period
      }
    }
    let layout = probe.layout
    summary.columns = columns.described(layout)
    finding.pressure = columns.names.flatMap { PressureColumn(names: $0, time: layout.time) }
    summary.timestampFormat = time.format
    summary.timestampsAreAbsolute = time.isAbsolute
    noteClock(probe.firstMoment)
    summary.doubts += layout.doubts
    summary.graveDoubt = layout.graveDoubt
    for doubt in try doubts(about: time, finding, rows: probe.rows, line: buffer.line, hasTimes: contradiction != nil) {
      summary.doubt(doubt.sentence, isGrave: doubt.isGrave)
    }
    if probe.isAmbiguousDate, !headers.isDayFirst {
      summary.doubts.append("dates were read as month/day/year; the recording does not state the order")
    }
    if countsRows {
      summary.doubts.append(
        "the times rise by 1 and were read as row numbers; "
          + (options.samplingFrequency != nil
            ? "using the given sampling frequency"
            : options.measuredFrequency != nil ? "using the times of arrival" : "using the stated sampling frequency"))
    }
    if let unsignedRange { finding.takeSigned(unsignedRange) }
    let seen = probe.evidence(time, rate: statedRate?.hertz)
    let survey = self.survey(&finding, source, buffer)
    if options.unit == nil, let change = survey?.evidence.change {
      throw .changedUnit(path: path, change)
    }
    let correction =
      options.unit != nil
      ? nil
      : layout.unit.flatMap { named in
        UnitGuess.correction(of: named, survey?.evidence ?? seen, isLinear: layout.isLinear).map { (named, $0) }
      }
    if let (named, unit) = correction {
      summary.doubts.append(
        "the column names state \(named.name), but gravity shows that the values are in \(unit.name), which was used;"
          + " state the unit with \(option: .unit)")
      summary.unit = unit
    } else if let unit = options.unit ?? layout.unit ?? headers.unit {
      let zero = options.unit == nil ? 0 : options.zero ?? 0
      if let doubt = UnitGuess.doubt(about: unit, seen.shifted(by: zero), isLinear: layout.isLinear) {
        summary.doubts.append(doubt)
      }
      summary.unit = unit
      summary.zero = zero
      summary.gravityRemoved = layout.isLinear || UnitGuess.lacksGravity(seen.shifted(by: zero), unit: unit)
    } else {
      let evidence = survey?.evidence ?? seen
      let guess = UnitGuess(evidence, isLinear: layout.isLinear)
      if guess.isAbsurd {
        throw .unknownUnit(path: path, size: guess.gravityRemoved ? evidence.motion : evidence.gravity)
      }
      if guess.isSizes { throw .activityCounts(path: path) }
      if layout.time != nil, layout.timestampFormat == nil, !time.isAbsolute, time.format.isNumber,
        time.period > 0, time.period < RowProbe.closeTogether, evidence.isSparse
      {
        summary.doubt(
          "the acceleration changes as much from one sample to the next as in a second, so the samples are too sparse, or the"
            + " times are not \(time.format.name); state the unit in the name of the column, such as time_s",
          isGrave: true)
      }
      if let doubt = guess.doubt { summary.doubt(doubt, isGrave: guess.isGrave || guess.isMovementInAnotherUnit) }
      summary.unit = guess.unit
      summary.zero = guess.zero
      summary.gravityRemoved = guess.gravityRemoved
      finding.question = guess.question
      finding.unitDoubt = guess.doubt
    }
    finding.decoder.change(unitInG: summary.unit?.inG ?? 1)
    finding.zero = Float(summary.zero * (summary.unit?.inG ?? 1))
    return finding
  }

  /// Where the times and the stated sampling frequency contradict each other, and the unit of the times is not known: the
  /// sentence about it if the times are ticks of another unit, so that the stated frequency explains them.
  private mutating func contradiction(_ probe: RowProbe) -> String? {
    let time = probe.timeGuess
    guard let stated = headers.statedRate, probe.layout.time != nil, probe.layout.timestampFormat == nil,
      time.format.isPowerOfTen, !time.isAbsolute, !time.isShared, time.period > 0
    else { return nil }
    let factor = stated.frequency.hertz * Double(time.period) / 1e9
    guard !(0.5...2).contains(factor) else { return nil }
    // Decimal fractions of a second are no ticks, and of two frequencies at which people walk none is more likely.
    let isSlow = time.format != .seconds && 1e9 / Double(time.period) < Self.slowTicks
    guard isSlow, [10, 100, 1000].contains(where: { abs(factor / $0 - 1) < 0.05 }) else {
      summary.doubt(
        "the times give \(time.rate) samples a second, but line \(stated.line) states \(stated.frequency); name the unit of"
          + " the times, as in time_ms",
        isGrave: true)
      return nil
    }
    return
      "the times give \(time.rate) samples a second in \(time.format.name), so they are in another unit; using the"
      + " \(stated.frequency) stated in line \(stated.line)"
  }

  /// Samples a second below which times that contradict a stated frequency are taken for ticks.
  private static let slowTicks = 20.0

  private static let sorted = "the rows are not in the order of their times; they were sorted"

  private func finding(_ probe: RowProbe, _ columns: RowColumns) -> Finding {
    let time = probe.timeGuess
    let period = probe.layout.time == nil ? statedRate?.periodInNanoseconds ?? 0 : Double(time.period)
    return Finding(
      decoder: RowDecoder(
        fields: RowFields(kind: columns.kind), layout: probe.layout, timestampFormat: time.format, unitInG: 1,
        madeUpPeriod: period),
      decimalMark: probe.decimalMark, spreader: time.isWholeSeconds ? TimeSpreader() : nil,
      period: Int64(exactly: period.rounded()) ?? SampleAssembler.longestStep, device: headers.device)
  }

  /// Examines a file, and again where its rows leave a doubt: their order, or values that are no samples.
  private mutating func survey(
    _ finding: inout Finding, _ source: ByteSource, _ buffer: borrowing LineBuffer
  ) -> UnitSurvey.Finding? {
    let place = (buffer.consumedBytes, buffer.line)
    guard var found = UnitSurvey(source: source, finding: finding, firstRow: place).examine() else { return nil }
    if found.backwards > 0, finding.decoder.layout.time != nil, finding.spreader == nil, !finding.isSorted {
      var sorted = finding
      sorted.isSorted = true
      // Sorting explains the times if hardly a row is left and the samples do not move closer together.
      if let other = UnitSurvey(source: source, finding: sorted, firstRow: place).examine(),
        other.unexplained * 10 <= found.unexplained, other.step * 10 >= found.step * 7
      {
        (finding, found) = (sorted, other)
        summary.doubts.append(Self.sorted)
      }
    }
    if let value = found.failedReads.value {
      finding.failedRead = value
      found = UnitSurvey(source: source, finding: finding, firstRow: place).examine() ?? found
      if finding.period > 0, found.step > 0 { finding.period = found.step }
    }
    if let range = found.unsigned.range {
      finding.takeSigned(range)
      summary.doubts.append(UnsignedNumbers.remark(range: range))
      found = UnitSurvey(source: source, finding: finding, firstRow: place).examine() ?? found
    }
    return found
  }

  /// Detects the recording's clock: dates with or without a zone, or the start that our own writer states.
  private mutating func noteClock(_ first: DateTimeText.Moment?) {
    if let first, summary.timestampsAreAbsolute {
      summary.utcOffset = first.offset
      summary.isWallClock = first.offset == nil
    } else if summary.timestampFormat?.isLocalTime == true {
      summary.isWallClock = true
    } else if !summary.timestampsAreAbsolute, let start = headers.start {
      summary.statedStart = start.wallNanoseconds
      summary.utcOffset = start.offset
    }
  }

  /// Ambiguities of the timestamps.
  /// - Parameter hasTimes: whether there are times that are not used.
  private func doubts(
    about time: TimeGuess, _ finding: Finding, rows: Int, line: Int, hasTimes: Bool
  ) throws(RecordingError) -> [(sentence: String, isGrave: Bool)] {
    guard finding.decoder.layout.time != nil else {
      if let rate = statedRate?.hertz, !TimeGuess.plausibleRates.contains(rate) {
        throw .implausibleRate(path: path, line: line, rate: TimeGuess.text(rate: rate))
      }
      guard !hasTimes, options.samplingFrequency == nil, options.measuredFrequency == nil,
        let stated = headers.statedRate
      else { return [] }
      return [("there are no timestamps; using the \(stated.frequency) stated in line \(stated.line)", false)]
    }
    var doubts: [(sentence: String, isGrave: Bool)] = []
    if time.isImplausible {
      if rows >= RowProbe.rowsForSlow { throw .implausibleRate(path: path, line: line, rate: time.rate) }
      doubts.append(("there are \(time.rate) samples a second, but counting needs at least 5", true))
    } else if let doubt = time.doubt {
      doubts.append((doubt, true))
    }
    if finding.spreader?.isOfSeconds == true {
      doubts.append(("the timestamps are whole seconds; samples were spread evenly over each second", false))
    }
    if options.samplingFrequency != nil {
      doubts.append(("the given sampling frequency was ignored, because the recording has timestamps", false))
    }
    return doubts
  }
}
