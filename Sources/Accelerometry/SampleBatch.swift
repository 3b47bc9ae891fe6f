/// Some samples in the order of their timestamps, and what was lost before the first of them.
///
/// Sources hand out batches, not samples: a batch is what one read of a buffer gave, so the cost of crossing from a
/// thread to a task is paid once for many samples, and back-pressure reaches the kernel's buffer.
///
///     let sample = AccelerationSample(timestamp: .zero, acceleration: [0, 0, 1])
///     let batch = SampleBatch(samples: [sample], gap: .overflow)
public struct SampleBatch: Sendable, Hashable {
  /// Lost samples are data: a counter has to know that time passed without samples.
  public enum Gap: Sendable, Hashable {
    /// The buffer ran over before anybody read it; how many samples were lost is not known.
    case overflow
    /// Nothing came for this long: unplugged, suspended, paused.
    case interruption(Duration)
  }

  /// The samples, by rising timestamp.
  public var samples: [AccelerationSample]
  /// What was lost between the previous batch and this one, if anything.
  public var gap: Gap?
  /// What the source has found to be wrong with itself since the previous batch: a sentence for people.
  public var warning: String?

  /// Makes a batch.
  public init(samples: [AccelerationSample], gap: Gap? = nil, warning: String? = nil) {
    self.samples = samples
    self.gap = gap
    self.warning = warning
  }
}
