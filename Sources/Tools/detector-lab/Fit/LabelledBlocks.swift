import StepDetection

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
      ordinary: try FitRows(ordinary, readsShape: true), withoutGravity: try FitRows(withoutGravity),
      slow: try FitRows(slow))
  }
}

/// The inputs of the fit of each model of the gate.
struct GateRows {
  let ordinary: FitRows
  let withoutGravity: FitRows
  let slow: FitRows

  /// Fits a model to some of the rows of each.
  func fit(
    _ settings: ModelFit.Settings, including isIncluded: (LabelledBlock) -> Bool = { _ in true }
  ) throws(ModelFitError) -> GateModels {
    let ordinary = try ModelFit(to: ordinary, settings: settings, including: isIncluded).model
    if settings.isOnlyOrdinary {
      var models = GateModels.shipped
      models.ordinary = ordinary
      return models
    }
    var (settingsWithoutGravity, slowSettings) = (settings, settings)
    settingsWithoutGravity.trust = settings.trustWithoutGravity
    slowSettings.trust = settings.slowTrust
    return GateModels(
      ordinary: ordinary,
      withoutGravity: try ModelFit(to: withoutGravity, settings: settingsWithoutGravity, including: isIncluded).model,
      slow: try ModelFit(to: slow, settings: slowSettings, including: isIncluded).model)
  }
}
