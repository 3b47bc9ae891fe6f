import Accelerometry
import ArgumentParser
import Drawing
import Pedometry
import Recordings
import StepDetection

/// `detector-lab calibrate`: computes the table of confidence.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Compute the table that maps a bout's evidence to its confidence",
    discussion: """
      FOLDER/index.csv lists the recordings as for fit. Bouts in recordings with 0 true steps are false; bouts in walks \
      are real, or, where true strikes are listed, those with a strike in them. Each recording is counted with four \
      offsets, a quarter of a second apart, because weak bouts depend on chance.

      Prints the table in the form of ConfidenceTable.swift, and its reliability on people who were excluded from it: \
      of bouts with a confidence of 0.9, nine in ten should be real.

      EXAMPLE
        detector-lab calibrate recordings
      """)

  @Argument(help: "A folder with an index.csv.")
  var folder: String

  @Option(help: "The number of offsets, 0.24 s apart, at which to count each recording.")
  var phases = 4

  func validate() throws {
    guard (1...8).contains(phases) else { throw ValidationError("--phases is \(phases); give 1 to 8") }
  }

  func run() throws {
    let index = try RecordingIndex(folder: folder)
    let bouts = try index.entries.flatMap { try Self.bouts(of: $0, phases: phases) }
    try Output.write(
      "\(index.entries.count) recordings, \(bouts.count) bouts: \(bouts.count { $0.isReal }) real, "
        + "\(bouts.count { !$0.isReal }) false\n\n")
    try Output.write(Self.source(of: ConfidenceFit.table(of: bouts)))
    let judged = ConfidenceFit.crossValidated(bouts)
    try Output.write("\nbouts, by tables computed without their people\n")
    try Output.write(ConfidenceFit.reliability(judged.map { ($1($0.evidence), $0.isReal) }))
    try Output.write("\nsteps, likewise\n")
    try Output.write(
      ConfidenceFit.reliability(judged.flatMap { bout, table in bout.stepEvidence.map { (table($0), bout.isReal) } }))
    try Output.write("\nbouts, by the shipped table\n")
    try Output.write(ConfidenceFit.reliability(bouts.map { (ConfidenceTable.shipped($0.evidence), $0.isReal) }))
  }

  /// The table in the form of ConfidenceTable.swift.
  static func source(of table: ConfidenceTable) -> String {
    let knots = table.knots.map { "Knot(\($0.evidence.short(2)), \($0.confidence.short(2)))" }
    return "package static let shipped = ConfidenceTable(knots: [\n  \(knots.joined(separator: ", ")),\n])\n"
  }

  /// The bouts detected in a recording, for each offset.
  static func bouts(of entry: RecordingIndex.Entry, phases: Int) throws -> [JudgedBout] {
    let strikes = try entry.events.map { path throws(TextFileError) in try TextFile.numbers(in: path) }
    let reader = try RecordingReader(path: entry.path)
    var samples: [AccelerationSample] = []
    var batch: [AccelerationSample] = []
    while try reader.read(into: &batch) { samples += batch }
    guard let first = samples.first?.nanoseconds else { return [] }
    return (0..<phases).flatMap { phase in
      let begin = samples.firstIndex { $0.nanoseconds - first >= Int64(phase) * 240_000_000 } ?? samples.count
      return bouts(in: samples[begin...]).map { bout, steps in
        let seconds = { (time: Duration) in Double(time.wholeNanoseconds - first) * 1e-9 }
        let hasStrike = strikes.map { $0.contains { $0 >= seconds(bout.start) - 0.5 && $0 <= seconds(bout.end) + 0.5 } }
        return JudgedBout(
          evidence: bout.confidence, isReal: entry.isWalk && hasStrike ?? true,
          stepEvidence: steps, group: entry.group ?? entry.path)
      }
    }
  }

  /// Bouts whose confidence is their evidence, and the evidence of their steps.
  private static func bouts(in samples: ArraySlice<AccelerationSample>) -> [(WalkBout, [Double])] {
    var counter = WalkCounter(patience: StepDetector.longestRevision)
    counter.explain(with: .evidence)
    var steps = counter.process(Array(samples).span)
    steps += counter.finish()
    var rest = steps[...]
    return counter.takeFindings().compactMap { finding in
      guard case .bout(let bout) = finding else { return nil }
      defer { rest = rest.dropFirst(bout.steps) }
      return (bout, rest.prefix(bout.steps).compactMap(\.confidence))
    }
  }
}
