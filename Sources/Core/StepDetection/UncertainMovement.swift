/// Movement without gravity that repeats as steps do and is not counted.
///
/// Where gravity was removed, the vertical is unknown, and a strongly swinging arm looks like an exercise. A count of
/// zero would then be wrong without a word, so the duration is reported.
struct UncertainMovement: Sendable {
  /// The number of blocks of all long stretches that are over.
  private(set) var blocks = 0
  private var open = 0

  /// Takes a block.
  /// - Parameters:
  ///   - features: of the window; `nil` if it is quiet or contains gravity.
  ///   - isWalking: whether it is part of a walk.
  mutating func take(_ features: BlockFeatures?, isWalking: Bool) {
    if isWalking {
      // The beginning of a walk is found later, up to 20 s back.
      open = 0
    } else if let features, features.strideScore > Tuning.uncertainScore,
      features.amplitude > Tuning.uncertainAmplitude
    {
      open += 1
    } else {
      end()
    }
  }

  /// Ends the stretch.
  mutating func end() {
    if open >= Tuning.uncertainBlocks { blocks += open }
    open = 0
  }
}
