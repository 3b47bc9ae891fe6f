/// The clock of a sample's timestamp.
public enum SensorClock: String, Sendable, Hashable, CaseIterable {
  /// `CLOCK_MONOTONIC`: stops while the machine sleeps.
  case monotonic
  /// `CLOCK_BOOTTIME`: continues while the machine sleeps.
  case boottime
  /// `CLOCK_REALTIME`: Unix time; jumps when it is set.
  case realtime
  /// The sensor's own counter.
  case device
  /// Timestamps of a recording, or generated from a stated frequency.
  case recording
}

/// Where on the body a sensor is worn.
public enum SensorPlacement: String, Sendable, Hashable, CaseIterable {
  case wrist, hand, pocket, lowerBack, foot, unknown
}

/// The properties of a sensor known before its first sample.
public struct SensorProfile: Sendable, Hashable {
  /// Its name for people: the device's name, or a recording's path.
  public var name: String
  /// The nominal sampling frequency, if it is known.
  public var samplingFrequency: SamplingFrequency?
  /// The upper limit of its range, in g, if known.
  public var range: Double?
  /// The clock of the timestamps.
  public var clock: SensorClock
  /// Where it is worn.
  public var placement: SensorPlacement
  /// Its orientation in its device. Delivered samples have been transformed already.
  public var mountMatrix: MountMatrix

  /// Creates a profile.
  public init(
    name: String, samplingFrequency: SamplingFrequency? = nil, range: Double? = nil, clock: SensorClock,
    placement: SensorPlacement = .unknown, mountMatrix: MountMatrix = .identity
  ) {
    (self.name, self.samplingFrequency, self.range) = (name, samplingFrequency, range)
    (self.clock, self.placement, self.mountMatrix) = (clock, placement, mountMatrix)
  }
}
