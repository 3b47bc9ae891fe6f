import Accelerometry

/// Looks at a regular file as a whole before its first sample is handed out: at all of it, or at pieces spread over it.
///
/// The bytes are bounded, so the cost is: some milliseconds, whatever the size. Of compressed data only the beginning
/// can be had without all that comes before, so that is what is looked at.
struct UnitSurvey {
  let source: ByteSource
  /// How rows are read; in the recording's own unit.
  let finding: LayoutProbe.Finding
  /// Where the first row begins: bytes of text, and lines.
  let firstRow: (byte: Int, line: Int)

  /// Of rows that are read fast, and of others.
  private static let mostBytes = (plain: 1 << 21, odd: 1 << 19)
  private static let pieces = 32

  /// What is found; nothing where the source cannot be read twice.
  func evidence() -> UnitEvidence? {
    guard let size = source.sizeIfRegular else { return nil }
    let isPlain = PlainRows(finding.decoder, decimalMark: finding.decimalMark) != nil && !finding.isWholeSeconds
    let most = isPlain ? Self.mostBytes.plain : Self.mostBytes.odd
    var evidence = UnitEvidence()
    do throws(RecordingError) {
      if source.isCompressed {
        let whole = source.excerpt(from: 0, count: size)
        try read(whole, skippingLines: firstRow.line - 1, most: most, into: &evidence)
        // The damage is found at some distance behind its place, or not before the checksum.
        let isAbsurd = UnitGuess(evidence, isLinear: finding.decoder.layout.isLinear).isAbsurd
        if case .corrupt? = whole.damage { evidence.dropGarbage() } else if isAbsurd { evidence.dropGarbage() }
      } else if size - firstRow.byte <= most {
        try read(source.excerpt(from: firstRow.byte, count: most), skippingLines: 0, most: most, into: &evidence)
      } else {
        let length = most / Self.pieces
        for piece in 0..<Self.pieces {
          let place = firstRow.byte + (size - firstRow.byte - length) / (Self.pieces - 1) * piece
          try read(
            source.excerpt(from: place, count: length), skippingLines: piece == 0 ? 0 : 1, most: length,
            into: &evidence)
        }
      }
    } catch {
      // What cannot be read now cannot be read later, and is told then.
      return evidence.seconds.isEmpty ? nil : evidence
    }
    return evidence.seconds.isEmpty ? nil : evidence
  }

  private func read(
    _ excerpt: ByteSource, skippingLines: Int, most: Int, into evidence: inout UnitEvidence
  ) throws(RecordingError) {
    var lines = LineBuffer(capacity: 1 << 17)
    var parser = RowParser(finding, summary: RecordingSummary(), window: nil)
    var samples: [AccelerationSample] = []
    while !lines.isEnded, lines.consumedBytes < most {
      try lines.fill(from: excerpt)
      while lines.line <= skippingLines, let line = lines.line(at: lines.start) {
        lines.consume(upTo: line.next, lines: 1)
      }
      while lines.available > 0 {
        parser.parse(&lines, into: &samples)
        Self.add(&samples, to: &evidence)
      }
    }
    parser.finish(into: &samples)
    Self.add(&samples, to: &evidence)
    evidence.endStretch()
  }

  private static func add(_ samples: inout [AccelerationSample], to evidence: inout UnitEvidence) {
    for sample in samples { evidence.add(nanoseconds: sample.nanoseconds, acceleration: sample.acceleration) }
    samples.removeAll(keepingCapacity: true)
  }
}
