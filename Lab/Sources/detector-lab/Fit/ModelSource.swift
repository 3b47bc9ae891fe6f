@testable import StepDetection

/// The fitted models as Swift source.
enum ModelSource {
  static func text(of models: GateModels) -> String {
    """
    // Written by `detector-lab fit --write`. Do not edit; run the fit again instead.

    extension WalkingModel {
      /// For samples with gravity.
      package static let shipped = WalkingModel(
    \(arguments(of: models.ordinary)))

      /// For samples without gravity, after the detector has restored it.
      package static let shippedWithoutGravity = WalkingModel(
    \(arguments(of: models.withoutGravity)))

      /// For walks of fewer than 65 steps a minute.
      package static let shippedSlow = WalkingModel(
    \(arguments(of: models.slow)))

      /// The same without gravity.
      package static let shippedSlowWithoutGravity = WalkingModel(
    \(arguments(of: models.slowWithoutGravity)))
    }

    """
  }

  private static func arguments(of model: WalkingModel) -> String {
    let bias = model.bias.map(text)
    return "    knots: [\n" + lines(model.knots) + "    ],\n    slopes: [\n" + lines(model.slopes)
      + "    ],\n    bias: [" + bias.joined(separator: ", ") + "]"
  }

  /// Zero without a sign.
  private static func text(_ number: Float) -> String { number == 0 ? "0" : "\(number)" }

  /// The numbers in lines that are filled up to 120 columns, as the formatter allows.
  private static func lines(_ numbers: [Float]) -> String {
    var lines: [String] = []
    for number in numbers.map({ text($0) + "," }) {
      if let last = lines.last, last.count + 1 + number.count <= 120 {
        lines[lines.count - 1] += " " + number
      } else {
        lines.append("      " + number)
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
