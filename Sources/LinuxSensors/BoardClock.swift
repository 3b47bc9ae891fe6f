import Accelerometry

/// Times the samples of a board that prints them on a serial port.
///
/// They come in bursts, with the time of the board's own clock (`millis()`) or without any, in which case they are counted. Either
/// way there is a time `x` that rises evenly, and the moments at which it arrived. An ``ArrivalLine`` says when a sample came
/// without delay, and how fast `x` runs; the times that are handed out follow it as a phase-locked loop does, so that they rise
/// evenly while the line is still being found. A board's clock is believed to be right as far as the arrivals do not
/// contradict it.
///
/// Where `x` and the arrivals move on by different times (a board that was reset, whose counter ran over, that was silent), the line
/// begins anew at the arrival: what passed unseen is a gap, and no jump.
///
/// A pure value: arrivals come in with the samples.
package struct BoardClock: Sendable {
  /// So much more time on one side than on the other is no delay, in seconds.
  static let largestDelay = 1.0
  /// What arrivals scatter by, in seconds; a rate that is known is believed as far as this leaves it open.
  private static let scatter = 0.1
  /// Rates that a board's clock may have.
  private static let usableRates = 0.85...1.18
  /// The time constant with which the times follow the line, in seconds, and how fast they may at most.
  private static let following = 1.0
  private static let fastest = 0.2

  /// When some rows had arrived: so many before the last one of a batch.
  package struct Mark: Sendable {
    package var rowsBefore: Int
    package var nanoseconds: Int64

    package init(rowsBefore: Int, nanoseconds: Int64) {
      self.rowsBefore = rowsBefore
      self.nanoseconds = nanoseconds
    }
  }

  private var line = ArrivalLine()
  /// Arrivals and times are counted from here, in nanoseconds.
  private var origin: (x: Int64, y: Int64)?
  /// The last sample: its own time, when it arrived, the time it was given, all in seconds behind the origin.
  private var last: (x: Double, y: Double, time: Double)?
  private var lastHandedOut: Int64?
  /// Seconds for each second of the board, or of counted rows.
  private var slope: Double
  /// Whether the slope was stated, or measured before the line began anew.
  private var isSlopeKnown: Bool
  private let isStated: Bool
  private let hasTimes: Bool

  /// What is wrong with the board's own clock, or the stated rate; `nil` as long as it fits the arrivals.
  package private(set) var doubt: String?

  /// - Parameters:
  ///   - hasTimes: whether the samples have the board's own times; without, theirs are those of counted rows.
  ///   - isStated: whether the rate by which rows were counted was stated by somebody.
  package init(hasTimes: Bool, isStated: Bool) {
    self.hasTimes = hasTimes
    self.isStated = isStated
    slope = 1
    isSlopeKnown = hasTimes || isStated
  }

  /// Samples per second of the board's time or of counted rows: what they arrive at, for each of those.
  package var rate: Double { 1 / slope }

  /// Gives samples the times at which they were taken, on the clock of the arrivals; strictly rising.
  /// - Parameters:
  ///   - samples: stamped by the board, or by counted rows.
  ///   - now: when the last of them arrived, in nanoseconds.
  ///   - marks: when rows before the last arrived, in their order; of the first batch, which holds all that came until it was
  ///     known how to read it.
  package mutating func take(_ samples: inout [AccelerationSample], arrivedAt now: Int64, marks: [Mark] = []) {
    guard let final = samples.last?.nanoseconds else { return }
    if origin == nil { origin = (final, now) }
    guard let origin else { return }
    let y = Self.seconds(now &- origin.y)
    let xs = evenTimes(of: samples, from: origin.x)
    let x = xs[xs.count - 1]
    if let last, abs((x - last.x) * slope - (y - last.y)) > Self.largestDelay {
      beginAnew(samples: &samples, xs, y)
    } else {
      // Of the first batch: when the rows before the last came.
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

  /// The samples' own times in seconds; a step that no arrival explains is one of the usual length.
  private func evenTimes(of samples: [AccelerationSample], from origin: Int64) -> [Double] {
    var xs = samples.map { Self.seconds($0.nanoseconds &- origin) }
    for index in xs.indices.dropLast().reversed() where xs[index + 1] - xs[index] > Self.largestDelay {
      // What came at once was not sent a second apart: the clock jumped between the two.
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
    isSlopeKnown = true
    // The line goes through the arrival of the last sample, and time does not turn back.
    let length = (x - xs[0]) * slope
    let begin = max(y - length, former)
    let step = xs.count > 1 ? max(y - begin, 0) / Double(xs.count) : 0
    last = (xs[0], y, begin + (begin == former ? step : 0))
    hand(&samples, xs, y)
  }

  /// How fast the board's time runs.
  private mutating func fit() {
    guard let edge = line.edge, edge.slope > 0, edge.slope.isFinite else { return }
    let span = line.span
    if isSlopeKnown {
      let share = edge.slope / knownSlope
      // The longer it is looked at, the less is left to chance.
      let chance = Self.scatter / max(span * knownSlope, 1e-3)
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
      doubt = "the samples do not come as often as --rate states, so they are timed by their arrival"
    }
  }

  private mutating func hand(_ samples: inout [AccelerationSample], _ xs: [Double], _ y: Double) {
    // The line of the slope in use under all arrivals.
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
      var nanoseconds = origin.y &+ Int64((time * 1e9).rounded())
      if let lastHandedOut { nanoseconds = max(nanoseconds, lastHandedOut + 1) }
      lastHandedOut = nanoseconds
      samples[index].nanoseconds = nanoseconds
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
}
