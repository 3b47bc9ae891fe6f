/// The pace of a replay.
public struct ReplayPace: Sendable, Hashable {
  /// Seconds of recording per second on the clock; `nil` for unpaced.
  let factor: Double?

  /// As fast as possible.
  public static let unpaced = ReplayPace(factor: nil)
  /// In real time.
  public static let realTime = ReplayPace(factor: 1)

  private init(factor: Double?) { self.factor = factor }

  /// A multiple of real time (below 1: slower); `nil` unless `times` is a finite number above zero.
  public init?(times: Double) {
    guard times.isFinite, times > 0 else { return nil }
    factor = times
  }

  /// The duration on the clock of this many nanoseconds of recording.
  func duration(of nanoseconds: Int64) -> Duration {
    guard let factor else { return .zero }
    if factor == 1 { return .nanoseconds(nanoseconds) }
    // In whole nanoseconds, within the range of an Int64.
    return .nanoseconds(Int64(min(9.2e18, max(-9.2e18, (Double(nanoseconds) / factor).rounded()))))
  }
}
