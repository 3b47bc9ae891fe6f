import Accelerometry
import Platform

/// Timestamps the samples of a board that prints them on a serial port.
///
/// They arrive in bursts, with the time of the board's clock (`millis()`) or without times; samples without times are
/// counted. In both cases there is a time `x` that increases evenly, and the time of arrival. An ``ArrivalLine``
/// estimates the arrival without delay and the rate of `x`. The resulting times follow it like a phase-locked loop, so
/// that they increase evenly while the estimate converges. The nominal rate is used unless the arrivals contradict it.
///
/// If `x` and the arrivals advance by different amounts (the board was reset, its counter overflowed, or it was
/// silent), the estimate restarts at the arrival, and the lost time is a gap.
///
/// If board times go on evenly and arrive faster than time passes, they are those of a recording that is replayed, or of samples that
/// were kept. They are used as they are, and run ahead of the arrivals.
///
/// A pure value: arrival times come with the samples.
package struct BoardClock: Sendable {
  /// A larger difference between board time and arrival, in seconds, is not a delay.
  private static let largestDelay = 1.0
  /// The scatter of arrivals in seconds. A known rate is used while it is within this scatter.
  private static let scatter = 0.1
  /// Plausible rates of a board's clock.
  private static let usableRates = 0.85...1.18
  /// The time constant with which the times follow the estimate, in seconds, and the maximum rate of correction.
  private static let following = 1.0
  private static let fastest = 0.2

  /// When rows of a batch arrived: all but the last `rowsBefore`.
  package struct Mark: Sendable {
    package var rowsBefore: Int
    package var nanoseconds: Int64

    package init(rowsBefore: Int, nanoseconds: Int64) {
      (self.rowsBefore, self.nanoseconds) = (rowsBefore, nanoseconds)
    }
  }

  private var line = ArrivalLine()
  /// The origin of board times and arrivals, in nanoseconds.
  private var origin: (x: Int64, y: Int64)?
  /// The last sample: its board time, arrival and assigned time, in seconds since the origin.
  private var last: (x: Double, y: Double, time: Double)?
  private var lastHandedOut: Int64?
  /// Seconds per second of the board, or per second of counted rows.
  private var slope: Double
  /// Whether the rate was specified, or was measured before a restart.
  private var isSlopeKnown: Bool
  private let isStated: Bool
  private let hasTimes: Bool
  /// Whether the samples arrive faster than their times pass.
  private var isAhead = false
  /// Since when board times go on evenly, and how many rows came since then.
  private var run = (x: 0.0, y: 0.0, rows: 0)
  /// More rows a second than a board prints.
  private static let mostRows = 1000.0

  /// What is wrong with the board's clock or the specified rate; `nil` while it agrees with the arrivals.
  package private(set) var doubt: String?

  /// - Parameters:
  ///   - hasTimes: whether the samples have board times; otherwise their times come from counted rows.
  ///   - isStated: whether the user specified the rate of the rows.
  package init(hasTimes: Bool, isStated: Bool) {
    (self.hasTimes, self.isStated) = (hasTimes, isStated)
    slope = 1
    isSlopeKnown = hasTimes || isStated
  }

  /// The rate of the board's clock, or of counted rows, relative to the computer's.
  package var rate: Double { 1 / slope }

  /// Replaces the samples' times by the times at which they were measured, on the clock of the arrivals; strictly increasing.
  /// - Parameters:
  ///   - samples: with board times, or times from counted rows.
  ///   - now: when the last of them arrived, in nanoseconds.
  ///   - marks: when earlier rows arrived, in order; only for the first batch, which holds everything received until
  ///     the format was known.
  package mutating func take(_ samples: inout [AccelerationSample], arrivedAt now: Int64, marks: [Mark] = []) {
    guard let final = samples.last?.nanoseconds else { return }
    if origin == nil { origin = (final, now) }
    guard let origin else { return }
    let y = Self.seconds(now &- origin.y)
    let xs = evenTimes(of: samples, from: origin.x)
    let x = xs[xs.count - 1]
    run = last == nil ? (x, y, 0) : (run.x, run.y, run.rows + xs.count)
    if goesAhead(xs, y) {
      runAhead(&samples, xs, y)
    } else if let last, isAhead || abs((x - last.x) * slope - (y - last.y)) > Self.largestDelay {
      isAhead = false
      beginAnew(samples: &samples, xs, y)
    } else {
      // Arrivals of earlier rows of the first batch.
      if last == nil {
        for mark in marks where mark.rowsBefore > 0 && mark.rowsBefore < xs.count {
          line.add(x: xs[xs.count - 1 - mark.rowsBefore], y: Self.seconds(mark.nanoseconds &- origin.y))
        }
      }
      line.add(x: x, y: y)
      fit()
      hand(&samples, xs, y)
    }
  }

  /// Whether board times that go on evenly are ahead of the arrivals.
  private func goesAhead(_ xs: [Double], _ y: Double) -> Bool {
    guard hasTimes, let last, xs[0] > last.x, xs[0] - last.x <= Self.largestDelay else { return false }
    let advance = xs[xs.count - 1] - last.x
    if isAhead { return last.time + advance > y - Self.largestDelay }
    let isTooFast = Double(run.rows) > Self.mostRows * (y - run.y)
    let isAheadInRun = isTooFast && last.x + advance - run.x - (y - run.y) > Self.largestDelay
    return advance - (y - last.y) > Self.largestDelay || isAheadInRun
  }

  private mutating func runAhead(_ samples: inout [AccelerationSample], _ xs: [Double], _ y: Double) {
    guard let last, let origin else { return }
    isAhead = true
    doubt =
      doubt ?? "the samples arrive faster than their times pass, as of a recording; the times are used as they are"
    for index in samples.indices {
      let time = Self.time(last.time + xs[index] - last.x, after: origin.y)
      let nanoseconds = max(time, (lastHandedOut ?? .min) &+ 1)
      lastHandedOut = nanoseconds
      samples[index].nanoseconds = nanoseconds
    }
    self.last = (xs[xs.count - 1], y, last.time + xs[xs.count - 1] - last.x)
  }

  /// The samples' board times in seconds, with jumps inside a batch removed.
  private func evenTimes(of samples: [AccelerationSample], from origin: Int64) -> [Double] {
    var xs = samples.map { Self.seconds($0.nanoseconds &- origin) }
    for index in xs.indices.dropLast().reversed() where xs[index + 1] - xs[index] > Self.largestDelay {
      // Samples that arrive together were not sent a second apart: the clock jumped.
      let jump = xs[index + 1] - xs[index] - 0.01
      for earlier in xs.indices[...index] { xs[earlier] += jump }
    }
    return xs
  }

  private mutating func beginAnew(samples: inout [AccelerationSample], _ xs: [Double], _ y: Double) {
    let former = last?.time ?? y
    let x = xs[xs.count - 1]
    line = ArrivalLine()
    line.add(x: x, y: y)
    run = (x, y, 0)
    isSlopeKnown = true
    // The last sample gets its arrival time, and time does not go backwards.
    let length = (x - xs[0]) * slope
    let begin = max(y - length, former)
    let step = xs.count > 1 ? max(y - begin, 0) / Double(xs.count) : 0
    last = (xs[0], y, begin + (begin == former ? step : 0))
    hand(&samples, xs, y)
  }

  private mutating func fit() {
    guard let edge = line.edge, edge.slope > 0, edge.slope.isFinite else { return }
    let span = line.span
    if isSlopeKnown {
      let share = edge.slope / knownSlope
      // The longer the observation, the smaller the error of the estimate. Rows of one moment tell nothing.
      let chance = Self.scatter / max(min(span * knownSlope, line.arrivalSpan), 1e-3)
      if abs(share - 1) > chance {
        slope = edge.slope
        judge(share, chance)
      } else {
        slope = knownSlope
      }
    } else if span > 0 {
      slope = edge.slope
    }
  }

  private var knownSlope: Double { hasTimes || isStated ? 1 : slope }

  private mutating func judge(_ share: Double, _ chance: Double) {
    guard doubt == nil, !Self.usableRates.contains(share), chance < 0.1 else { return }
    if hasTimes {
      doubt = "\(ClockCheck.Fault.rate(1 / share))"
    } else {
      doubt = "the samples do not arrive at the stated sampling frequency, so they are timed by their arrival"
    }
  }

  private mutating func hand(_ samples: inout [AccelerationSample], _ xs: [Double], _ y: Double) {
    // The line with this slope below all arrivals.
    guard let origin, let height = line.offset(ofSlope: slope) else { return }
    for index in samples.indices {
      let target = height + slope * xs[index]
      var time = target
      if let last {
        let step = (xs[index] - last.x) * slope
        let free = last.time + step
        let pull = (target - free) * min(1, step / Self.following)
        time = free + min(max(pull, -Self.fastest * step), Self.fastest * step)
      }
      last = (xs[index], y, time)
      var nanoseconds = Self.time(time, after: origin.y)
      if let lastHandedOut { nanoseconds = max(nanoseconds, lastHandedOut &+ 1) }
      lastHandedOut = nanoseconds
      samples[index].nanoseconds = nanoseconds
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }

  /// A time in nanoseconds, within a century: a board may send any two times in one batch.
  private static func time(_ seconds: Double, after origin: Int64) -> Int64 {
    origin &+ Int64(bounded: min(max(seconds, -3e9), 3e9) * 1e9)
  }
}
