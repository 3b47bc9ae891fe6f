/// The length of a step.
///
/// Without a measured step length, the *walk ratio* gives it: for one person, step length divided by step rate is nearly constant
/// over the whole range of comfortable speeds, about 0.0063 m per step/min in healthy adults (Sekiya N., Nagasaki H.
/// "Reproducibility of the walking patterns of normal young adults: test-retest reliability of the walk ratio
/// (step-length/step-rate)". Gait & Posture 7 (1998) 225-227). It grows with leg length, so it is scaled by body height relative
/// to the 1.70 m of the walkers in that study. At 115 steps/min and 1.70 m it gives 0.72 m, 0.43 of the height.
///
/// Expect an error of 10 % for a single person; a given step length is better. The ratio does not hold for running,
/// which has a flight phase: the estimate is then a lower bound.
///
///     StepLengthModel.walkRatio(height: 1.72).length(atCadence: 1.9)  // 0.727 m
///     StepLengthModel.fixed(0.7).length(atCadence: nil)  // 0.7 m
public struct StepLengthModel: Sendable, Hashable {
  /// Metres per (step/min), for a walker of ``referenceHeight``.
  public static let walkRatio = 0.0063
  /// The height in metres for which ``walkRatio`` holds.
  public static let referenceHeight = 1.70
  /// The range of steps/min in which the walk ratio holds; outside, the nearer bound is used.
  public static let cadenceRange = 60.0...150.0
  /// The cadence in steps/min for a step of unknown cadence.
  public static let usualCadence = 110.0

  /// The heights in metres of people who walk.
  package static let heights = 0.5...2.6
  /// The step lengths in metres of people who walk or run.
  package static let lengths = 0.1...3.0

  private enum Basis: Hashable {
    case given(Double)
    case height(Double)
  }
  private let basis: Basis

  /// A constant step length in metres.
  public static func fixed(_ metres: Double) -> StepLengthModel { StepLengthModel(basis: .given(metres)) }

  /// A step length that depends on the cadence and the body height in metres.
  public static func walkRatio(height: Double = referenceHeight) -> StepLengthModel {
    StepLengthModel(basis: .height(height))
  }

  /// The constant step length in metres; `nil` if it depends on the cadence.
  package var measured: Double? { if case .given(let metres) = basis { metres } else { nil } }

  /// The length in metres of a step that ``walkRatio(height:)`` of the usual height gave another one, whatever its cadence.
  package func length(insteadOf usual: Double) -> Double {
    switch basis {
    case .given(let metres): metres
    case .height(let height): usual * height / Self.referenceHeight
    }
  }

  /// The length in metres of a step at a cadence in steps a second, or `nil` for an unknown cadence.
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
