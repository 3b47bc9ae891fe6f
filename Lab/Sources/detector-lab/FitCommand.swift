import ArgumentParser

@testable import Drawing
@testable import StepDetection

/// `detector-lab fit`: fits the models of the gate.
struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit the gate to folders of labelled recordings",
    discussion: """
      FOLDER/index.csv lists the recordings: columns file and true_steps and, if known, dataset, activity, group (a \
      person), source, position and events (a file with one true foot strike per line, in seconds since the first \
      sample). Paths are relative to the folder. Recordings with 0 true steps are examples of other activities. Walks \
      without a reference count leave true_steps empty and give a range of plausible counts, lower and upper.

      Fits one model to the recordings and one to slow walks, each with and without gravity, and prints how well \
      each separates walking from the rest. --write replaces the detector's models. --leave-out prints their accuracy \
      on people, sources, data sets, activities or kinds of movement that were excluded from the fit, as the mean over \
      --seeds fits. Choose settings only by these figures. --confidence computes the table that maps the evidence of a \
      bout to its confidence, from the bouts that were found in what the first --leave-out left out.

      EXAMPLES
        detector-lab fit recordings --evaluate
        detector-lab fit recordings more --leave-out source --leave-out person --leave-out kind --seeds 3
        detector-lab fit recordings more --leave-out person --confidence
        detector-lab fit recordings --write Sources/Core/StepDetection/Gate/models.txt
      """)

  @OptionGroup var options: FitOptions

  @Option(help: "Fit only this model (\(GateModel.names)), and keep the shipped ones for the others. May be repeated.")
  var only: [GateModel] = []

  @Flag(help: "Count all recordings with the shipped gate and with the fitted one.")
  var evaluate = false

  @Flag(help: "Also print what was left out by data set and activity.")
  var details = false

  @Flag(help: "Compute the table of confidence, from what was left out.")
  var confidence = false

  @Option(help: "Write the models to this file, as the detector reads them.")
  var write: String?

  func validate() throws {
    guard !confidence || !options.leaveOut.isEmpty else {
      throw ValidationError("--confidence needs the bouts of people who were left out; add --leave-out person")
    }
  }

  func run() throws {
    let recordings = try options.recordings()
    let blocks = try options.blocks(of: recordings)
    var settings = options.settings
    if !only.isEmpty { settings.fitted = Set(only) }
    let rows = try blocks.rows()
    let models = try rows.fit(settings)
    try Output.write(Self.summary(of: blocks, in: recordings) + Self.comparisons(of: models, on: blocks))
    if let write { try TextFile.write(ModelSource.text(of: models), to: write) }
    if evaluate {
      try Output.write("\nthe shipped gate\n" + report(recordings, .shipped))
      try Output.write("\nthe fitted gate, on the recordings of the fit\n" + report(recordings, models))
      try Output.write("  \(MadeWalks(1000, models: models).summary)\n")
      try Output.write(
        "\nthe fitted gate, on the same recordings without gravity\n"
          + report(recordings, models, variant: .withoutGravity))
    }
    if evaluate, options.negatives > 0 {
      try Output.write(
        "\nsteps an hour in movements that are no gait\n" + Self.rates(of: models, ofEach: options.negatives))
    }
    if !options.leaveOut.isEmpty { try Output.write("\n" + LeaveOutTable.header) }
    for (place, fold) in options.leaveOut.enumerated() {
      var bouts: [JudgedBout] = []
      let scores = try (1...UInt64(options.seeds)).map { seed in
        settings.seed = seed
        let runs = try recordings.runs(leavingOut: fold, of: rows, settings: settings) { recording, models in
          guard confidence, place == 0 else { return }
          bouts += JudgedBout.all(
            in: recording.samples, of: recording.entry, strikes: recording.strikes, models: models)
        }
        return recordings.scores(of: runs)
      }
      for part in scores[0].indices {
        let folder = scores[0][part].folder.map { "in \($0)" }
        let line = LeaveOutTable(macro: options.macroSets).line(folder ?? fold.rawValue, scores.map { $0[part].scores })
        try Output.write(line)
      }
      if details, let first = scores[0].first?.scores { try Output.write(report(first) + first.worstActivities(30)) }
      if confidence, place == 0 { try Output.write("\n" + ConfidenceFit.report(on: bouts)) }
    }
  }

  private func report(_ scores: CountScores) -> String { scores.report(macroOver: options.macroSets) }

  private func report(
    _ recordings: LabelledRecordings, _ models: GateModels, variant: SampleVariant = .asRecorded
  ) -> String {
    report(recordings.scores(of: recordings.runs(of: models, variant: variant))[0].scores)
  }

  /// A line for each family of synthetic movements, and their mean.
  private static func rates(of models: GateModels, ofEach count: Int) -> String {
    let shipped = UniversalNegatives.stepsPerHour(countedBy: .shipped, ofEach: count)
    let fitted = UniversalNegatives.stepsPerHour(countedBy: models, ofEach: count)
    let line = { (name: String, first: Double, second: Double) in
      "  \(name.left(16))\(first.fixed(1).right(10))\(second.fixed(1).right(10))\n"
    }
    let mean = { (rates: [(family: UniversalNegatives.Family, rate: Double)]) in
      rates.reduce(0) { $0 + $1.rate } / Double(max(1, rates.count))
    }
    return "  \("".left(16))\("shipped".right(10))\("fitted".right(10))\n"
      + zip(shipped, fitted).map { line($0.family.rawValue, $0.rate, $1.rate) }.joined()
      + line("mean", mean(shipped), mean(fitted))
  }

  private static func summary(of blocks: LabelledBlocks, in recordings: LabelledRecordings) -> String {
    let walking = blocks.ordinary.count { $0.isWalking }
    return "\(recordings.index.entries.count) recordings, \(blocks.ordinary.count) blocks: \(walking) walking, "
      + "\(blocks.ordinary.count - walking) not\n\n"
  }

  private static func comparisons(of models: GateModels, on blocks: LabelledBlocks) -> String {
    comparison("as recorded", models.ordinary, GateModels.shipped.ordinary, on: blocks.ordinary)
      + comparison(
        "without gravity", models.withoutGravity, GateModels.shipped.withoutGravity, on: blocks.withoutGravity)
      + comparison("slow walks", models.slow, GateModels.shipped.slow, on: blocks.slow.filter { $0.shape != nil })
      + comparison(
        "slow, no gravity", models.slowWithoutGravity, GateModels.shipped.slowWithoutGravity, on: blocks.slow)
  }

  /// Compares a fitted model with the shipped one.
  static func comparison(
    _ title: String, _ model: WalkingModel, _ shipped: WalkingModel, on blocks: [LabelledBlock]
  ) -> String {
    let percent = { (share: Double) in (100 * share).fixed(2).right(10) }
    var text =
      "\(title.left(17))\("AUC".right(10))\("log-loss".right(10))\("walking %".right(10))\("others %".right(10))\n"
    for (name, model) in [("fitted", model), ("shipped", shipped)] {
      let quality = Separation(of: model, on: blocks)
      text += "  \(name.left(15))\(quality.area.fixed(4).right(10))\(quality.loss.fixed(4).right(10))"
      text += percent(quality.sensitivity) + percent(quality.specificity) + "\n"
    }
    let alike = Separation.agreement(model, shipped, on: blocks)
    return text + "  fitted and shipped model: evidence correlates with r = \(alike.correlation.fixed(4)), differs by "
      + "\(alike.difference.fixed(2)) on average, and has the same sign in "
      + "\((100 * alike.sameSide).fixed(1)) % of the blocks\n"
  }
}

extension Fold: ExpressibleByArgument {}

extension GateModel: ExpressibleByArgument {
  fileprivate static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
