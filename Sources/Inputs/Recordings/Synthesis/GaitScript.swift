import Accelerometry
import Platform

/// The wearer's activities over time: the program as single foot strikes, generated on request.
///
/// The script does not depend on the sensor, so the same seed gives the same walk for all sensors.
struct GaitScript: Sendable {
  /// The beginning of something: a foot strike, a bout's first movement, another activity, the end.
  struct Knot: Sendable {
    /// Seconds from the start of the recording.
    var time: Double
    var activity: SyntheticWalk.Activity
    /// The previous activity, and when this one replaced it.
    var previous: SyntheticWalk.Activity
    var since: Double
    /// The vigour of the movement: 1 for steady walking, 0 at rest. It changes linearly up to the next knot.
    var amplitude = 0.0
    /// Steps per second.
    var frequency = 0.0
    /// Metres.
    var stepLength = 0.0
    /// Seconds from this strike to the next.
    var period = 1.0
    /// The phase of this knot between two strikes: 0 for a strike, 0.5 for a bout's beginning.
    var phase = 0.0
    var isOwnSide = false
    var isStrike = false
    var isEnd = false
  }

  private struct Stretch {
    var activity: SyntheticWalk.Activity
    var end: Double
    var cadence: Double
  }

  /// The first two steps are weaker than the rest, and so is the last: gait reaches its steady state within about three
  /// steps (Breniere and Do, Journal of Biomechanics 1986).
  private static let rampStart = 0.6
  private static let rampRise = 0.2
  /// Standard deviation of a step's vigour.
  private static let vigourSpread = 0.08
  /// The relative difference between the step times of both legs.
  private static let timeAsymmetry = 0.01

  private let walk: SyntheticWalk
  private let segments: [SyntheticWalk.Segment]
  private let wandering: SmoothNoise
  private var random: SplitMix64
  private var stepsLeft: Int
  private var segmentIndex = 0
  private var segmentStart = 0.0
  private var cursor = 0.0
  private var isPause = false
  private var stretch = Stretch(activity: .standing, end: 0, cadence: 110)
  private var pendingStrike: Double?
  private var strikeInBout = 0
  private var ownSideNext: Bool
  private var activity: SyntheticWalk.Activity
  private var previous: SyntheticWalk.Activity
  private var since = -10.0
  private var isOver = false

  init(_ walk: SyntheticWalk) {
    self.walk = walk
    let middle = walk.program ?? [SyntheticWalk.Segment(walk.activity, walk.duration)]
    segments = [.init(.standing, walk.lead)] + middle + [.init(.standing, walk.tail)]
    wandering = SmoothNoise(seed: walk.seed, stream: 1, rate: 0.05)
    random = SplitMix64(seed: walk.seed, stream: 2)
    stepsLeft = walk.stepCount ?? .max
    ownSideNext = random.uniform() < 0.5
    activity = segments.first { $0.duration > .zero }?.activity ?? .standing
    previous = activity
  }

  /// The next knot; the last one has `isEnd`.
  mutating func next() -> Knot? {
    if let strike = pendingStrike { return knot(strikingAt: strike) }
    if isOver { return nil }
    let start = cursor
    guard let stretch = nextStretch() else {
      isOver = true
      var end = Knot(time: start, activity: activity, previous: previous, since: since)
      end.isEnd = true
      return end
    }
    self.stretch = stretch
    if stretch.activity != activity {
      // Walking, running and standing are one posture: the gait fades in and out by itself.
      previous = activity
      since = start
      activity = stretch.activity
    }
    var knot = Knot(time: start, activity: activity, previous: previous, since: since)
    guard activity.isGait else { return knot }
    let period = self.period(at: start)
    guard start + period <= stretch.end else { return knot }
    pendingStrike = start + 0.5 * period
    strikeInBout = 0
    describe(&knot, period: period)
    knot.phase = 0.5
    knot.isOwnSide = !ownSideNext
    return knot
  }

  private mutating func knot(strikingAt time: Double) -> Knot {
    let period = self.period(at: time)
    stepsLeft -= 1
    let isLast = time + 1.5 * period > stretch.end || stepsLeft == 0
    var knot = Knot(time: time, activity: activity, previous: previous, since: since)
    describe(&knot, period: period)
    let ramp = isLast ? Self.rampStart : min(1, Self.rampStart + Self.rampRise * Double(strikeInBout))
    knot.amplitude = ramp * (1 + Self.vigourSpread * random.gaussian())
    knot.isOwnSide = ownSideNext
    knot.isStrike = true
    ownSideNext.toggle()
    strikeInBout += 1
    pendingStrike = isLast ? nil : time + period
    if stepsLeft == 0 {
      cursor = min(stretch.end, time + 0.75 * period)
      segmentIndex = segments.count - 1
      segmentStart = cursor
      isPause = false
    }
    return knot
  }

  /// Seconds to the next strike, with the slow variation, the spread from step to step and the difference of the legs.
  private mutating func period(at time: Double) -> Double {
    let frequency = stretch.cadence / 60 * (1 + walk.drift * wandering.value(at: time))
    let lag = ownSideNext ? Self.timeAsymmetry : -Self.timeAsymmetry
    return (1 + lag) * (1 + walk.variability * random.gaussian()) / frequency
  }

  private func describe(_ knot: inout Knot, period: Double) {
    knot.period = period
    knot.frequency = 1 / period
    knot.stepLength = walk.stepLength ?? Self.walkRatio * stretch.cadence
  }

  /// Step length over cadence, in m/(steps/min): nearly constant over a person's speeds (Sekiya and Nagasaki, Gait &
  /// Posture 1998: 0.0058-0.0068).
  private static let walkRatio = 0.0064

  private mutating func nextStretch() -> Stretch? {
    while segmentIndex < segments.count {
      let segment = segments[segmentIndex]
      let hasStepLimit = walk.stepCount != nil && segment.activity.isGait
      let segmentEnd = hasStepLimit ? .infinity : segmentStart + segment.duration.inSeconds
      if cursor >= segmentEnd - 1e-9 {
        segmentIndex += 1
        segmentStart = cursor
        isPause = false
        continue
      }
      var stretch = Stretch(
        activity: segment.activity, end: segmentEnd,
        cadence: segment.cadence ?? walk.cadence ?? (segment.activity == .running ? 165 : 110))
      if segment.activity.isGait, let bout = walk.bout {
        stretch.end = min(segmentEnd, cursor + (isPause ? walk.pause : bout).inSeconds)
        if isPause { stretch.activity = .standing }
        isPause.toggle()
      }
      cursor = stretch.end
      return stretch
    }
    return nil
  }
}
