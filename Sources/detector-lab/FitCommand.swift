import ArgumentParser
import Drawing
import StepDetection

/// `detector-lab fit`: where the gate's constants come from.
struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit the gate to a folder of labelled recordings",
    discussion: """
      FOLDER/index.csv lists the recordings: columns file and true_steps, and if known dataset, activity, group (a \
      person) and events (a file with one true foot strike a line, in seconds since the first sample). Paths are \
      relative to the folder. Recordings with 0 true steps teach what walking is not.

      Prints the constants as Tuning.swift has them, and how well they separate walking from the rest. Fitted on other \
      recordings, they will differ; --leave-out tells what they are worth on people or data sets they never saw.

      EXAMPLES
        detector-lab fit recordings
        detector-lab fit recordings --evaluate --leave-out group
      """)

  @Argument(help: "A folder with an index.csv.")
  var folder: String

  @Option(name: .customLong("inverse-penalty"), help: "C of the regression; larger trusts the data more.")
  var inversePenalty = 0.3

  @Flag(help: "Count all recordings with the shipped constants and with the fitted ones.")
  var evaluate = false

  @Option(name: .customLong("leave-out"), help: "Count each group or dataset with a gate fitted to the others.")
  var leaveOut: LabelledRecordings.Fold?

  @Option(help: "Data sets, separated by commas, whose errors make the macro MAPE. (default: all with walks)")
  var macro: String?

  func validate() throws {
    guard inversePenalty.isFinite, inversePenalty > 0 else {
      throw ValidationError("--inverse-penalty is \(inversePenalty); give a number above 0")
    }
  }

  func run() throws {
    let recordings = LabelledRecordings(index: try RecordingIndex(folder: folder))
    let blocks = try recordings.blocks()
    let fit = try GateFit(to: blocks, inversePenalty: inversePenalty)
    let walking = blocks.count { $0.isWalking }
    try Output.write(
      "\(recordings.index.entries.count) recordings, \(blocks.count) blocks: \(walking) walking, "
        + "\(blocks.count - walking) not\n\n")
    try Output.write(Self.source(of: fit.gate) + "\n")
    try Output.write(Self.comparison(of: fit.gate, on: blocks))
    if evaluate {
      try Output.write("\nthe shipped gate\n" + report(recordings.scores(of: nil)))
      try Output.write(
        "\nthe fitted gate, on the recordings it was fitted to\n" + report(recordings.scores(of: fit.gate)))
    }
    if let leaveOut {
      let scores = try recordings.crossValidated(blocks, leavingOut: leaveOut, inversePenalty: inversePenalty)
      try Output.write("\nthe gate fitted without each \(leaveOut.rawValue), on what was left out\n" + report(scores))
    }
  }

  private func report(_ scores: CountScores) -> String {
    scores.report(macroOver: macro?.split(separator: ",").map(String.init))
  }

  /// The constants in the form of Tuning.swift.
  static func source(of gate: TrialGate) -> String {
    let names = ["strideTerm", "halfStrideTerm", "amplitudeTerm", "shareTerm", "shakingTerm"]
    let lines = zip(names, gate.terms).map { name, term in
      let numbers = [term.low, term.knot, term.high, term.below, term.above].map { $0.short(2) }
      return "static let \(name) = PiecewiseLinear("
        + zip(["low", "knot", "high", "below", "above"], numbers).map { "\($0): \($1)" }.joined(separator: ", ") + ")"
    }
    return (["static let gateBias: Float = \(gate.bias.short(2))"] + lines).joined(separator: "\n") + "\n"
  }

  /// The fitted gate beside the shipped one.
  static func comparison(of gate: TrialGate, on blocks: [LabelledBlock]) -> String {
    let (shipped, percent) = (TrialGate.shipped, { (share: Double) in (100 * share).fixed(2).right(10) })
    var text = "blocks       \("AUC".right(10))\("log-loss".right(10))\("walking %".right(10))\("others %".right(10))\n"
    for (name, gate) in [("fitted", gate), ("shipped", shipped)] {
      let quality = Separation(of: gate, on: blocks)
      text += "  \(name.left(11))\(quality.area.fixed(4).right(10))\(quality.loss.fixed(4).right(10))"
      text += percent(quality.sensitivity) + percent(quality.specificity) + "\n"
    }
    let alike = Separation.agreement(gate, shipped, on: blocks)
    return text + "fitted against shipped: evidence correlates with r = \(alike.correlation.fixed(4)), differs by "
      + "\(alike.difference.fixed(2)) on average, and lies on the same side of zero in "
      + "\((100 * alike.sameSide).fixed(1)) % of the blocks\n"
  }
}

extension LabelledRecordings.Fold: ExpressibleByArgument {}
