import Accelerometry
import Platform

/// How often the acceleration repeats in a second, as a check of a stated sampling frequency.
///
/// Windows of six seconds of the magnitude, in cells of 25 ms, with a Hann window: a window's frequency is that of the
/// largest value of its spectrum between 0.5 and 12 Hz. Steps, and their second harmonic if they are slow, are below
/// ``fastest``. A window costs 33,000 multiplications; after the first hour only every sixteenth is examined.
package struct RepetitionWatch: Sendable {
  private static let cell: Int64 = 25_000_000
  private static let cellsOfWindow = 240
  /// A shorter recording than this is not judged: 3 s.
  private static let leastCells = 120
  private static let frequencies = stride(from: 0.5, through: 12, by: 1.0 / 12)
  /// The standard deviation of the magnitude, in g, below which a window is rest.
  private static let rest = 0.05
  /// Repetitions a second; 204 steps a minute. Of 753 recordings that have steps and no other doubt, at their true sampling
  /// frequency, 3 repeat faster in most windows; with 2.6 times as much, 68 of 157.
  package static let fastest = 3.4
  private static let windowsOfFirstHour = 600
  private static let everyWindow = 16

  private var cells: [Double] = []
  private var (sum, count) = (0.0, 0)
  private var cellEnd: Int64?
  /// Empty cells before the open one.
  private var pending = 0
  private var windows = 0
  private var moving = 0
  /// The frequencies above ``fastest``.
  private var fast: [Double] = []

  /// Creates a watch of nothing.
  package init() {}

  /// Adds samples, in g.
  package mutating func add(_ samples: Span<AccelerationSample>) {
    for i in samples.indices {
      let acceleration = samples[i].acceleration
      let time = samples[i].nanoseconds
      if let end = cellEnd, time >= end {
        close(before: time, end)
      } else if cellEnd == nil {
        cellEnd = time &+ Self.cell
      }
      sum += Double((acceleration * acceleration).sum().squareRoot())
      count += 1
    }
  }

  /// The usual frequency, if more than seven of ten windows with movement repeat faster than steps.
  package var tooFast: Double? {
    var whole = self
    if windows == 0, cells.count >= Self.leastCells { whole.examine() }
    guard whole.moving > 0, whole.fast.count * 10 > whole.moving * 7 else { return nil }
    return whole.fast.sorted()[whole.fast.count / 2]
  }

  /// Ends the open cell; a line connects it with the next one that has samples.
  private mutating func close(before time: Int64, _ end: Int64) {
    let value = sum / Double(max(1, count))
    let empty = (time &- end) / Self.cell
    let before = cells.last ?? value
    // A pause: a window with it has no frequency.
    if empty > Int64(Self.cellsOfWindow) / 6 {
      cells.removeAll(keepingCapacity: true)
      pending = 0
      cellEnd = time &+ Self.cell
    } else {
      for i in 0..<pending { append(before + (value - before) * Double(i + 1) / Double(pending + 1)) }
      append(value)
      pending = Int(empty)
      cellEnd = end &+ (empty &+ 1) &* Self.cell
    }
    (sum, count) = (0, 0)
  }

  private mutating func append(_ value: Double) {
    cells.append(value)
    guard cells.count == Self.cellsOfWindow else { return }
    windows += 1
    if windows <= Self.windowsOfFirstHour || windows.isMultiple(of: Self.everyWindow) { examine() }
    cells.removeAll(keepingCapacity: true)
  }

  private mutating func examine() {
    let mean = cells.reduce(0, +) / Double(cells.count)
    let variance = cells.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(cells.count)
    guard variance >= Self.rest * Self.rest else { return }
    moving += 1
    let turn = 2 * Double.pi / Double(cells.count)
    let weighted = cells.indices.map { (cells[$0] - mean) * (1 - cos(turn * Double($0))) }
    var best = (power: 0.0, frequency: 0.0)
    for frequency in Self.frequencies {
      let power = Self.power(weighted, turns: frequency * Double(Self.cell) * 1e-9)
      if power > best.power { best = (power, frequency) }
    }
    if best.frequency > Self.fastest { fast.append(best.frequency) }
  }

  /// The power at a frequency, by Goertzel's recursion.
  private static func power(_ values: [Double], turns: Double) -> Double {
    let twice = 2 * cos(2 * .pi * turns)
    var (last, lastButOne) = (0.0, 0.0)
    for value in values { (last, lastButOne) = (value + twice * last - lastButOne, last) }
    return last * last + lastButOne * lastButOne - twice * last * lastButOne
  }
}
