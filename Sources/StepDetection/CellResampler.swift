import Accelerometry

/// Turns samples at any rate, evenly spaced or not, into cells of 80 ms.
///
/// A cell's value is the exact area under the straight lines between the samples, over the cell's width. That is an
/// interpolation and an anti-alias filter (its first zero at 12.5 Hz) in one, it needs no rate, and neither jitter nor
/// lost samples disturb it more than they must. Areas are summed in g·ns and scaled once a cell.
///
/// Vectors of four lanes with the last at zero: the compiler takes one of three apart and puts it together again at
/// every operation.
struct CellResampler: Sendable {
  /// Where the run began, in nanoseconds of the sensor clock.
  private(set) var start: Int64 = 0
  /// Whether a run has begun.
  private(set) var hasBegun = false
  /// The sample before, whose line the next sample ends: its time, and its acceleration in g.
  private(set) var latest: Int64 = 0
  private var acceleration = SIMD4<Float>.zero
  /// Where the open cell ends.
  private var edge: Int64 = 0
  /// Twice the area gathered in the open cell, in g·ns.
  private var doubleArea = SIMD4<Float>.zero

  /// Twice g·ns to g.
  private static let scale = Float(0.5 / Double(Tuning.cellNanoseconds))

  /// Begins a run at its first sample.
  mutating func begin(at sample: AccelerationSample) {
    start = sample.nanoseconds
    latest = start
    acceleration = sample.fourLanes
    edge = start &+ Tuning.cellNanoseconds
    doubleArea = .zero
    hasBegun = true
  }

  /// Takes samples up to the first that closes a cell or comes after a gap, which it leaves.
  ///
  /// The hot path of the whole program: it works on copies and leaves for everything that is not one more sample
  /// inside the open cell.
  /// - Parameters:
  ///   - samples: some samples.
  ///   - index: the first one to take; afterwards, the first one not taken.
  /// - Returns: whether there is a sample at `index`.
  @inline(__always)
  mutating func accumulate(_ samples: Span<AccelerationSample>, from index: inout Int) -> Bool {
    var time = latest
    var value = acceleration
    var area = doubleArea
    var i = index
    let end = edge
    let count = samples.count
    while i < count {
      // In bounds: 0 ≤ index ≤ i < count.
      let sample = unsafe samples[unchecked: i]
      let elapsed = sample.nanoseconds &- time
      if elapsed > 0 {
        if sample.nanoseconds >= end { break }
        let next = sample.fourLanes
        area += (value + next) * SIMD4(repeating: Float(elapsed))
        value = next
        time = sample.nanoseconds
      }
      i &+= 1
    }
    doubleArea = area
    acceleration = value
    latest = time
    index = i
    return i < count
  }

  /// Closes the open cell with a sample that reaches beyond it, or takes the sample when it does not.
  /// - Returns: the cell's mean acceleration in g, or `nil` once the sample lies inside the open cell.
  @inline(__always)
  mutating func nextCell(upTo sample: AccelerationSample) -> SIMD4<Float>? {
    let value = sample.fourLanes
    let elapsed = Float(sample.nanoseconds &- latest)
    if sample.nanoseconds < edge {
      doubleArea += (acceleration + value) * SIMD4(repeating: elapsed)
      acceleration = value
      latest = sample.nanoseconds
      return nil
    }
    let part = Float(edge &- latest)
    let atEdge = acceleration + (value - acceleration) * SIMD4(repeating: part / elapsed)
    let area = doubleArea + (acceleration + atEdge) * SIMD4(repeating: part)
    doubleArea = .zero
    acceleration = atEdge
    latest = edge
    edge &+= Tuning.cellNanoseconds
    return area * SIMD4(repeating: Self.scale)
  }
}

extension AccelerationSample {
  /// The acceleration in g, and a zero.
  @inline(__always)
  fileprivate var fourLanes: SIMD4<Float> { SIMD4(acceleration, 0) }
}
