/// The damage in the samples and how it was handled: every repair is reported, and so is movement that cannot be judged.
public struct SampleDamage: Sendable, Hashable {
  /// One kind of damage.
  public struct Finding: Sendable, Hashable {
    /// The number of occurrences.
    public private(set) var count = 0
    /// The time of the first occurrence, on the sensor's clock; `nil` if there is none.
    public private(set) var first: Duration?

    mutating func note(at nanoseconds: Int64, count more: Int = 1) {
      if first == nil { first = .nanoseconds(nanoseconds) }
      count += more
    }
  }

  /// Samples that cannot be accelerations: not finite, or beyond 10⁵ g. They were dropped.
  public internal(set) var absurd = Finding()
  /// One or two samples far from all their neighbours. They were dropped.
  public internal(set) var spikes = Finding()
  /// Samples that had overflowed to the other end of the range. They were corrected.
  public internal(set) var overflows = Finding()
  /// Samples at the end of the sensor's range. The clipped part was estimated.
  public internal(set) var saturated = Finding()
  /// The range that was exceeded, in g; `nil` unless samples were saturated.
  public internal(set) var range: Float?
  /// Stretches of identical samples during motion. They were not changed.
  public internal(set) var frozen = Finding()
  /// The total duration of those stretches.
  public internal(set) var frozenDuration = Duration.zero
  /// The sampling frequency in Hz, if it is too low for this movement; otherwise `nil`.
  public internal(set) var insufficientFrequency: Double?

  /// The duration of movement without gravity that repeats as steps do and was not counted, in stretches of ten seconds or
  /// more. It may be walking: without gravity, the swing of an arm hides the steps.
  public internal(set) var uncertain = Duration.zero

  /// Whether there was no damage.
  public var isEmpty: Bool { self == SampleDamage() }
}
