import Accelerometry

/// The time for which a sensor was worn, according to its samples.
///
/// Non-wear as in van Hees et al., "Separating movement and gravity components in an acceleration signal and implications for
/// the assessment of human daily physical activity", PLoS ONE 8(4):e61691, 2013: windows of 60 minutes that begin every 15
/// minutes, in which at least two of three axes have a standard deviation below 13 mg and a range below 50 mg. The whole
/// window is non-wear, as in GGIR's approach "2023". By this measure a sensor in a moving car is worn, and one on a wrist that
/// rests on a table for an hour is not.
///
/// It keeps 120 bytes for each 15 minutes; a sample costs a few nanoseconds.
package struct WearTime: Sendable {
  /// Fifteen minutes; values are relative to the first sample.
  private struct Block {
    var index: Int64
    var reference: SIMD3<Float>
    var count = 0.0
    var sum = SIMD3<Double>()
    var squares = SIMD3<Double>()
    var low: SIMD3<Float>
    var high: SIMD3<Float>
    /// The time between samples, without pauses, in nanoseconds.
    var recorded: Int64 = 0

    init(index: Int64, first: SIMD3<Float>) {
      self.index = index
      reference = first
      low = first
      high = first
    }

    mutating func add(_ acceleration: SIMD3<Float>) {
      let difference = SIMD3<Double>(acceleration - reference)
      count += 1
      sum += difference
      squares += difference * difference
      low = pointwiseMin(low, acceleration)
      high = pointwiseMax(high, acceleration)
    }
  }

  /// A quarter of an hour, in nanoseconds.
  package static let blockLength: Int64 = 900_000_000_000
  private static let blocksOfWindow = 4
  private static let longestStep: Int64 = 1_000_000_000
  private static let (leastDeviation, leastRange, axesOfStillness) = (0.013, Float(0.05), 2)

  private var blocks: [Block] = []
  private var first: Int64?
  private var last: Int64 = 0

  /// Creates an empty measurement.
  package init() {}

  /// Takes the next samples, in g.
  package mutating func add(_ samples: Span<AccelerationSample>) {
    for i in samples.indices {
      let sample = samples[i]
      let start = first ?? sample.nanoseconds
      if first == nil { (first, last) = (start, start) }
      let index = (sample.nanoseconds &- start) / Self.blockLength
      if blocks.last?.index != index { blocks.append(Block(index: index, first: sample.acceleration)) }
      let step = sample.nanoseconds &- last
      last = sample.nanoseconds
      let place = blocks.count - 1
      if step > 0, step <= Self.longestStep { blocks[place].recorded += step }
      blocks[place].add(sample.acceleration)
    }
  }

  /// The time for which the sensor was worn, without pauses; `nil` for recordings without an uninterrupted hour.
  package var worn: Duration? {
    guard let isStill else { return nil }
    let worn = zip(blocks, isStill).reduce(Int64(0)) { $0 + ($1.1 ? 0 : $1.0.recorded) }
    return .nanoseconds(worn)
  }

  /// For each quarter of an hour since the first sample: whether the sensor was not worn. Quarters without samples
  /// count as not worn. A recording without an uninterrupted hour counts as worn.
  package var nonWear: [Bool] {
    var quarters = [Bool](repeating: true, count: blocks.last.map { Int($0.index) + 1 } ?? 0)
    let isStill = isStill ?? [Bool](repeating: false, count: blocks.count)
    for (block, isStill) in zip(blocks, isStill) { quarters[Int(block.index)] = isStill }
    return quarters
  }

  /// For each block: whether it is in a non-wear window; `nil` without a window.
  private var isStill: [Bool]? {
    var isStill = [Bool](repeating: false, count: blocks.count)
    var hasWindow = false
    for start in blocks.indices.dropLast(Self.blocksOfWindow - 1) {
      let window = blocks[start..<start + Self.blocksOfWindow]
      let whole = Self.blockLength * Int64(Self.blocksOfWindow)
      guard window[start + Self.blocksOfWindow - 1].index - window[start].index == Int64(Self.blocksOfWindow) - 1,
        window.reduce(0, { $0 + $1.recorded }) * 10 >= whole * 9
      else { continue }
      hasWindow = true
      if Self.isStill(window) { for place in window.indices { isStill[place] = true } }
    }
    return hasWindow ? isStill : nil
  }

  private static func isStill(_ window: ArraySlice<Block>) -> Bool {
    guard let reference = window.first?.reference else { return false }
    var (count, sum, squares) = (0.0, SIMD3<Double>(), SIMD3<Double>())
    var (low, high) = (window[window.startIndex].low, window[window.startIndex].high)
    for block in window {
      // The sums of the blocks, relative to the window's first sample.
      let shift = SIMD3<Double>(block.reference - reference)
      count += block.count
      sum += block.sum + shift * block.count
      squares += block.squares + 2 * shift * block.sum + shift * shift * block.count
      low = pointwiseMin(low, block.low)
      high = pointwiseMax(high, block.high)
    }
    let mean = sum / count
    let variance = squares / count - mean * mean
    let still = (0..<3).count { axis in
      variance[axis] < leastDeviation * leastDeviation && high[axis] - low[axis] < leastRange
    }
    return still >= axesOfStillness
  }
}
