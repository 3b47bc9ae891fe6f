@testable import StepDetection

/// The fitted models as the table that the detector reads: `Gate/models.txt`.
enum ModelSource {
  static func text(of models: GateModels) -> String {
    """
    # The models of the gate, in thousandths; written by `detector-lab fit --write`.
    # A line of each feature has its five knots, and the slopes of the eight models after each of the first four;
    # the line after the last feature has the bias of each model.
    # Samples with gravity
    \(lines(of: models.ordinary))
    # Samples without gravity, after the detector has restored it
    \(lines(of: models.withoutGravity))
    # Walks of fewer than 65 steps a minute
    \(lines(of: models.slow))
    # The same without gravity
    \(lines(of: models.slowWithoutGravity))

    """
  }

  private static func lines(of model: WalkingModel) -> String {
    let (places, width) = (WalkingModel.knotsPerFeature, WalkingModel.hinges * WalkingModel.parts)
    let features = (0..<model.knots.count / places).map { feature in
      model.knots[(feature * places)..<((feature + 1) * places)]
        + model.slopes[(feature * width)..<((feature + 1) * width)]
    }
    return (features + [model.bias[...]])
      .map { $0.map { "\(Int(($0 * 1000).rounded()))" }.joined(separator: " ") }.joined(separator: "\n")
  }
}
