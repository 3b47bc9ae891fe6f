/// How far one step carries a walker.
///
/// Without a measured step length, the *walk ratio* gives it: within one person, step length divided by step rate
/// stays nearly the same over the whole range of comfortable speeds, about 0.0063 m per step/min in healthy adults
/// (Sekiya N., Nagasaki H. "Reproducibility of the walking patterns of normal young adults: test-retest reliability of
/// the walk ratio (step-length/step-rate)". Gait & Posture 7 (1998) 225-227). It grows with the legs, so it is scaled
/// by body height against the 1.70 m of the walkers it was measured on. At 115 steps/min and 1.70 m it gives 0.72 m,
/// 0.43 of the height.
///
/// Expect an error of 10 % for a single person; a given step length is better. The ratio does not hold for running,
/// where a step also flies: there the estimate is a lower bound.
///
///     StepLengthModel.walkRatio(height: 1.72).length(atCadence: 1.9)  // 0.727 m
///     StepLengthModel.fixed(0.7).length(atCadence: nil)  // 0.7 m
public struct StepLengthModel: Sendable, Hashable {
  /// Metres per (step/min), for a walker of ``referenceHeight``.
  public static let walkRatio = 0.0063
  /// Metres: the height at which ``walkRatio`` holds.
  public static let referenceHeight = 1.70
  /// Steps/min between which the walk ratio holds; outside, the nearer end is used.
  public static let cadenceRange = 60.0...150.0
  /// Steps/min taken for a step whose cadence is not known.
  public static let usualCadence = 110.0

  private enum Basis: Hashable {
    case given(Double)
    case height(Double)
  }
  private let basis: Basis

  /// Every step is this long, in metres.
  public static func fixed(_ metres: Double) -> StepLengthModel { StepLengthModel(basis: .given(metres)) }

  /// A step's length follows the cadence and the body height in metres.
  public static func walkRatio(height: Double = referenceHeight) -> StepLengthModel {
    StepLengthModel(basis: .height(height))
  }

  /// The length in metres of a step taken at a cadence in steps a second; `nil` where the cadence is not known.
  public func length(atCadence cadence: Double?) -> Double {
    switch basis {
    case .given(let metres): return metres
    case .height(let height):
      let perMinute = cadence.map { $0 * 60 } ?? Self.usualCadence
      let walked = min(max(perMinute, Self.cadenceRange.lowerBound), Self.cadenceRange.upperBound)
      return Self.walkRatio * walked * height / Self.referenceHeight
    }
  }
}
