import StepDetection

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
    let knots = rows(model.knots, of: WalkingModel.knotsPerFeature)
    let slopes = rows(model.slopes, of: WalkingModel.parts)
    let bias = model.bias.map(text)
    return "    knots: [\n" + lines(knots) + "    ],\n    slopes: [\n" + lines(slopes) + "    ],\n    bias: ["
      + bias.joined(separator: ", ") + "]"
  }

  private static func rows(_ numbers: [Float], of count: Int) -> [[String]] {
    stride(from: 0, to: numbers.count, by: count).map { numbers[$0..<($0 + count)].map(text) }
  }

  /// Zero without a sign.
  private static func text(_ number: Float) -> String { number == 0 ? "0" : "\(number)" }

  private static func lines(_ rows: [[String]]) -> String {
    rows.map { "      " + $0.joined(separator: ", ") + ",\n" }.joined()
  }
}
