import Accelerometry

/// Examines a regular file before its first sample is returned: all of it, or pieces spread over it.
///
/// The number of bytes is limited, so the cost is a few milliseconds for any size. Compressed data can only be read
/// from the beginning, so only that is examined.
struct UnitSurvey {
  let source: ByteSource
  /// The layout, in the recording's own unit.
  let finding: LayoutProbe.Finding
  /// The beginning of the first row: bytes of text, and lines.
  let firstRow: (byte: Int, line: Int)

  /// The limits for rows that are parsed fast, and for others.
  private static let mostBytes = (plain: 1 << 21, odd: 1 << 19)
  private static let pieces = 32

  /// The evidence; `nil` if the source cannot be read twice.
  func evidence() -> UnitEvidence? {
    guard let size = source.sizeIfRegular else { return nil }
    let isPlain = PlainRows(finding.decoder, decimalMark: finding.decimalMark) != nil
    let most = isPlain ? Self.mostBytes.plain : Self.mostBytes.odd
    var evidence = UnitEvidence()
    do throws(RecordingError) {
      if source.isCompressed {
        let whole = source.excerpt(from: 0, count: size)
        try read(whole, skippingLines: firstRow.line - 1, most: most, into: &evidence)
        // Damage is detected at some distance after its position, or only by the checksum.
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
      // Data that cannot be read now cannot be read later, and is reported then.
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
