import StepDetection

/// The fitted models as Swift source.
enum ModelSource {
  static func text(of models: GateModels) -> String {
    """
    // Written by `detector-lab fit --write`. Do not edit: fit anew instead.

    extension WalkingModel {
      /// For recordings that feel gravity.
      package static let shipped = WalkingModel(
    \(arguments(of: models.ordinary)))

      /// For recordings without gravity, which the detector has put back.
      package static let shippedWithoutGravity = WalkingModel(
    \(arguments(of: models.withoutGravity)))
    }

    """
  }

  private static func arguments(of model: WalkingModel) -> String {
    let knots = model.knots.map { k in (0..<WalkingModel.knotsPerFeature).map { "\(k[$0])" } }
    let slopes = model.slopes.map { row in (0..<WalkingModel.parts).map { "\(row[$0])" } }
    let bias = (0..<WalkingModel.parts).map { "\(model.bias[$0])" }
    return "    knots: [\n" + lines(knots) + "    ],\n    slopes: [\n" + lines(slopes) + "    ],\n    bias: ["
      + bias.joined(separator: ", ") + "]"
  }

  private static func lines(_ rows: [[String]]) -> String {
    rows.map { "      " + $0.joined(separator: ", ") + ",\n" }.joined()
  }
}
