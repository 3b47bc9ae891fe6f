import Accelerometry

/// A synthetic walk with known foot strikes: the signal of an accelerometer worn by someone who walks, runs, stands or
/// does something else.
///
/// The seed determines a signal that is continuous in time (the body's movement and the position of the sensor on it),
/// and a sensor samples it. Rate, noise, jitter, lost samples, range and resolution belong to the sensor: changing them
/// never changes the walk. Equal values give equal samples, on every machine.
///
///     var walk = SyntheticWalk()
///     walk.position = .pocket
///     let truth = try walk.steps.count
///     var reader = try walk.reader()
public struct SyntheticWalk: Sendable, Hashable {
  /// The activities of the wearer.
  public enum Activity: String, Sendable, Hashable, CaseIterable {
    case walking, running, standing, typing, brushingTeeth, driving

    /// Whether feet strike the ground.
    public var isGait: Bool { self == .walking || self == .running }
  }

  /// One part of a program.
  public struct Segment: Sendable, Hashable {
    /// The activity.
    public var activity: Activity
    /// Its duration.
    public var duration: Duration
    /// Steps per minute, if different from the walk's.
    public var cadence: Double?

    /// Creates a part of a program.
    public init(_ activity: Activity, _ duration: Duration, cadence: Double? = nil) {
      (self.activity, self.duration, self.cadence) = (activity, duration, cadence)
    }
  }

  /// The orientation of the sensor's axes on the body.
  public enum Orientation: Sendable, Hashable {
    /// x forward, y to the left, z up in the frame of the limb while the wearer stands.
    case natural
    /// Any rotation with equal probability, determined by the seed.
    case random
    /// Turned about x, then y, then z, by these angles in degrees.
    case rotated(roll: Double, pitch: Double, yaw: Double)
  }

  // MARK: The wearer

  /// Determines all random values.
  public var seed: UInt64 = 1
  /// The activity during ``duration``, between ``lead`` and ``tail``.
  public var activity = Activity.walking
  /// Mean steps per minute, both feet; `nil`: 110 walking, 165 running.
  public var cadence: Double?
  /// Metres from one foot's strike to the other's; `nil`: it grows with the cadence, 0.70 m at 110 steps/min.
  public var stepLength: Double?
  /// The swing of the arm to either side at 110 steps/min, in degrees: 0 pushing a pram, 10 relaxed, 25 marching.
  public var armSwing = 10.0
  /// Standard deviation of the time between two strikes, as a fraction of it (healthy adults: 0.01-0.03).
  public var variability = 0.02
  /// Standard deviation of the slow variation of the cadence (over about 20 s), as a fraction of it.
  public var drift = 0.02
  /// The duration of ``activity``, including pauses.
  public var duration = Duration.seconds(60)
  /// Ends the walk after this many steps, whatever the ``duration``.
  public var stepCount: Int?
  /// Standing still before.
  public var lead = Duration.zero
  /// Standing still after.
  public var tail = Duration.zero
  /// The length of a bout of walking before a pause; `nil`: no pauses.
  public var bout: Duration?
  /// The length of the pauses between bouts.
  public var pause = Duration.seconds(10)
  /// Several consecutive activities, instead of ``activity`` and ``duration``.
  public var program: [Segment]?

  // MARK: The sensor

  /// The position of the sensor; unknown counts as the lower back.
  public var position = SensorPlacement.wrist
  /// The orientation of its axes.
  public var orientation = Orientation.natural
  /// Samples per second, in Hz.
  public var rate = 50.0
  /// White noise on each axis, in g rms.
  public var noise = 0.003
  /// The largest error of a timestamp, as a fraction of the sampling period; below 0.5.
  public var jitter = 0.0
  /// The fraction of samples that are lost, each independently of the others.
  public var lost = 0.0
  /// The largest acceleration it can report, in g; larger values are clipped.
  public var range = 8.0
  /// Bits of resolution over twice the range.
  public var bits = 16
  /// Whether the platform removes gravity, as phones do in their "linear acceleration".
  public var gravityRemoved = false

  /// A minute of walking at 110 steps/min, measured by a watch at 50 Hz.
  public init() {}

  // MARK: Results

  /// The times of the foot strikes from the start of the recording; both feet, rising.
  /// - Throws: a ``SyntheticWalkError`` if a parameter is out of its range.
  public var steps: [Duration] {
    get throws(SyntheticWalkError) {
      var strikes = try footStrikes()
      var all: [Duration] = []
      while let strike = strikes.next() { all.append(strike) }
      return all
    }
  }

  /// The foot strikes one by one, for walks too long for an array.
  public func footStrikes() throws(SyntheticWalkError) -> FootStrikes {
    try validate()
    return FootStrikes(script: GaitScript(self))
  }

  /// A reader that generates the samples on request, in constant memory.
  public func reader() throws(SyntheticWalkError) -> Reader {
    try validate()
    return Reader(self)
  }

  /// The properties of the sensor.
  public var profile: SensorProfile {
    SensorProfile(
      name: "synthetic", samplingFrequency: SamplingFrequency(hertz: rate), range: range, clock: .recording,
      placement: position)
  }

  /// The foot strikes of a walk in order, generated on request.
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
