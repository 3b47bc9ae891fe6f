import Accelerometry
import Recordings
import StepDetection

/// The recordings of an index, processed by the detector as often as necessary.
struct LabelledRecordings {
  let index: RecordingIndex

  /// The units that must not be split in cross-validation.
  enum Fold: String, CaseIterable {
    case person, dataset, family

    /// The number of groups in which people are left out; other units are left out one by one.
    static let people = 10
  }

  /// All blocks with a certain class, as recorded and delayed, and the same without gravity.
  func blocks() throws -> LabelledBlocks {
    var blocks = LabelledBlocks()
    for entry in index.entries {
      let strikes = try entry.events.map { path throws(TextFileError) in try TextFile.numbers(in: path) }
      let samples = try Self.samples(of: entry)
      for variant in SampleVariant.allCases {
        let run = DetectorRun(variant.applied(to: samples), isObserved: true)
        let shift = variant == .delayed ? 0.46 : 0
        let found = LabelledBlock.all(in: run, of: entry, strikes: strikes.map { $0.map { $0 + shift } })
        if variant == .withoutGravity { blocks.withoutGravity += found } else { blocks.ordinary += found }
        blocks.slow += LabelledBlock.slow(in: run, of: entry, strikes: strikes.map { $0.map { $0 + shift } })
      }
      guard entry.isWalk else { continue }
      let plain = DetectorRun(samples)
      for (i, cadence) in SlowedWalk.cadences.enumerated() {
        guard let slowed = SlowedWalk(samples, strikes: plain.steps, cadence: cadence) else { continue }
        let variant = i.isMultiple(of: 2) ? SampleVariant.asRecorded : .withoutGravity
        var walk = entry
        walk.activity += " slowed"
        blocks.slow += LabelledBlock.slow(
          in: DetectorRun(variant.applied(to: slowed.samples), isObserved: true), of: walk, strikes: slowed.strikes)
      }
    }
    for example in try SyntheticExamples.all() {
      let entry = RecordingIndex.Entry(
        path: "", trueSteps: example.isWalking ? 1 : 0, dataset: "synthetic", activity: example.name,
        group: example.name)
      let run = DetectorRun(example.samples, isObserved: true)
      let without = DetectorRun(SampleVariant.withoutGravity.applied(to: example.samples), isObserved: true)
      if !example.isSlow {
        blocks.ordinary += LabelledBlock.all(in: run, of: entry, strikes: nil)
        blocks.withoutGravity += LabelledBlock.all(in: without, of: entry, strikes: nil)
      }
      for run in [run, without] {
        blocks.slow += LabelledBlock.slow(in: run, of: entry, strikes: example.strikes)
      }
    }
    return blocks
  }

  /// Counts every recording with one gate.
  func scores(of models: GateModels, variant: SampleVariant = .asRecorded) throws -> CountScores {
    try scores(variant) { _ in models }
  }

  /// Counts every recording with the gate that was fitted without its fold.
  func crossValidated(
    _ blocks: LabelledBlocks, leavingOut fold: Fold, settings: ModelFit.Settings
  ) throws -> CountScores {
    var fitted: [String: GateModels] = [:]
    for entry in index.entries {
      let key = try Self.key(of: entry, fold)
      if fitted[key] != nil { continue }
      // Other walks of a walk's family stay in the fit, which is impossible without any walks.
      let rest = try blocks.filter { try Self.key(of: $0, fold) != key || (fold == .family && $0.isWalking) }
      fitted[key] = try rest.fit(settings)
    }
    return try scores(.asRecorded) { entry in try fitted[Self.key(of: entry, fold)] ?? .shipped }
  }

  private func scores(
    _ variant: SampleVariant, _ models: (RecordingIndex.Entry) throws -> GateModels
  ) throws -> CountScores {
    var scores = CountScores()
    for entry in index.entries {
      let run = DetectorRun(variant.applied(to: try Self.samples(of: entry)), models: try models(entry))
      scores.add(entry, counted: run.steps.count, duration: run.duration)
    }
    return scores
  }

  private static func samples(of entry: RecordingIndex.Entry) throws -> [AccelerationSample] {
    let reader = try RecordingReader(path: entry.path)
    var (all, samples) = ([AccelerationSample](), [AccelerationSample]())
    while try reader.read(into: &samples) { all += samples }
    return all
  }

  private static func key(of entry: RecordingIndex.Entry, _ fold: Fold) throws(FoldError) -> String {
    switch fold {
    case .dataset: return entry.dataset
    case .family: return entry.family
    case .person:
      guard let person = entry.person else { throw FoldError(path: entry.path) }
      return Self.part(of: person)
    }
  }

  private static func key(of block: LabelledBlock, _ fold: Fold) throws -> String {
    switch fold {
    case .dataset: block.dataset
    case .family: block.family
    case .person: Self.part(of: block.person ?? "")
    }
  }

  /// The group in which a person is left out: the same in every run (FNV-1a).
  private static func part(of person: String) -> String {
    let hash = person.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(hash % UInt64(Fold.people))"
  }

  /// A recording without a group cannot be excluded with it.
  struct FoldError: LabError, Hashable {
    var path: String
    var exitCode: Int32 { 65 }
    var description: String {
      "\(path) has no group; fill the column 'group' of index.csv, or exclude data sets with --leave-out dataset"
    }
  }
}

/// The blocks for each model of the gate.
struct LabelledBlocks {
  var ordinary: [LabelledBlock] = []
  /// The blocks of the same recordings with gravity removed, and restored by the detector.
  var withoutGravity: [LabelledBlock] = []
  /// The blocks of both in the longer window: slow walks, and all others.
  var slow: [LabelledBlock] = []

  func filter(_ isIncluded: (LabelledBlock) throws -> Bool) rethrows -> LabelledBlocks {
    LabelledBlocks(
      ordinary: try ordinary.filter(isIncluded), withoutGravity: try withoutGravity.filter(isIncluded),
      slow: try slow.filter(isIncluded))
  }

  /// Fits a model to each set of blocks.
  func fit(_ settings: ModelFit.Settings) throws(ModelFitError) -> GateModels {
    var slowSettings = settings
    slowSettings.trust = settings.slowTrust
    return GateModels(
      ordinary: try ModelFit(to: ordinary, settings: settings).model,
      withoutGravity: try ModelFit(to: withoutGravity, settings: settings).model,
      slow: try ModelFit(to: slow, settings: slowSettings).model)
  }
}
