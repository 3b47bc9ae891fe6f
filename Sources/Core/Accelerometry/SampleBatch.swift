/// Samples in order of their timestamps, and the loss before the first of them.
///
/// Sources deliver batches, not samples: a batch is the result of one read of a buffer, so the cost of passing data
/// from a thread to a task is paid once for many samples, and back-pressure reaches the kernel's buffer.
///
///     let sample = AccelerationSample(timestamp: .zero, acceleration: [0, 0, 1])
///     let batch = SampleBatch(samples: [sample], gap: .overflow)
public struct SampleBatch: Sendable, Hashable {
  /// Lost samples, which tell a counter that time passed without samples.
  public enum Gap: Sendable, Hashable {
    /// The buffer overflowed; the number of lost samples is unknown.
    case overflow
    /// No samples for this long: unplugged, suspended, paused.
    case interruption(Duration)
  }

  /// The samples, by rising timestamp.
  public var samples: [AccelerationSample]
  /// The loss between the previous batch and this one, if any.
  public var gap: Gap?
  /// A problem that the source found in itself since the previous batch: a sentence for people.
  public var warning: String?

  /// What the source says about itself at its end; `nil` before. The batch then has no samples.
  public var verdict: SourceVerdict?

  /// Creates a batch.
  public init(
    samples: [AccelerationSample], gap: Gap? = nil, warning: String? = nil, verdict: SourceVerdict? = nil
  ) {
    (self.samples, self.gap, self.warning, self.verdict) = (samples, gap, warning, verdict)
  }
}
