import LinuxSensors
import Pedometry
import ServiceCore

/// Turns the totals of the sources into measurements of a running speed and cadence sensor.
///
/// Sources deliver steps in bursts: a detector reports the first steps of a walk together, and sensors are read every
/// other second. Receivers count by the cadence: each measurement stands for the time since the one before. So steps
/// are put into a store, and measurements take them out at an even rate: their cadences add up to the steps, a few
/// seconds late.
struct FootPodPace: Sendable {
  /// Receivers count no measurement for longer, so after such a pause the store is emptied.
  static let longestInterval = Duration.seconds(3)
  /// The walking time that the store should hold.
  static let reserve = 3.0
  /// The most walking time that it holds. Steps beyond it were sent late, and are not reported.
  static let longestReserve = 20.0
  /// The walking time that it has to hold before steps are taken out of an empty one.
  static let beginning = 2.0
  /// How much faster or slower than the walker steps are taken out.
  static let tolerance = 0.1
  /// Another source is followed when the followed one has stood still for this long.
  static let patience = Duration.seconds(10)

  /// The source that is followed, so that two sensors of one walker do not count twice.
  private var followed: String?
  private var movedAt: Duration?
  private var latest: [String: (steps: Int, metres: Double, isCounting: Bool)] = [:]
  private var time: Duration?
  /// Steps that no measurement has reported yet.
  private var store = 0.0
  /// Whether steps are taken out of the store, which ends when it is empty.
  private var isFlowing = false
  /// Whether the half step has been added, with which receivers that round down count right.
  private var isRounded = false
  /// Metres since the first measurement.
  private var metres = 0.0
  /// Steps per second, and metres.
  private var cadence = 0.0
  private var stepLength = 0.0

  /// The measurement at a time, which passes steadily, of the time since the one before.
  mutating func measurement(of sources: [SourceState], at now: Duration) -> RunningSpeedCadence {
    let interval = time.map { now - $0 }
    time = now
    let walk = follow(sources, at: now)
    guard let interval, interval > .zero, interval <= Self.longestInterval else {
      // The steps of a walker who is under way already.
      let present = walk?.currentCadence ?? 0
      (store, isRounded, isFlowing) = (Self.reserve * present, present > 0, present > 0)
      return report(present)
    }
    let rate = take(walk?.currentCadence ?? 0, interval / .seconds(1))
    store -= rate * (interval / .seconds(1))
    return report(rate)
  }

  /// The rate for an interval, in whole steps per minute.
  private mutating func take(_ present: Double, _ seconds: Double) -> Double {
    isFlowing = store > 0 && (isFlowing || present == 0 || store >= Self.beginning * cadence)
    guard isFlowing, cadence > 0 else { return 0 }
    let most = store / seconds
    let correction = (store - Self.reserve * cadence) / 10
    let limit = Self.tolerance * cadence
    let rate = present > 0 ? cadence + min(max(correction, -limit), limit) : cadence
    return (min(rate, most, 255.0 / 60) * 60).rounded() / 60
  }

  /// Adds the steps of the source that is followed.
  private mutating func follow(_ sources: [SourceState], at now: Duration) -> WalkTotals? {
    let counting = sources.filter { $0.state == .counting }
    let isPresent = counting.contains { $0.uri == followed }
    let hasRested = movedAt.map { now - $0 >= Self.patience } ?? true
    // Of another sensor on the same walk only the steps from now on are new.
    var isAnother = false
    if !isPresent || hasRested {
      let walking = counting.filter { $0.walk?.currentCadence ?? 0 > 0 }
      let fastest = walking.max { $0.walk?.currentCadence ?? 0 < $1.walk?.currentCadence ?? 0 }
      if let fastest, fastest.uri != followed {
        isAnother = !hasRested
        (followed, movedAt) = (fastest.uri, now)
      }
    }
    var walk: WalkTotals?
    for source in sources {
      guard let present = source.walk else { continue }
      let isCounting = source.state == .counting
      let before = latest[source.uri] ?? (present.steps, present.distanceTravelled, isCounting)
      latest[source.uri] = (
        max(before.steps, present.steps), max(before.metres, present.distanceTravelled), isCounting
      )
      // The last steps of a source arrive with its end.
      guard source.uri == followed, isCounting || before.isCounting else { continue }
      if isCounting { walk = present }
      let new = isAnother ? 0 : max(0, present.steps - before.steps)
      metres += isAnother ? 0 : max(0, present.distanceTravelled - before.metres)
      if new > 0 {
        movedAt = now
        store += Double(new) + (isRounded ? 0 : 0.5)
        isRounded = true
      }
      if let present = present.currentCadence, present > 0 { cadence = present }
      if let pace = present.currentPace, pace > 0, cadence > 0 { stepLength = 1 / (pace * cadence) }
    }
    store = min(store, Self.longestReserve * cadence)
    return walk
  }

  private func report(_ rate: Double) -> RunningSpeedCadence {
    RunningSpeedCadence(
      speed: rate * stepLength, cadence: rate * 60, strideLength: rate > 0 ? 2 * stepLength : 0,
      totalDistance: metres)
  }
}
