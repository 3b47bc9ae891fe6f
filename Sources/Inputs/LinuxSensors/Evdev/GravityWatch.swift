import Accelerometry

/// Detects an input device that is not an accelerometer: its axes rest where an accelerometer at rest shows gravity.
///
/// Pedals that are pressed when they are opened look like an accelerometer. They rest at zero or at an end of their range, and an
/// accelerometer only with the magnitude of gravity, apart from the moments in which it falls or turns: in a run a part of each step.
///
/// A pure value. Devices that declare themselves accelerometers need no watch.
package struct GravityWatch: Sendable {
  /// The magnitudes of gravity, in g; scales are wrong by up to a fifth.
  private static let gravity: ClosedRange<Float> = 0.75...1.25
  /// An axis that changes less between two samples rests, in g.
  private static let stillness: Float = 0.02
  /// How much time at rest without gravity is a verdict, in nanoseconds, and as a fraction of all.
  private static let least: Int64 = 1_000_000_000
  private static let share = 0.35
  /// After this much time without a verdict it is an accelerometer, in nanoseconds.
  private static let trial: Int64 = 60_000_000_000

  private var latest: AccelerationSample?
  private var withoutGravity: Int64 = 0
  private var total: Int64 = 0

  package init() {}

  package mutating func take(_ samples: [AccelerationSample]) {
    for sample in samples where total < Self.trial && !showsNoGravity {
      if let latest {
        let passed = max(0, min(sample.nanoseconds &- latest.nanoseconds, Self.least / 2))
        total += passed
        let (value, change) = (latest.acceleration, sample.acceleration - latest.acceleration)
        let isAtRest = max(change.max(), -change.min()) < Self.stillness
        if isAtRest, !Self.gravity.contains((value * value).sum().squareRoot()) { withoutGravity += passed }
      }
      latest = sample
    }
  }

  package var showsNoGravity: Bool {
    withoutGravity >= Self.least && Double(withoutGravity) > Self.share * Double(total)
  }

  /// - Throws: `.unusable` for such a device.
  func check(path: String) throws(SensorError) { if showsNoGravity { throw Self.none(path) } }

  static func none(_ path: String) -> SensorError {
    .unusable(
      path: path, reason: "it shows no gravity, so it may be pedals or a joystick",
      remedy: "if it is an accelerometer, state its counts per g with SensorOptions.countsPerG")
  }
}
