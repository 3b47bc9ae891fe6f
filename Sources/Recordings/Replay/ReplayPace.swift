/// How fast a recording is replayed.
public struct ReplayPace: Sendable, Hashable {
  /// Seconds of recording for a second on the clock; `nil` is as fast as it goes.
  let factor: Double?

  /// As fast as it goes.
  public static let unpaced = ReplayPace(factor: nil)
  /// As it was walked.
  public static let realTime = ReplayPace(factor: 1)

  private init(factor: Double?) { self.factor = factor }

  /// So many times faster than it was walked (below 1: slower); nothing when `times` is not a finite number above zero.
  public init?(times: Double) {
    guard times.isFinite, times > 0 else { return nil }
    factor = times
  }

  /// How long so many nanoseconds of recording take on the clock.
  func duration(of nanoseconds: Int64) -> Duration {
    guard let factor else { return .zero }
    if factor == 1 { return .nanoseconds(nanoseconds) }
    // to the whole nanosecond; 9.2e18 ns is as long as an Int64 can say
    return .nanoseconds(Int64(min(9.2e18, max(-9.2e18, (Double(nanoseconds) / factor).rounded()))))
  }
}
