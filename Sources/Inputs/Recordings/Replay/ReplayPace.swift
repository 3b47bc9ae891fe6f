import Platform

/// The pace of a replay.
public struct ReplayPace: Sendable, Hashable {
  /// Seconds of recording per second on the clock; `nil` for unpaced.
  let factor: Double?
  /// Whether a read may wait indefinitely, so that it needs a thread of its own.
  let waits: Bool

  /// As fast as possible.
  public static let unpaced = ReplayPace(factor: nil)
  /// In real time.
  public static let realTime = ReplayPace(factor: 1)
  /// A recording that arrives while it is made, as on standard input. Samples are read only on request, so back-pressure reaches the
  /// pipe.
  public static let asItArrives = ReplayPace(factor: nil, waits: true)

  private init(factor: Double?, waits: Bool = false) { (self.factor, self.waits) = (factor, waits) }

  /// A multiple of real time (below 1: slower); `nil` unless `times` is a finite number above zero.
  public init?(times: Double) {
    guard times.isFinite, times > 0 else { return nil }
    self.init(factor: times)
  }

  /// The pace at which a path is followed: as it arrives from a pipe, a terminal or another device, whose reads may block; otherwise, and
  /// for missing files and folders, which cause an error when opened, in real time.
  public init(following path: String) {
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    self = isThere && kind != S_IFREG && kind != S_IFDIR ? .asItArrives : .realTime
  }

  /// The duration on the clock of this many nanoseconds of recording.
  func duration(of nanoseconds: Int64) -> Duration {
    guard let factor else { return .zero }
    if factor == 1 { return .nanoseconds(nanoseconds) }
    // In whole nanoseconds, within the range of an Int64.
    return .nanoseconds(Int64(min(9.2e18, max(-9.2e18, (Double(nanoseconds) / factor).rounded()))))
  }
}
