import Accelerometry

/// Parses rows of a known layout into samples: the plain ones fast, the others carefully.
struct RowParser {
  private var decoder: RowDecoder
  private var assembler: SampleAssembler
  private var spreader: SecondSpreader?
  private var plain: PlainRows?
  private let decimalMark: UInt8
  /// Rows in succession that were not plain.
  private var oddRows = 0

  /// After so many odd rows, most rows are not tried as plain ones.
  private static let patience = 16

  init(_ finding: LayoutProbe.Finding, summary: RecordingSummary, window: TimeWindow?) {
    decoder = finding.decoder
    assembler = SampleAssembler(summary: summary, window: window, period: finding.period)
    spreader = finding.isWholeSeconds ? SecondSpreader() : nil
    decimalMark = finding.decimalMark
    plain = finding.isWholeSeconds ? nil : PlainRows(finding.decoder, decimalMark: finding.decimalMark)
  }

  /// Reads on in another unit.
  mutating func change(to unit: AccelerationUnit, doubt: String) {
    decoder.change(unitInG: unit.inG)
    if plain != nil { plain = PlainRows(decoder, decimalMark: decimalMark) }
    assembler.summary.unit = unit
    if let last = assembler.summary.doubts.indices.last { assembler.summary.doubts[last] = doubt }
  }

  /// What was found so far.
  var summary: RecordingSummary { assembler.summary }
  /// Whether the window's end was reached.
  var isPastEnd: Bool { assembler.isPastEnd }

  /// Parses what lies in the buffer, up to a batch of samples.
  mutating func parse(_ lines: inout LineBuffer, into samples: inout [AccelerationSample]) {
    let dropped = lines.takeDroppedLines()
    for _ in 0..<dropped.count { assembler.summary.skip(.lineTooLong, line: dropped.first) }
    while samples.count < RecordingReader.batchSize, lines.available > 0, !assembler.isPastEnd {
      if let plain, oddRows < Self.patience || oddRows % Self.patience == 0 {
        parsePlain(plain, &lines, into: &samples)
        if samples.count >= RecordingReader.batchSize { return }
      }
      guard let line = lines.line(at: lines.start) else { return }
      oddRows += 1
      parseOdd(lines, line, into: &samples)
      lines.consume(upTo: line.next, lines: 1)
    }
  }

  private mutating func parsePlain(
    _ plain: PlainRows, _ lines: inout LineBuffer, into samples: inout [AccelerationSample]
  ) {
    guard assembler.acceptsPlain else { return }
    var progress = PlainRows.Progress(
      place: lines.start, last: assembler.last, plainEnd: assembler.plainEnd, offset: assembler.offset,
      rowIndex: decoder.rowIndex)
    let end = lines.linesEnd
    unsafe lines.bytes.withUnsafeBufferPointer { bytes in
      samples.append(addingCapacity: RecordingReader.batchSize - samples.count) { room in
        unsafe plain.read(bytes, linesEnd: end, progress: &progress, into: &room)
      }
    }
    let rows = progress.rowIndex - decoder.rowIndex
    guard rows > 0 else { return }
    if rows > progress.repeats {
      assembler.accepted(
        rows - progress.repeats, last: progress.last, step: progress.last - progress.lastButOne)
    }
    if progress.repeats > 0 {
      let line = lines.line + progress.firstRepeat - decoder.rowIndex
      assembler.summary.skip(.repeatedTimestamp, line: line, count: progress.repeats)
    }
    decoder.rowIndex = progress.rowIndex
    lines.consume(upTo: progress.place, lines: rows)
    oddRows = 0
  }

  private mutating func parseOdd(
    _ lines: borrowing LineBuffer, _ line: (content: Range<Int>, next: Int), into samples: inout [AccelerationSample]
  ) {
    let number = lines.line
    if line.next - 1 - line.content.lowerBound > LineBuffer.longestLine {
      return assembler.summary.skip(.lineTooLong, line: number)
    }
    switch decoder.decode(lines.bytes.span, line.content) {
    case .nothing: break
    case .bad(let reason):
      let isCut = lines.lastLineIsOpen && line.next == lines.linesEnd && reason != .nulByte
      assembler.summary.skip(isCut ? .lastLineCutShort : reason, line: number)
    case .values(let nanoseconds, let acceleration):
      if spreader == nil {
        assembler.admit(nanoseconds, acceleration, line: number, into: &samples)
      } else {
        spread(nanoseconds, SecondSpreader.Row(acceleration: acceleration, line: number), into: &samples)
      }
    }
  }

  private mutating func spread(_ second: Int64, _ row: SecondSpreader.Row, into samples: inout [AccelerationSample]) {
    var late: [Int] = []
    spreader?.add(row, second: second) { nanoseconds, row in
      assembler.admit(nanoseconds, row.acceleration, line: row.line, into: &samples)
    } skip: { line in
      late.append(line)
    }
    for line in late { assembler.summary.skip(.repeatedTimestamp, line: line) }
  }

  /// The recording has ended.
  mutating func finish(into samples: inout [AccelerationSample]) {
    spreader?.finish { nanoseconds, row in
      assembler.admit(nanoseconds, row.acceleration, line: row.line, into: &samples)
    }
    assembler.finish(into: &samples)
  }
}
