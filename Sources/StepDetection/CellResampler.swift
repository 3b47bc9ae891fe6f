import Accelerometry

/// Turns samples at any rate, evenly spaced or not, into cells of 80 ms.
///
/// A cell's value is the exact area under the straight lines between the samples, over the cell's width. That is an
/// interpolation and an anti-alias filter (its first zero at 12.5 Hz) in one, it needs no rate, and neither jitter nor
/// lost samples disturb it more than they must. Areas are summed in g·ns and scaled once a cell.
struct CellResampler: Sendable {
  /// Where the run began, in nanoseconds of the sensor clock.
  private(set) var start: Int64 = 0
  /// The sample before, whose line the next sample ends.
  private(set) var previous: AccelerationSample?
  /// Where the open cell ends.
  private var edge: Int64 = 0
  /// Twice the area gathered in the open cell, in g·ns.
  private var doubleArea = SIMD3<Float>.zero

  /// Twice g·ns to g.
  private static let scale = Float(0.5 / Double(Tuning.cellNanoseconds))

  /// Begins a run at its first sample.
  mutating func begin(at sample: AccelerationSample) {
    start = sample.nanoseconds
    previous = sample
    edge = start &+ Tuning.cellNanoseconds
    doubleArea = .zero
  }

  /// Takes samples up to and including the first that closes a cell.
  ///
  /// The loop is the hot path of the whole program, so it works on copies and leaves for everything that is not one
  /// more sample inside the open cell.
  /// - Parameters:
  ///   - samples: some samples.
  ///   - index: the first one to take; afterwards, the first one not taken.
  /// - Returns: whether the sample at `index` closes a cell or comes after a gap. It has not been taken then.
  @inline(__always)
  mutating func accumulate(_ samples: borrowing Span<AccelerationSample>, from index: inout Int) -> Bool {
    guard var last = previous else { return index < samples.count }
    var area = doubleArea
    var i = index
    let count = samples.count
    while i < count {
      let sample = unsafe samples[unchecked: i]
      let elapsed = sample.nanoseconds &- last.nanoseconds
      if elapsed <= 0 {
        i &+= 1
        continue
      }
      if sample.nanoseconds >= edge { break }
      area += (last.acceleration + sample.acceleration) * Float(elapsed)
      last = sample
      i &+= 1
    }
    doubleArea = area
    previous = last
    index = i
    return i < count
  }

  /// Closes the open cell with the sample that reaches beyond it.
  /// - Returns: the cell's mean acceleration in g, or `nil` once the sample's rest lies inside an open cell.
  mutating func nextCell(upTo sample: AccelerationSample) -> SIMD3<Float>? {
    guard let last = previous else { return nil }
    if sample.nanoseconds < edge {
      doubleArea += (last.acceleration + sample.acceleration) * Float(sample.nanoseconds &- last.nanoseconds)
      previous = sample
      return nil
    }
    let share = Float(edge &- last.nanoseconds) / Float(sample.nanoseconds &- last.nanoseconds)
    let atEdge = last.acceleration + (sample.acceleration - last.acceleration) * share
    let area = doubleArea + (last.acceleration + atEdge) * Float(edge &- last.nanoseconds)
    doubleArea = .zero
    previous = AccelerationSample(nanoseconds: edge, acceleration: atEdge)
    edge &+= Tuning.cellNanoseconds
    return area * Self.scale
  }
}
