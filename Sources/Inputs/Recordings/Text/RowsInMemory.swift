import Accelerometry

/// Makes samples of rows that are in memory already, as ``RecordingReader`` does of the rows of a file: the unit is detected
/// where nothing states it, pauses are noted, and so is what makes a recording unusable.
///
/// Give it some rows to look at, let it decide about the unit, then admit all rows in order of time:
///
///     var rows = RowsInMemory(unit: nil)
///     for row in RowsInMemory.pieces(of: table.count).joined() { rows.look(at: table.time(row), table.values(row)) }
///     try rows.decide()
///     for row in 0..<table.count { rows.admit(table.time(row), table.values(row), into: &samples) }
///     rows.finish(into: &samples)
package struct RowsInMemory: Sendable {
  private let stated: AccelerationUnit?
  private var assembler: SampleAssembler
  private var evidence = UnitEvidence()
  private var watch: UnitWatch?
  /// The doubt about the unit that ``watch`` may replace.
  private var unitDoubt: String?
  private var scale = 1.0
  private var rows = 0

  /// - Parameter unit: the unit of the values; `nil` to detect it.
  package init(unit: AccelerationUnit?) {
    stated = unit
    assembler = SampleAssembler(summary: RecordingSummary(), window: nil, period: 0)
  }

  package var summary: RecordingSummary {
    var summary = assembler.summary
    summary.isConstant = isConstant
    return summary
  }

  /// The limits of a timestamp in nanoseconds.
  package static func isTimestamp(_ nanoseconds: Int64) -> Bool { DecimalNumber.isTimestamp(nanoseconds) }

  /// Whether steps can be counted at a sampling frequency, in hertz, and a sensor can have it.
  package static func isPlausible(rate: Double) -> Bool { TimeGuess.plausibleRates.contains(rate) }

  // MARK: The unit

  /// As many rows of a file are examined: all of a short one, or pieces spread over it.
  private static let mostRows = 65_536

  /// The rows to look at, in pieces, of so many.
  package static func pieces(of count: Int) -> [Range<Int>] { FilePieces.of(0..<count, most: mostRows) }

  /// Looks at a row, in order of time.
  package mutating func look(at nanoseconds: Int64, _ values: SIMD3<Double>) {
    evidence.add(nanoseconds: nanoseconds, acceleration: SIMD3<Float>(values))
  }

  package mutating func endPiece() { evidence.endStretch() }

  /// Decides about the unit by the rows it was shown.
  /// - Throws: ``RecordingError/Code/unknownUnit``.
  package mutating func decide() throws(RecordingError) {
    defer { evidence = UnitEvidence() }
    if let stated {
      if let doubt = UnitGuess.doubt(about: stated, evidence, isLinear: false) {
        assembler.summary.doubts.append(doubt)
      }
      assembler.summary.unit = stated
      assembler.summary.gravityRemoved = UnitGuess.lacksGravity(evidence, unit: stated)
    } else {
      let guess = UnitGuess(evidence, isLinear: false)
      if guess.isAbsurd {
        throw .unknownUnit(path: "xyz", size: guess.gravityRemoved ? evidence.motion : evidence.gravity)
      }
      unitDoubt = guess.doubt
      if let unitDoubt { assembler.summary.doubts.append(unitDoubt) }
      assembler.summary.unit = guess.unit
      assembler.summary.gravityRemoved = guess.gravityRemoved
      watch = guess.question.map { UnitWatch($0, assumed: guess.unit) }
    }
    scale = assembler.summary.unit?.inG ?? 1
  }

  // MARK: The samples

  private var first: SIMD3<Double>?
  private var isConstant = true

  /// Takes the next row.
  /// - Parameters:
  ///   - nanoseconds: its time, later than that of the row before.
  ///   - values: its acceleration, in the unit of the rows.
  ///   - samples: gets the samples, at most one a row.
  package mutating func admit(_ nanoseconds: Int64, _ values: SIMD3<Double>, into samples: inout [AccelerationSample]) {
    rows += 1
    if isConstant {
      if first == nil { first = values }
      isConstant = values == first
    }
    assembler.admit(
      RecordedRow(nanoseconds: nanoseconds, acceleration: SIMD3<Float>(values * scale), line: rows), into: &samples)
  }

  /// Ends a batch: goes on looking for the unit where that is open. Samples may be held back for some seconds.
  package mutating func endBatch(_ samples: inout [AccelerationSample]) {
    guard let found = watch?.pass(&samples) else { return }
    watch = nil
    scale = found.unit.inG
    assembler.summary.change(found, replacing: unitDoubt)
  }

  /// Ends the recording: what was held back is a sample.
  package mutating func finish(into samples: inout [AccelerationSample]) {
    assembler.finish(into: &samples)
    endBatch(&samples)
    watch?.finish(into: &samples)
    watch = nil
  }
}
