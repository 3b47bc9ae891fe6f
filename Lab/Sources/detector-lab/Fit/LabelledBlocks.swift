@testable import StepDetection

/// The blocks for each model of the gate.
struct LabelledBlocks {
  var ordinary: [LabelledBlock] = []
  /// The blocks of the same recordings with gravity removed, and restored by the detector.
  var withoutGravity: [LabelledBlock] = []
  /// The blocks of both in the longer window: slow walks, and all others.
  var slow: [LabelledBlock] = []

  mutating func append(_ other: LabelledBlocks) {
    ordinary += other.ordinary
    withoutGravity += other.withoutGravity
    slow += other.slow
  }

  mutating func change(_ change: (inout LabelledBlock) -> Void) {
    for i in ordinary.indices { change(&ordinary[i]) }
    for i in withoutGravity.indices { change(&withoutGravity[i]) }
    for i in slow.indices { change(&slow[i]) }
  }

  /// The inputs of the fit of each model.
  func rows() throws(ModelFitError) -> GateRows {
    GateRows(
      ordinary: try FitRows(ordinary, readsShape: true), withoutGravity: try FitRows(withoutGravity, readsShape: true),
      slow: try FitRows(slow, readsShape: true), slowWithoutGravity: try FitRows(slow))
  }
}

/// The inputs of the fit of each model of the gate.
struct GateRows {
  let ordinary: FitRows
  let withoutGravity: FitRows
  let slow: FitRows
  /// With and without gravity: there are few slow walks.
  let slowWithoutGravity: FitRows

  /// Fits a model to some of the rows of each.
  func fit(
    _ settings: ModelFit.Settings, including isIncluded: (LabelledBlock) -> Bool = { _ in true }
  ) throws(ModelFitError) -> GateModels {
    var models = GateModels.shipped
    for model in settings.fitted {
      var settings = settings
      switch model {
      case .ordinary: models.ordinary = try ModelFit(to: ordinary, settings: settings, including: isIncluded).model
      case .withoutGravity:
        settings.trust = settings.trustWithoutGravity
        models.withoutGravity = try ModelFit(to: withoutGravity, settings: settings, including: isIncluded).model
      case .slow, .slowWithoutGravity:
        settings.trust = settings.slowTrust
        let fitted = try ModelFit(
          to: model == .slow ? slow : slowWithoutGravity, settings: settings, including: isIncluded
        ).model
        if model == .slow { models.slow = fitted } else { models.slowWithoutGravity = fitted }
      }
    }
    return models
  }
}

/// One of the models of the gate.
enum GateModel: String, CaseIterable, Sendable {
  case ordinary, slow
  case withoutGravity = "without-gravity"
  case slowWithoutGravity = "slow-without-gravity"
}
