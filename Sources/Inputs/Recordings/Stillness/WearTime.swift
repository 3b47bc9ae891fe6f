import Accelerometry

/// The time for which a sensor was worn, according to its samples.
///
/// Non-wear as in van Hees et al., "Separating movement and gravity components in an acceleration signal and implications for
/// the assessment of human daily physical activity", PLoS ONE 8(4):e61691, 2013: windows of 60 minutes that begin every 15
/// minutes, in which at least two of three axes have a standard deviation below 13 mg and a range below 50 mg. The whole
/// window is non-wear, as in GGIR's approach "2023". By this measure a sensor in a moving car is worn, and one on a wrist that
/// rests on a table for an hour is not.
///
/// It keeps 144 bytes for each 15 minutes; a sample costs a nanosecond or two.
package struct WearTime: Sendable {
  /// Fifteen minutes; values are relative to the first sample. The fourth lane stays zero.
  private struct Block {
    var index: Int64
    var reference: SIMD4<Float>
    var count = 0.0
    var sum = SIMD4<Double>()
    var squares = SIMD4<Double>()
    var low: SIMD4<Float>
    var high: SIMD4<Float>
    /// The time between samples, without pauses, in nanoseconds.
    var recorded: Int64 = 0

    init(index: Int64, first: SIMD4<Float>) {
      self.index = index
      reference = first
      low = first
      high = first
    }

    /// Adds a sample and those that follow within some times. The state is in registers meanwhile.
    /// - Parameter last: the time of the sample before.
    /// - Returns: the index of the next sample.
    mutating func add(
      _ samples: Span<AccelerationSample>, from place: Int, within times: Range<Int64>, after last: inout Int64
    ) -> Int {
      var (sum, squares, low, high, recorded, time) = (sum, squares, low, high, recorded, last)
      var i = place
      // Without `&&`: a span captured by its closure crashes the optimiser of Swift 6.3.1.
      while i < samples.count {
        if i > place, !times.contains(samples[i].nanoseconds) { break }
        let value = samples[i].lanes
        let step = samples[i].nanoseconds &- time
        time = samples[i].nanoseconds
        if step > 0, step <= WearTime.longestStep { recorded &+= step }
        let difference = SIMD4<Double>(value - reference)
        sum += difference
        squares += difference * difference
        // What `pointwiseMin` and `pointwiseMax` do, which are calls.
        low.replace(with: value, where: value .< low)
        high.replace(with: value, where: value .> high)
        i &+= 1
      }
      count += Double(i - place)
      (self.sum, self.squares, self.low, self.high, self.recorded, last) = (sum, squares, low, high, recorded, time)
      return i
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

  package init() {}

  /// Takes the next samples, in g.
  package mutating func add(_ samples: Span<AccelerationSample>) {
    var i = 0
    while i < samples.count {
      let time = samples[i].nanoseconds
      let start = first ?? time
      if first == nil { (first, last) = (start, start) }
      let index = (time &- start) / Self.blockLength
      if blocks.last?.index != index { blocks.append(Block(index: index, first: samples[i].lanes)) }
      let begin = start &+ index &* Self.blockLength
      let end = max(begin, begin &+ Self.blockLength)
      i = blocks[blocks.count - 1].add(samples, from: i, within: begin..<end, after: &last)
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
    var (count, sum, squares) = (0.0, SIMD4<Double>(), SIMD4<Double>())
    var (low, high) = (window[window.startIndex].low, window[window.startIndex].high)
    for block in window {
      // The sums of the blocks, relative to the window's first sample.
      let shift = SIMD4<Double>(block.reference - reference)
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
