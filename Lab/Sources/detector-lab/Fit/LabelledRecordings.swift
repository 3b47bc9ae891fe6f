@testable import Accelerometry
@testable import Recordings
@testable import StepDetection

/// The recordings of an index, read once and processed by the detector as often as necessary.
struct LabelledRecordings {
  let index: RecordingIndex
  let recordings: [Recording]

  struct Recording {
    var entry: RecordingIndex.Entry
    var samples: [AccelerationSample]
    /// The true foot strikes in seconds since the first sample, if they are known.
    var strikes: [Double]?

    /// The samples after a filter that no example of the fit has seen has removed gravity.
    var withoutGravity: [AccelerationSample] {
      SampleVariant.withoutGravity(samples, stream: entry.path.utf8.reduce(1 << 32) { $0 &+ UInt64($1) })
    }
  }

  /// What is added to the recordings.
  struct Additions: Sendable {
    /// The number of altered copies of each recording; without any, a copy begins 0.46 s later.
    var copies = 0
    /// The number of universal negatives of each family.
    var negatives = 0
    /// The weight of movements and walks that are easily confused.
    var hardWeight = 1.0
    /// How far activities weigh what they take of a day: 0 for not, 1 for entirely.
    var dayPower = 0.0
  }

  /// The weight of a recording relative to one of its altered copies, which would outvote it. Slow walks have no such
  /// weight: most of their examples are made.
  private static let recordedWeight = 2.5
  /// Of so many copies, gravity is removed as well, each time by another filter.
  private static let filteredCopies: UInt64 = 2

  init(index: RecordingIndex) throws {
    self.index = index
    recordings = try index.entries.map { entry in
      let reader = try RecordingReader(path: entry.path)
      var (all, samples) = ([AccelerationSample](), [AccelerationSample]())
      while try reader.read(into: &samples) { all += samples }
      return Recording(
        entry: entry, samples: all,
        strikes: try entry.events.map { path throws(TextFileError) in try TextFile.numbers(in: path) })
    }
  }

  /// All blocks with a certain class, as recorded and altered, and the same without gravity, and the synthetic examples.
  /// - Parameter examples: the synthetic examples; by default all of them.
  func blocks(
    adding additions: Additions = Additions(), examples: [SyntheticExamples.Example]? = nil
  ) throws -> LabelledBlocks {
    var blocks = LabelledBlocks()
    for (number, recording) in recordings.enumerated() {
      var own = Self.blocks(of: recording, copies: additions.copies, number: number)
      let importance = recording.entry.isHard ? additions.hardWeight : 1
      own.change { ($0.recording, $0.importance) = (number, importance) }
      for i in own.ordinary.indices where additions.copies > 0 && own.ordinary[i].provenance == .recorded {
        own.ordinary[i].importance *= Self.recordedWeight
      }
      blocks.append(own)
    }
    for example in try examples ?? SyntheticExamples.all() {
      var own = Self.blocks(of: example, .synthetic)
      if example.isHard {
        for i in own.ordinary.indices { own.ordinary[i].importance = additions.hardWeight }
      }
      blocks.append(own)
    }
    for example in UniversalNegatives.all(ofEach: additions.negatives) {
      blocks.append(Self.blocks(of: example, .universal))
    }
    DayWeights(of: recordings, blocks.ordinary, power: additions.dayPower).apply(to: &blocks)
    return blocks
  }

  private static func blocks(of recording: Recording, copies: Int, number: Int) -> LabelledBlocks {
    let (entry, samples, strikes) = (recording.entry, recording.samples, recording.strikes)
    var blocks = LabelledBlocks()
    for variant in SampleVariant.allCases where copies == 0 || variant != .delayed {
      let run = DetectorRun(variant.applied(to: samples), isObserved: true)
      let shift = variant == .delayed ? 0.46 : 0
      let shifted = strikes.map { $0.map { $0 + shift } }
      let found = LabelledBlock.all(in: run, of: entry, strikes: shifted)
      if variant == .withoutGravity { blocks.withoutGravity += found } else { blocks.ordinary += found }
      blocks.slow += LabelledBlock.slow(in: run, of: entry, strikes: shifted)
    }
    let filtered = { (samples: [AccelerationSample], strikes: [Double]?, stream: Int) in
      let run = DetectorRun(
        SampleVariant.withoutGravity(samples, stream: UInt64(8 * number + stream)), isObserved: true)
      return LabelledBlocks(
        withoutGravity: LabelledBlock.all(in: run, of: entry, strikes: strikes),
        slow: LabelledBlock.slow(in: run, of: entry, strikes: strikes))
    }
    if copies > 0 { blocks.append(filtered(samples, strikes, 0)) }
    for seed in 0..<UInt64(copies) {
      let copy = AlteredCopy(of: samples, isWalk: entry.isWalk, seed: seed, stream: UInt64(number))
      let run = DetectorRun(copy.samples, isObserved: true)
      let shifted = strikes.map { $0.map { $0 * copy.stretch } }
      var added = LabelledBlocks(
        ordinary: LabelledBlock.all(in: run, of: entry, strikes: shifted),
        slow: LabelledBlock.slow(in: run, of: entry, strikes: shifted))
      if seed < Self.filteredCopies { added.append(filtered(copy.samples, shifted, Int(seed) + 1)) }
      added.change { $0.provenance = .altered }
      blocks.append(added)
    }
    guard entry.isWalk else { return blocks }
    let plain = DetectorRun(samples)
    for (i, cadence) in SlowedWalk.cadences.enumerated() {
      guard let slowed = SlowedWalk(samples, strikes: plain.steps, cadence: cadence) else { continue }
      let variant = i.isMultiple(of: 2) ? SampleVariant.asRecorded : .withoutGravity
      var walk = entry
      walk.activity += " slowed"
      blocks.slow += LabelledBlock.slow(
        in: DetectorRun(variant.applied(to: slowed.samples), isObserved: true), of: walk, strikes: slowed.strikes)
    }
    return blocks
  }

  private static func blocks(
    of example: SyntheticExamples.Example, _ provenance: LabelledBlock.Provenance
  ) -> LabelledBlocks {
    let entry = RecordingIndex.Entry(
      path: "", trueSteps: example.isWalking ? 1 : 0, dataset: "synthetic", activity: example.name,
      group: example.name)
    let run = DetectorRun(example.samples, isObserved: true)
    let without = DetectorRun(SampleVariant.withoutGravity.applied(to: example.samples), isObserved: true)
    var blocks = LabelledBlocks()
    if !example.isSlow {
      blocks.ordinary = LabelledBlock.all(in: run, of: entry, strikes: example.strikes)
      blocks.withoutGravity = LabelledBlock.all(in: without, of: entry, strikes: example.strikes)
    }
    for run in [run, without] {
      blocks.slow += LabelledBlock.slow(in: run, of: entry, strikes: example.strikes)
    }
    blocks.change { $0.provenance = provenance }
    return blocks
  }

  /// Counts every recording with one gate.
  func runs(of models: GateModels, variant: SampleVariant = .asRecorded) -> [DetectorRun] {
    recordings.map { DetectorRun(variant.applied(to: $0.samples), models: models) }
  }

  /// Counts every recording with the gate that was fitted without its unit.
  /// - Parameter visit: sees each recording with that gate.
  func runs(
    leavingOut fold: Fold, of rows: GateRows, settings: ModelFit.Settings,
    visit: (Recording, GateModels) throws -> Void = { _, _ in }
  ) throws -> [DetectorRun] {
    let units = index.entries.map(fold.unit)
    var runs = [DetectorRun?](repeating: nil, count: recordings.count)
    for unit in Set(units).sorted() {
      let models = try rows.fit(settings) { fold.keeps($0, without: unit, of: units) }
      for (place, recording) in recordings.enumerated() where units[place] == unit {
        runs[place] = DetectorRun(recording.samples, models: models)
        try visit(recording, models)
      }
    }
    return runs.compactMap(\.self)
  }

  /// The scores of all recordings and, if there are several folders, of each folder.
  /// - Parameter runs: of all recordings, in their order.
  func scores(of runs: [DetectorRun]) -> [(folder: String?, scores: CountScores)] {
    let folders = Set(index.entries.map(\.folder)).sorted()
    return [(nil, scores(of: runs) { _ in true })]
      + (folders.count > 1 ? folders.map { folder in (folder, scores(of: runs) { $0.folder == folder }) } : [])
  }

  private func scores(of runs: [DetectorRun], where isIncluded: (RecordingIndex.Entry) -> Bool) -> CountScores {
    var scores = CountScores()
    for (entry, run) in zip(index.entries, runs) where isIncluded(entry) {
      scores.add(entry, counted: run.steps.count, duration: run.duration)
    }
    return scores
  }
}
