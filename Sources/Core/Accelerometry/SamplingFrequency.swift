/// The number of samples per second that a sensor delivers.
public struct SamplingFrequency: Sendable, Hashable, Comparable {
  /// Samples per second; finite and above zero.
  public let hertz: Double

  /// Creates a frequency; `nil` unless `hertz` is a finite number above zero.
  public init?(hertz: Double) {
    guard hertz.isFinite, hertz > 0 else { return nil }
    self.hertz = hertz
  }

  /// The time from one sample to the next, in nanoseconds.
  public var periodInNanoseconds: Double { 1e9 / hertz }

  /// The lower frequency comes first.
  public static func < (a: Self, b: Self) -> Bool { a.hertz < b.hertz }
}

extension SamplingFrequency: CustomStringConvertible {
  /// As in "50 Hz".
  public var description: String {
    hertz == hertz.rounded() ? "\(Int64(exactly: hertz).map(String.init) ?? "\(hertz)") Hz" : "\(hertz) Hz"
  }
}
