import ArgumentParser
import Drawing
import StepDetection

/// `detector-lab fit`: fits the models of the gate.
struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit the gate to a folder of labelled recordings",
    discussion: """
      FOLDER/index.csv lists the recordings: columns file and true_steps and, if known, dataset, activity, group (a \
      person), source and events (a file with one true foot strike per line, in seconds since the first sample). Paths \
      are relative to the folder. Recordings with 0 true steps are examples of other activities. Walks without a \
      reference count leave true_steps empty and give a range of plausible counts, lower and upper.

      Fits one model to the recordings, one to the same without gravity and one to slow walks, and prints how well \
      each separates walking from the rest. --write replaces the detector's models. --leave-out prints their accuracy \
      on people, data sets or kinds of movement that were excluded from the fit.

      EXAMPLES
        detector-lab fit recordings --evaluate
        detector-lab fit recordings --leave-out person --leave-out dataset --leave-out family
        detector-lab fit recordings --write Sources/StepDetection/WalkingModel+Shipped.swift
      """)

  @Argument(help: "A folder with an index.csv.")
  var folder: String

  @Option(help: "The number of passes over the blocks.")
  var epochs = 14

  @Option(help: "The weight of the squared slopes; larger values regularise more.")
  var decay: Float = 1e-3

  @Option(help: "Added to the log-odds; below zero, a false step costs more than a missed one.")
  var trust: Float = -0.1

  @Option(help: "The same for slow walks, which resemble other activities more.")
  var slowTrust: Float = -2.0

  @Flag(help: "Count all recordings with the shipped gate and with the fitted one.")
  var evaluate = false

  @Option(help: "Count each person, dataset or family of activities with a gate fitted to the others. May be repeated.")
  var leaveOut: [LabelledRecordings.Fold] = []

  @Option(help: "Data sets, separated by commas, whose errors make the macro MAPE. (default: all with walks)")
  var macro: String?

  @Option(help: "Write the models as Swift source to this file.")
  var write: String?

  func validate() throws {
    guard decay.isFinite, decay >= 0 else { throw ValidationError("--decay is \(decay); give a number from 0") }
    guard (1...1000).contains(epochs) else {
      throw ValidationError("--epochs is \(epochs); give a number from 1 to 1000")
    }
    guard trust.isFinite else { throw ValidationError("--trust is \(trust); give a number") }
    guard slowTrust.isFinite else { throw ValidationError("--slow-trust is \(slowTrust); give a number") }
  }

  func run() throws {
    let recordings = LabelledRecordings(index: try RecordingIndex(folder: folder))
    let blocks = try recordings.blocks()
    let settings = ModelFit.Settings(epochs: epochs, decay: decay, trust: trust, slowTrust: slowTrust)
    let models = try blocks.fit(settings)
    let walking = blocks.ordinary.count { $0.isWalking }
    try Output.write(
      "\(recordings.index.entries.count) recordings, \(blocks.ordinary.count) blocks: \(walking) walking, "
        + "\(blocks.ordinary.count - walking) not\n\n")
    try Output.write(Self.comparison("as recorded", models.ordinary, WalkingModel.shipped, on: blocks.ordinary))
    try Output.write(
      Self.comparison(
        "without gravity", models.withoutGravity, WalkingModel.shippedWithoutGravity, on: blocks.withoutGravity))
    try Output.write(Self.comparison("slow walks", models.slow, WalkingModel.shippedSlow, on: blocks.slow))
    if let write { try TextFile.write(ModelSource.text(of: models), to: write) }
    if evaluate {
      try Output.write("\nthe shipped gate\n" + report(recordings.scores(of: .shipped)))
      try Output.write(
        "\nthe fitted gate, on the recordings of the fit\n" + report(recordings.scores(of: models)))
      try Output.write(
        "\nthe fitted gate, on the same recordings without gravity\n"
          + report(recordings.scores(of: models, variant: .withoutGravity)))
    }
    for fold in leaveOut {
      let scores = try recordings.crossValidated(blocks, leavingOut: fold, settings: settings)
      try Output.write("\nthe gate fitted without each \(fold.rawValue), on the excluded recordings\n" + report(scores))
    }
  }

  private func report(_ scores: CountScores) -> String {
    scores.report(macroOver: macro?.split(separator: ",").map(String.init))
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

extension LabelledRecordings.Fold: ExpressibleByArgument {}
