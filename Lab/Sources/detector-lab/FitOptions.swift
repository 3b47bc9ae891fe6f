import ArgumentParser

/// What a fit reads and how it proceeds: the options of `detector-lab fit` and `validate`.
struct FitOptions: ParsableArguments {
  @Argument(help: "Folders with an index.csv each.")
  var folders: [String]

  @Option(help: "The number of batches of 1024 blocks.")
  var steps = 3000

  @Option(help: "The weight of the squared slopes; larger values regularise more.")
  var decay: Float = 1e-3

  @Option(help: "Added to the log-odds; below zero, a false step costs more than a missed one.")
  var trust: Float = 0.15

  @Option(help: "The same for samples without gravity.")
  var trustWithoutGravity: Float = 0

  @Option(help: "The same for slow walks, which resemble other activities more.")
  var slowTrust: Float = -2.0

  @Option(help: "Altered copies of each recording, which leave the fit with it.")
  var copies = 0

  @Option(help: "Synthetic movements without gait, of each family.")
  var negatives = 0

  @Option(help: "The share of these in the weight of what is not walking.")
  var negativeShare = 0.3

  @Option(help: "The weight of movements and walks that are easily confused, as a factor.")
  var hardWeight = 1.0

  @Option(help: "How far activities weigh what they take of an ordinary day: 0 for not, 1 for entirely.")
  var dayPower = 0.0

  @Option(help: "Sources with this text in their names have the same people, and count as one. May be repeated.")
  var samePeople: [String] = []

  @Option(help: "Count what a fit leaves out: each person, source, dataset, family or kind. May be repeated.")
  var leaveOut: [Fold] = []

  @Option(help: "The number of fits whose figures --leave-out averages.")
  var seeds = 1

  @Option(help: "Data sets, separated by commas, whose errors make the macro MAPE. (default: all with walks)")
  var macro: String?

  func validate() throws {
    guard !folders.isEmpty else { throw ValidationError("give at least one folder with an index.csv") }
    guard decay.isFinite, decay >= 0 else { throw ValidationError("--decay is \(decay); give a number from 0") }
    guard (1...1_000_000).contains(steps) else {
      throw ValidationError("--steps is \(steps); give a number from 1 to 1000000")
    }
    guard trust.isFinite else { throw ValidationError("--trust is \(trust); give a number") }
    guard trustWithoutGravity.isFinite else {
      throw ValidationError("--trust-without-gravity is \(trustWithoutGravity); give a number")
    }
    guard slowTrust.isFinite else { throw ValidationError("--slow-trust is \(slowTrust); give a number") }
    for (name, count) in [("--copies", copies), ("--negatives", negatives)] where !(0...10_000).contains(count) {
      throw ValidationError("\(name) is \(count); give a number from 0 to 10000")
    }
    guard negativeShare > 0, negativeShare < 1 else {
      throw ValidationError("--negative-share is \(negativeShare); give a number between 0 and 1")
    }
    guard hardWeight.isFinite, hardWeight > 0 else {
      throw ValidationError("--hard-weight is \(hardWeight); give a number above 0")
    }
    guard (0...1).contains(dayPower) else {
      throw ValidationError("--day-power is \(dayPower); give a number from 0 to 1")
    }
    guard (1...100).contains(seeds) else { throw ValidationError("--seeds is \(seeds); give a number from 1 to 100") }
  }

  /// The data sets of ``macro``; `nil` for all with walks.
  var macroSets: [String]? { macro?.split(separator: ",").map(String.init) }

  var settings: ModelFit.Settings {
    var settings = ModelFit.Settings(steps: steps, decay: decay, trust: trust, slowTrust: slowTrust)
    settings.universalShare = negativeShare
    settings.trustWithoutGravity = trustWithoutGravity
    return settings
  }

  func recordings() throws -> LabelledRecordings {
    try LabelledRecordings(index: RecordingIndex(folders: folders, joined: samePeople))
  }

  func blocks(of recordings: LabelledRecordings) throws -> LabelledBlocks {
    try recordings.blocks(
      adding: .init(copies: copies, negatives: negatives, hardWeight: hardWeight, dayPower: dayPower))
  }
}
