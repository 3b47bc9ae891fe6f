import Accelerometry

/// Detects an input device that is not an accelerometer: its axes return to zero, where an accelerometer shows gravity.
///
/// udev takes every device with three axes and no keys for an accelerometer, and pedals that are pressed when they are
/// opened look like one. An accelerometer is near zero on all axes only while it falls: in a run for a part of each step.
///
/// A pure value. Devices that declare themselves accelerometers need no watch.
package struct GravityWatch: Sendable {
  /// A smaller magnitude is none, in g.
  private static let zero: Float = 0.05
  /// How much time at zero is a verdict, in nanoseconds, and as a fraction of all.
  private static let least: Int64 = 1_000_000_000
  private static let share = 0.35
  /// After this much time without a verdict it is an accelerometer, in nanoseconds.
  private static let trial: Int64 = 60_000_000_000

  private var latest: AccelerationSample?
  private var atZero: Int64 = 0
  private var total: Int64 = 0

  package init() {}

  /// Processes samples in order.
  package mutating func take(_ samples: [AccelerationSample]) {
    for sample in samples where total < Self.trial && !showsNoGravity {
      if let latest {
        let passed = max(0, min(sample.nanoseconds &- latest.nanoseconds, Self.least / 2))
        total += passed
        if (latest.acceleration * latest.acceleration).sum() < Self.zero * Self.zero { atZero += passed }
      }
      latest = sample
    }
  }

  /// Whether the axes rest at zero.
  package var showsNoGravity: Bool { atZero >= Self.least && Double(atZero) > Self.share * Double(total) }

  /// - Throws: `.unusable` for such a device.
  func check(path: String) throws(SensorError) {
    if showsNoGravity { throw Self.none(path, remedy: "state its counts per g with SensorOptions.countsPerG") }
  }

  /// The error for a device without gravity.
  static func none(_ path: String, remedy: String) -> SensorError {
    .unusable(
      path: path, reason: "it shows no gravity, so it may be pedals or a joystick",
      remedy: "if it is an accelerometer, \(remedy)")
  }
}
