import Accelerometry

/// A made-up walk whose every foot strike is known: what an accelerometer worn by somebody who walks, runs, stands or
/// does something else would say.
///
/// The seed fixes a signal that is continuous in time (the body's movement and the place of the sensor on it), and a
/// sensor samples it. Rate, noise, jitter, lost samples, range and resolution belong to the sensor: changing them
/// changes how the walk is seen, never the walk. Equal values give equal samples, on every machine.
///
///     var walk = SyntheticWalk()
///     walk.position = .pocket
///     let truth = try walk.steps.count
///     var reader = try walk.reader()
public struct SyntheticWalk: Sendable, Hashable {
  /// What the wearer does.
  public enum Activity: String, Sendable, Hashable, CaseIterable {
    case walking, running, standing, typing, brushingTeeth, driving

    /// Whether feet strike the ground.
    public var isGait: Bool { self == .walking || self == .running }
  }

  /// One part of a program.
  public struct Segment: Sendable, Hashable {
    /// What the wearer does in it.
    public var activity: Activity
    /// How long.
    public var duration: Duration
    /// Steps per minute, where it differs from the walk's.
    public var cadence: Double?

    /// Makes a part of a program.
    public init(_ activity: Activity, _ duration: Duration, cadence: Double? = nil) {
      self.activity = activity
      self.duration = duration
      self.cadence = cadence
    }
  }

  /// How the sensor's axes lie on the body.
  public enum Orientation: Sendable, Hashable {
    /// x forward, y to the left, z up in the frame of the limb while the wearer stands.
    case natural
    /// Any rotation, all equally likely; the seed says which.
    case random
    /// Turned about x, then y, then z, by these angles in degrees.
    case rotated(roll: Double, pitch: Double, yaw: Double)
  }

  // MARK: The wearer

  /// Fixes everything random.
  public var seed: UInt64 = 1
  /// What is done for ``duration``, between ``lead`` and ``tail``.
  public var activity = Activity.walking
  /// Mean steps per minute, both feet; `nil`: 110 walking, 165 running.
  public var cadence: Double?
  /// Metres from one foot's strike to the other's; `nil`: it grows with the cadence, 0.70 m at 110 steps/min.
  public var stepLength: Double?
  /// How far the arm swings either way at 110 steps/min, in degrees: 0 pushing a pram, 10 relaxed, 25 marching.
  public var armSwing = 10.0
  /// Standard deviation of the time between two strikes, as a fraction of it (healthy adults: 0.01-0.03).
  public var variability = 0.02
  /// Standard deviation of the slow wandering of the cadence (over about 20 s), as a fraction of it.
  public var drift = 0.02
  /// How long ``activity`` goes on, pauses included.
  public var duration = Duration.seconds(60)
  /// Ends the walk after this many steps, whatever ``duration`` says.
  public var stepCount: Int?
  /// Standing still before.
  public var lead = Duration.zero
  /// Standing still after.
  public var tail = Duration.zero
  /// The length of a bout of walking before a pause; `nil`: no pauses.
  public var bout: Duration?
  /// The length of the pauses between bouts.
  public var pause = Duration.seconds(10)
  /// Several activities one after the other, in place of ``activity`` and ``duration``.
  public var program: [Segment]?

  // MARK: The sensor

  /// Where it is worn; unknown counts as the lower back.
  public var position = SensorPlacement.wrist
  /// How its axes lie.
  public var orientation = Orientation.natural
  /// Samples per second, in Hz.
  public var rate = 50.0
  /// White noise on each axis, in g rms.
  public var noise = 0.003
  /// How far a timestamp may be off either way, as a fraction of the sampling period; below 0.5.
  public var jitter = 0.0
  /// The fraction of samples that are lost, each independently of the others.
  public var lost = 0.0
  /// The largest acceleration it can report, in g; more is cut off.
  public var range = 8.0
  /// Bits of resolution over twice the range.
  public var bits = 16
  /// Whether the platform takes gravity away, as phones do in their "linear acceleration".
  public var gravityRemoved = false

  /// A minute of walking at 110 steps/min, seen by a watch at 50 Hz.
  public init() {}

  // MARK: What comes of it

  /// When the feet strike the ground, from the start of the recording; both feet, by rising time.
  /// - Throws: a ``SyntheticWalkError`` when a parameter is out of its range.
  public var steps: [Duration] {
    get throws(SyntheticWalkError) {
      var strikes = try footStrikes()
      var all: [Duration] = []
      while let strike = strikes.next() { all.append(strike) }
      return all
    }
  }

  /// The foot strikes one by one, for walks too long to keep.
  public func footStrikes() throws(SyntheticWalkError) -> FootStrikes {
    try validate()
    return FootStrikes(script: GaitScript(self))
  }

  /// A reader that makes the samples as they are asked for, in constant memory.
  public func reader() throws(SyntheticWalkError) -> Reader {
    try validate()
    return Reader(self)
  }

  /// What the sensor says of itself.
  public var profile: SensorProfile {
    SensorProfile(
      name: "synthetic", samplingFrequency: SamplingFrequency(hertz: rate), range: range, clock: .recording,
      placement: position)
  }

  /// The foot strikes of a walk in order, made as they are asked for.
  public struct FootStrikes: Sequence, IteratorProtocol, Sendable {
    private var script: GaitScript

    init(script: GaitScript) { self.script = script }

    /// The next strike's time from the start of the recording.
    public mutating func next() -> Duration? {
      while let knot = script.next() {
        if knot.isStrike { return .nanoseconds(Int64((knot.time * 1e9).rounded())) }
      }
      return nil
    }
  }
}
