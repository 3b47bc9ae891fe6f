/// The clock behind a sample's timestamp.
public enum SensorClock: String, Sendable, Hashable, CaseIterable {
  /// `CLOCK_MONOTONIC`: stands still while the machine sleeps.
  case monotonic
  /// `CLOCK_BOOTTIME`: goes on while the machine sleeps.
  case boottime
  /// `CLOCK_REALTIME`: Unix time; jumps when it is set.
  case realtime
  /// The sensor's own counter.
  case device
  /// Timestamps as a recording holds them, or made up from a stated frequency.
  case recording
}

/// Where on the body a sensor is worn.
public enum SensorPlacement: String, Sendable, Hashable, CaseIterable {
  case wrist, hand, pocket, lowerBack, foot, unknown
}

/// What is known about a sensor before its first sample.
public struct SensorProfile: Sendable, Hashable {
  /// What people call it: the device's name, or a recording's path.
  public var name: String
  /// The nominal sampling frequency, if it is known.
  public var samplingFrequency: SamplingFrequency?
  /// The largest acceleration it can report, in g, if it is known.
  public var range: Double?
  /// What the timestamps count.
  public var clock: SensorClock
  /// Where it is worn.
  public var placement: SensorPlacement
  /// How it sits in its device. Samples are handed out with this applied already.
  public var mountMatrix: MountMatrix

  /// Makes a profile.
  public init(
    name: String, samplingFrequency: SamplingFrequency? = nil, range: Double? = nil, clock: SensorClock,
    placement: SensorPlacement = .unknown, mountMatrix: MountMatrix = .identity
  ) {
    self.name = name
    self.samplingFrequency = samplingFrequency
    self.range = range
    self.clock = clock
    self.placement = placement
    self.mountMatrix = mountMatrix
  }
}
