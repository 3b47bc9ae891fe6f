/// What was wrong with the samples, and what was made of it: nothing is repaired in silence.
public struct SampleDamage: Sendable, Hashable {
  /// One kind of damage.
  public struct Finding: Sendable, Hashable {
    /// How often.
    public private(set) var count = 0
    /// When first, on the sensor's clock; `nil` when never.
    public private(set) var first: Duration?

    mutating func note(at nanoseconds: Int64, count more: Int = 1) {
      if first == nil { first = .nanoseconds(nanoseconds) }
      count += more
    }
  }

  /// Samples that were no acceleration: not finite, or beyond 10⁵ g. They were left out.
  public internal(set) var absurd = Finding()
  /// One or two samples far from all around them. They were left out.
  public internal(set) var spikes = Finding()
  /// Samples that had overflowed to the other end of the range. They were put back beyond it.
  public internal(set) var overflows = Finding()
  /// Samples at the end of the sensor's range. What they lack was estimated.
  public internal(set) var saturated = Finding()
  /// The range that was exceeded, in g; `nil` unless samples were saturated.
  public internal(set) var range: Float?
  /// Stretches of identical samples in the midst of motion. They were taken as they are.
  public internal(set) var frozen = Finding()
  /// How long those stretches were in all.
  public internal(set) var frozenDuration = Duration.zero
  /// The sampling frequency in Hz, where it is too low for this movement; `nil` where it is not.
  public internal(set) var insufficientFrequency: Double?

  /// Whether there was none.
  public var isEmpty: Bool { self == SampleDamage() }
}
