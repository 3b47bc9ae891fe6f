import Accelerometry
import Platform
import Recordings

/// A walk as a board prints it.
package struct PrintedWalk {
  package static let second: Int64 = 1_000_000_000
  /// 107 steps in a minute.
  package static let walk: [AccelerationSample] = Self.made(hertz: 50)

  package static func made(hertz: Double) -> [AccelerationSample] {
    let walk = SyntheticWalk {
      $0.rate = hertz
      $0.position = .pocket
      $0.stepCount = 107
      $0.cadence = 115
      ($0.lead, $0.tail) = (.seconds(2), .seconds(2))
    }
    return (try? walk.samples()) ?? []
  }

  /// What is printed when the port is opened.
  package var before: String
  /// Whether a column says the board's time in milliseconds.
  package var hasTime: Bool
  /// The board's time at its first sample, in milliseconds; it has 32 bits.
  package var firstTime: UInt32
  /// Samples that arrive at once.
  package var burst: Int
  /// What a sample may be late by, in nanoseconds.
  package var jitter: UInt64
  /// How fast the board's clock is.
  package var clockRate: Double
  package var samples: [AccelerationSample]
  package var row: Row

  /// Makes a line of a sample.
  package typealias Row = (_ time: UInt32, _ acceleration: SIMD3<Float>) -> String

  package init(
    before: String = "", hasTime: Bool = true, firstTime: UInt32 = 1234, burst: Int = 1, jitter: UInt64 = 0,
    clockRate: Double = 1, samples: [AccelerationSample] = PrintedWalk.walk, row: @escaping Row = PrintedWalk.columns
  ) {
    (self.before, self.hasTime, self.firstTime, self.burst) = (before, hasTime, firstTime, burst)
    (self.jitter, self.clockRate, self.samples, self.row) = (jitter, clockRate, samples, row)
  }

  /// Time, x, y and z, separated by commas.
  package static func columns(_ time: UInt32, _ g: SIMD3<Float>) -> String {
    "\(time),\(text(g.x)),\(text(g.y)),\(text(g.z))\r\n"
  }

  package static func text(_ value: Float) -> String { "\((value * 10_000).rounded() / 10_000)" }

  /// The lines, and when they come.
  package var chunks: [ScriptedBoard.Chunk] {
    var chunks = before.isEmpty ? [] : [ScriptedBoard.Chunk(seconds: 0.1, before)]
    var random = SplitMix64(seed: 7)
    let first = samples[0].nanoseconds
    var (gathered, count, latest): (String, Int, Int64) = ("", 0, 0)
    for sample in samples {
      let time = sample.nanoseconds - first
      let milliseconds = firstTime &+ UInt32(truncatingIfNeeded: Int64(Double(time) * clockRate) / 1_000_000)
      var line = row(milliseconds, sample.acceleration)
      if !hasTime { line = String(line.drop { $0 != "," }.dropFirst()) }
      gathered += line
      count += 1
      if count == burst {
        let delay = jitter == 0 ? 0 : Int64(random.next() % jitter)
        latest = max(latest, time + Self.second + delay)
        chunks.append(.init(latest, Array(gathered.utf8)))
        (gathered, count) = ("", 0)
      }
    }
    return chunks
  }
}
