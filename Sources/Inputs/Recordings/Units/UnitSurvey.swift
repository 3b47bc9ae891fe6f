import Accelerometry

/// Examines a regular file before its first sample is returned: all of it, or pieces spread over it.
///
/// The number of bytes is limited, so the cost is a few milliseconds for any size. Compressed data and converted text can only be
/// read from the beginning, so only that is examined.
struct UnitSurvey {
  let source: ByteSource
  /// The layout, in the recording's own unit.
  let finding: LayoutProbe.Finding
  /// The beginning of the first row: bytes of text, and lines.
  let firstRow: (byte: Int, line: Int)

  /// The limits for rows that are parsed fast, and for others.
  private static let mostBytes = (plain: 1 << 21, odd: 1 << 19)
  private static let mostSteps = 4096

  struct Finding {
    var evidence = UnitEvidence()
    var failedReads = FailedReads()
    /// Whether they are signed values that were written unsigned.
    var unsigned = UnsignedNumbers()
    /// Rows that the times do not explain: backwards, repeated, after a pause or a restart of the clock.
    var unexplained = 0
    /// Those that the clock being set may explain, or rows in another order.
    var backwards = 0
    var rows = 0
    /// The median step of the times, in nanoseconds.
    var step: Int64 { steps.median }
    fileprivate var steps: [Int64] = []
    fileprivate var last: Int64?
  }

  /// What the file shows; `nil` if the source cannot be read twice.
  func examine() -> Finding? {
    let whole = source.fromBeginning()
    guard let size = whole == nil ? source.sizeIfRegular : 0 else { return nil }
    let isPlain = RowParser.plainRows(finding) != nil
    let most = isPlain ? Self.mostBytes.plain : Self.mostBytes.odd
    var found = Finding()
    do throws(RecordingError) {
      if let whole {
        try read(whole, skippingLines: firstRow.line - 1, most: most, into: &found)
        // Damage is detected at some distance after its position, or only by the checksum.
        let isAbsurd = UnitGuess(found.evidence, isLinear: finding.decoder.layout.isLinear).isAbsurd
        var isCorrupt = false
        if case .corrupt? = whole.damage { isCorrupt = true }
        if isCorrupt || isAbsurd { found.evidence.dropGarbage() }
      } else {
        // A file that grows may have been read beyond its size.
        for piece in FilePieces.of(firstRow.byte..<max(size, firstRow.byte), most: most) {
          try read(
            source.excerpt(from: piece.lowerBound, count: piece.count),
            skippingLines: piece.lowerBound > firstRow.byte ? 1 : 0, most: piece.count, into: &found)
        }
      }
    } catch {
      // Data that cannot be read now cannot be read later, and is reported then.
      return found.evidence.seconds.isEmpty ? nil : found
    }
    return found.evidence.seconds.isEmpty ? nil : found
  }

  /// The times of rows that are rounded to several seconds.
  struct CoarseTimes {
    /// The time between two different ones, in nanoseconds; `nil` if that is unknown.
    var resolution: Int64?
    /// Whether each time has as many rows, so that they can be spread over it.
    var isEven = false
  }

  struct SharedTimes {
    /// If they are more than a second apart.
    var coarse: CoarseTimes?
    /// Whether most of these rows are other samples than the one before, not copies of it.
    var differ = false
  }

  /// What many rows that share their times show; `nil` if the source cannot be read twice.
  func sharedTimes() -> SharedTimes? {
    var groups: [(time: Int64, rows: Int)] = []
    var last = SIMD3<Float>()
    var (others, copies) = (0, 0)
    guard
      eachRow({ time, acceleration, _ in
        if groups.last?.time == time {
          groups[groups.count - 1].rows += 1
          if acceleration == last { copies += 1 } else { others += 1 }
        } else {
          groups.append((time, 1))
        }
        last = acceleration
      }) != nil
    else { return nil }
    return SharedTimes(coarse: Self.coarseTimes(groups), differ: others > copies)
  }

  /// The times of a file in order, as far as they are numbers or dates.
  struct Times {
    var numbers: [DecimalNumber] = []
    var nanoseconds: [Int64] = []

    var values: [Double] { nanoseconds.isEmpty ? numbers.map(\.value) : nanoseconds.map(Double.init) }

    mutating func keep(_ rows: [Int]) {
      if nanoseconds.isEmpty { numbers = rows.map { numbers[$0] } } else { nanoseconds = rows.map { nanoseconds[$0] } }
    }
  }

  /// The times of rows in no order, sorted, if one even clock explains them all; `nil` otherwise, and for more rows than can be
  /// sorted.
  func evenTimes() -> Times? {
    var times = Times()
    guard
      eachRow({ time, _, number in
        if let number { times.numbers.append(number) } else { times.nanoseconds.append(time) }
      }) == true, max(times.numbers.count, times.nanoseconds.count) <= RowSorter.most,
      times.numbers.isEmpty != times.nanoseconds.isEmpty
    else { return nil }
    times.numbers.sort { $0.value < $1.value }
    times.nanoseconds.sort()
    let steps = times.values.steps
    let middle = steps.median
    guard middle > 0, steps.count(where: { abs($0 - middle) < 0.5 * middle }) * 10 >= steps.count * 9 else {
      return nil
    }
    return times
  }

  /// Decodes the rows, of a large file only those at its beginning.
  /// - Parameter body: gets the time, the acceleration, and the time as the number in the file if it is one.
  /// - Returns: whether these were all; `nil` if the source cannot be read twice.
  private func eachRow(_ body: (Int64, SIMD3<Float>, DecimalNumber?) -> Void) -> Bool? {
    let whole = source.fromBeginning()
    guard let part = whole ?? source.sizeIfRegular.map({ source.excerpt(from: firstRow.byte, count: $0) }) else {
      return nil
    }
    var decoder = finding.decoder
    return try? part.eachLine(upTo: Self.mostBytes.plain) { bytes, line, number, _ in
      guard whole == nil || number >= firstRow.line, case .values(let time, let value) = decoder.decode(bytes, line)
      else { return }
      body(time, value, decoder.timeNumber(bytes))
    }
  }

  /// Whether many rows share each time, and the times are more than a second apart.
  private static func coarseTimes(_ groups: [(time: Int64, rows: Int)]) -> CoarseTimes? {
    let rows = groups.reduce(0) { $0 + $1.rows }
    guard rows >= rowsOfTime * max(2, groups.count) else { return nil }
    if groups.count == 1 { return rows >= rowsOfOneTime ? CoarseTimes() : nil }
    let steps = zip(groups, groups.dropFirst()).map { $1.time - $0.time }
    let step = steps.median
    guard step >= 2 * SampleAssembler.longestStep else {
      // Minutes since 1970, for instance.
      return step == SampleAssembler.longestStep && rows >= rowsOfSecond * groups.count ? CoarseTimes() : nil
    }
    let whole = groups.dropFirst().dropLast().map(\.rows).sorted()
    let isEven = whole.count >= 3 && steps.allSatisfy { $0 == step } && whole[whole.count - 1] * 9 <= whole[0] * 10
    return CoarseTimes(resolution: step, isEven: isEven)
  }

  private static let rowsOfTime = 10
  private static let rowsOfOneTime = 256
  /// Loggers of whole seconds are slower.
  private static let rowsOfSecond = 1000

  private func read(
    _ excerpt: ByteSource, skippingLines: Int, most: Int, into found: inout Finding
  ) throws(RecordingError) {
    var lines = LineBuffer(capacity: 1 << 17)
    var parser = RowParser(finding, summary: RecordingSummary(), window: nil, zone: nil)
    var samples: [AccelerationSample] = []
    while !lines.isEnded, lines.consumedBytes < most {
      try lines.fill(from: excerpt)
      while lines.line <= skippingLines, let line = lines.line(at: lines.start) {
        lines.consume(upTo: line.next, lines: 1)
      }
      while lines.available > 0 {
        parser.parse(&lines, into: &samples)
        Self.add(&samples, to: &found)
      }
    }
    parser.finish(into: &samples)
    Self.add(&samples, to: &found)
    found.evidence.endStretch()
    found.failedReads.endPiece()
    found.unsigned.endPiece()
    found.last = nil
    let skipped = parser.summary.skipped
    // An hour that local times repeat is in its order.
    let repeated = parser.summary.turns.count { $0.length > 0 }
    let backwards = (skipped[.timeBackwards]?.count ?? 0) + parser.summary.clockRestarts - repeated
    found.backwards += backwards
    found.unexplained += backwards + (skipped[.repeatedTimestamp]?.count ?? 0) + parser.summary.gaps
  }

  private static func add(_ samples: inout [AccelerationSample], to found: inout Finding) {
    for sample in samples {
      found.evidence.add(nanoseconds: sample.nanoseconds, acceleration: sample.acceleration)
      found.failedReads.add(sample.acceleration)
      found.unsigned.add(sample.acceleration)
      if let last = found.last, found.steps.count < mostSteps { found.steps.append(sample.nanoseconds - last) }
      found.last = sample.nanoseconds
    }
    found.rows += samples.count
    samples.removeAll(keepingCapacity: true)
  }
}
