import Accelerometry

/// Parses rows of a known layout into samples: plain rows fast, others with ``RowDecoder``.
struct RowParser {
  private var decoder: RowDecoder
  private var assembler: SampleAssembler
  private var spreader: TimeSpreader?
  private var sorter: RowSorter?
  /// What all axes of a row have that is no sample, in g.
  private let failedRead: Float?
  /// The blocks of several devices, if lines name them.
  private var blocks: DeviceBlocks?
  private var plain: PlainRows?
  private let decimalMark: UInt8
  /// See ``LayoutProbe/Finding/followsNames``.
  private let followsNames: Bool
  private var timeUnit: TimeUnitWatch
  /// The doubt about the unit, if the beginning did not decide it.
  private let unitDoubt: String?
  /// Consecutive rows that were not plain.
  private var oddRows = 0

  /// After this many consecutive odd rows, most rows are not tried as plain ones.
  private static let retryInterval = 16

  init(_ finding: LayoutProbe.Finding, summary: RecordingSummary, window: TimeWindow?, zone: RecordingZone?) {
    decoder = finding.decoder
    assembler = SampleAssembler(summary: summary, window: window, period: finding.period, zone: zone)
    spreader = finding.spreader
    sorter = finding.isSorted ? RowSorter() : nil
    failedRead = finding.failedRead.map { Float(Double($0) * finding.decoder.scales[PowersOfTen.zero]) }
    blocks = finding.device.map { DeviceBlocks($0) }
    (decimalMark, followsNames) = (finding.decimalMark, finding.followsNames)
    unitDoubt = finding.unitDoubt
    timeUnit = TimeUnitWatch(isAbsolute: summary.timestampsAreAbsolute, period: finding.period)
    plain = Self.plainRows(finding)
  }

  /// The fast parser of plain rows, if each of them is a sample in its place.
  static func plainRows(_ finding: LayoutProbe.Finding) -> PlainRows? {
    let layout = finding.decoder.layout
    if finding.isSorted || finding.failedRead != nil || layout.repeatsTimes || !layout.gravity.isEmpty { return nil }
    return PlainRows(finding.decoder, decimalMark: finding.decimalMark, keepsRepeats: finding.spreader != nil)
  }

  /// Notes the unit that was found after the beginning.
  mutating func note(_ found: UnitWatch.Finding) { assembler.summary.change(found, replacing: unitDoubt) }

  var summary: RecordingSummary { assembler.summary }
  var isPastEnd: Bool { assembler.isPastEnd }

  /// Parses the lines in the buffer, up to a batch of samples.
  mutating func parse(_ lines: inout LineBuffer, into samples: inout [AccelerationSample]) {
    let known = samples.count
    parseLines(&lines, into: &samples)
    assembler.remember(samples, from: known)
  }

  private mutating func parseLines(_ lines: inout LineBuffer, into samples: inout [AccelerationSample]) {
    let dropped = lines.takeDroppedLines()
    for _ in 0..<dropped.count { assembler.summary.skip(.lineTooLong, line: dropped.first) }
    while samples.count < RecordingReader.batchSize, lines.available > 0, !assembler.isPastEnd {
      if var plain, oddRows < Self.retryInterval || oddRows % Self.retryInterval == 0 {
        if plain.isCalendar { plain.minute = decoder.minute }
        if plain.isJSON { plain.frame = decoder.fields.frame(decoder.layout) }
        parsePlain(plain, &lines, into: &samples)
        if samples.count >= RecordingReader.batchSize { return }
      }
      guard let line = lines.line(at: lines.start) else { return }
      if let hadReturns = lines.makePlain(line.content) {
        if hadReturns { assembler.summary.noteReturns(line: lines.line) }
        continue
      }
      oddRows += 1
      parseOdd(lines, line, into: &samples)
      lines.consume(upTo: line.next, lines: 1)
    }
  }

  /// Parses plain rows; those that share their times are then spread over these.
  private mutating func parsePlain(
    _ plain: PlainRows, _ lines: inout LineBuffer, into samples: inout [AccelerationSample]
  ) {
    guard !timeUnit.holdsRow, blocks?.isInterrupted != true,
      let last = spreader.map(\.second) ?? (assembler.acceptsPlain ? assembler.last : nil)
    else { return }
    let isSpread = spreader != nil
    var progress = PlainRows.Progress(
      place: lines.start, last: last, plainEnd: isSpread ? .max : assembler.plainEnd,
      offset: isSpread ? 0 : assembler.offset, rowIndex: decoder.rowIndex)
    let (end, line, known) = (lines.linesEnd, lines.line, samples.count)
    unsafe lines.bytes.withUnsafeBufferPointer { bytes in
      samples.append(addingCapacity: RecordingReader.batchSize - known) { room in
        unsafe plain.read(bytes, linesEnd: end, progress: &progress, into: &room)
      }
    }
    let rows = progress.rowIndex - decoder.rowIndex
    guard rows > 0 else { return }
    if progress.repeats > 0 {
      let first = line + progress.firstRepeat - decoder.rowIndex
      assembler.summary.skip(.repeatedTimestamp, line: first, count: progress.repeats)
    }
    decoder.rowIndex = progress.rowIndex
    decoder.note(latest: progress.last)
    lines.consume(upTo: progress.place, lines: rows)
    oddRows = 0
    if isSpread {
      let read = samples[known...]
      samples.removeSubrange(known...)
      for (index, row) in read.enumerated() {
        spread(
          RecordedRow(nanoseconds: row.nanoseconds, acceleration: row.acceleration, line: line + index), into: &samples)
      }
    } else if rows > progress.repeats {
      assembler.accepted(rows - progress.repeats, last: progress.last, step: progress.last - progress.lastButOne)
    }
  }

  private mutating func parseOdd(
    _ lines: borrowing LineBuffer, _ line: (content: Range<Int>, next: Int), into samples: inout [AccelerationSample]
  ) {
    let number = lines.line
    if line.next - 1 - line.content.lowerBound > LineBuffer.longestLine {
      return assembler.summary.skip(.lineTooLong, line: number)
    }
    let row = decoder.decode(lines.bytes.span, line.content)
    if blocks != nil, isOfOtherBlock(row, lines.bytes.span, line.content, number: number) { return }
    if assembler.summary.abridgedLine == nil, !row.isSample, AbridgedTable.isMark(lines.bytes.span, line.content) {
      assembler.summary.abridgedLine = number
    }
    if followsNames, row == .bad(.notNumbers) { takeNames(lines.bytes.span, line.content, number: number) }
    if sorter == nil, watchTimeUnit(row, lines, line, into: &samples) { return }
    take(row, lines, line, into: &samples)
  }

  /// Uses the columns of a row of names among the rows, as where a program appends to a file of its former version.
  private mutating func takeNames(_ bytes: Span<UInt8>, _ line: Range<Int>, number: Int) {
    guard case .csv(let dialect) = decoder.fields.kind else { return }
    let old = decoder.layout
    // The names may be separated otherwise than the rows above.
    let layouts = HeaderCandidates.layouts(bytes, line)
    guard let (other, layout) = layouts.first(where: { $0.dialect == dialect }) ?? layouts.first,
      layout.unit == old.unit, (layout.time == nil) == (old.time == nil), layout.timeSpansTwo == old.timeSpansTwo,
      layout.isLinear == old.isLinear,
      other != dialect || [layout.time ?? -1, layout.x, layout.y, layout.z] != [old.time ?? -1, old.x, old.y, old.z]
    else { return }
    decoder.change(columns: layout, in: other)
    let mark = other.decimalComma ? decimalMark : UInt8(ascii: ".")
    if plain != nil { plain = PlainRows(decoder, decimalMark: mark, keepsRepeats: spreader != nil) }
    assembler.summary.doubts.append(
      "the names in line \(number) put the columns elsewhere; the rows below were read so")
  }

  /// Whether a line is above a block of rows, or a row of a block of another device.
  private mutating func isOfOtherBlock(
    _ row: RowDecoder.Row, _ bytes: Span<UInt8>, _ line: Range<Int>, number: Int
  ) -> Bool {
    switch row {
    case .nothing, .bad(.notNumbers), .bad(.missingValues): return blocks?.note(bytes, line) ?? false
    case .bad: return false
    case .values(let nanoseconds, _):
      let last = spreader?.second ?? assembler.last
      // Rows that are sorted go back anywhere.
      let goesBack = decoder.layout.time != nil && sorter == nil && nanoseconds < last
      return blocks?.leavesOut(line: number, goesBack: goesBack) ?? false
    }
  }

  /// Whether all axes have the value of a failed read, which was rounded before it became one in g.
  private func isFailedRead(_ acceleration: SIMD3<Float>) -> Bool {
    guard let failedRead else { return false }
    return acceleration.x == acceleration.y && acceleration.y == acceleration.z
      && abs(acceleration.x - failedRead) <= 4 * Float.ulpOfOne * abs(failedRead)
  }

  private mutating func take(
    _ row: RowDecoder.Row, _ lines: borrowing LineBuffer, _ line: (content: Range<Int>, next: Int),
    into samples: inout [AccelerationSample]
  ) {
    let number = lines.line
    switch row {
    case .nothing: break
    case .bad(let reason):
      let isCut = lines.lastLineIsOpen && line.next == lines.linesEnd && reason != .nulByte
      assembler.summary.skip(isCut ? .lastLineCutShort : reason, line: number)
    case .values(_, let acceleration) where isFailedRead(acceleration):
      assembler.summary.skip(.failedRead, line: number)
    case .values(let nanoseconds, let acceleration):
      let row = RecordedRow(nanoseconds: nanoseconds, acceleration: acceleration, line: number)
      if let rows = sorter?.add(row) {
        for row in rows { assembler.admit(row, into: &samples) }
      } else if spreader == nil {
        assembler.admit(row, into: &samples)
      } else {
        spread(row, into: &samples)
      }
    }
  }

  /// Checks whether the unit of the times changes at this row.
  /// - Returns: whether the row was handled, at least for now.
  private mutating func watchTimeUnit(
    _ row: RowDecoder.Row, _ lines: borrowing LineBuffer, _ line: (content: Range<Int>, next: Int),
    into samples: inout [AccelerationSample]
  ) -> Bool {
    switch row {
    case .nothing: return false
    case .values(let nanoseconds, _):
      if !timeUnit.holdsRow, timeUnit.isNear(nanoseconds, assembler.last) { return false }
    case .bad(.badTimestamp): break
    case .bad:
      release(into: &samples)
      return false
    }
    guard assembler.summary.recordingStart != nil, let number = decoder.timeNumber(lines.bytes.span) else {
      release(into: &samples)
      return false
    }
    let finding = timeUnit.look(
      at: number, of: row, line: lines.line, format: decoder.timestampFormat, last: assembler.last)
    switch finding {
    case .same:
      release(into: &samples)
      return false
    case .maybe: return true
    case .changed(let format):
      spreader?.finish { assembler.admit($0, into: &samples) }
      spreader = nil
      let doubt = timeUnit.doubt(from: decoder.timestampFormat, to: format, line: timeUnit.heldLine ?? lines.line)
      assembler.summary.doubts.removeAll { $0.hasPrefix(TimeUnitWatch.beginning) }
      assembler.summary.doubts.append(doubt)
      decoder.change(timestampFormat: format)
      if failedRead == nil { plain = PlainRows(decoder, decimalMark: decimalMark) }
      if let held = timeUnit.take() {
        if case .values(_, let acceleration) = held.row, let time = format.nanoseconds(held.number) {
          assembler.admit(RecordedRow(nanoseconds: time, acceleration: acceleration, line: held.line), into: &samples)
        } else {
          assembler.summary.skip(.badTimestamp, line: held.line)
        }
      }
      take(decoder.decode(lines.bytes.span, line.content), lines, line, into: &samples)
      return true
    }
  }

  /// Delivers the held row with its original time.
  private mutating func release(into samples: inout [AccelerationSample]) {
    guard let held = timeUnit.take() else { return }
    switch held.row {
    case .values(let nanoseconds, let acceleration):
      assembler.admit(
        RecordedRow(nanoseconds: nanoseconds, acceleration: acceleration, line: held.line), into: &samples)
    case .bad(let reason): assembler.summary.skip(reason, line: held.line)
    case .nothing: break
    }
  }

  private mutating func spread(_ row: RecordedRow, into samples: inout [AccelerationSample]) {
    var late: [Int] = []
    spreader?.add(row) {
      assembler.admit($0, into: &samples)
    } skip: { line in
      late.append(line)
    }
    for line in late { assembler.summary.skip(.repeatedTimestamp, line: line) }
    if let coarse = spreader?.coarse, coarse.samples > 0 { assembler.summary.coarse = coarse }
  }

  mutating func finish(into samples: inout [AccelerationSample]) {
    if let remark = blocks?.remark { assembler.summary.doubts.append(remark) }
    release(into: &samples)
    for row in sorter?.finish() ?? [] { assembler.admit(row, into: &samples) }
    spreader?.finish { assembler.admit($0, into: &samples) }
    if let coarse = spreader?.coarse, coarse.samples > 0 { assembler.summary.coarse = coarse }
    assembler.finish(into: &samples)
  }
}
