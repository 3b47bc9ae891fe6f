import Accelerometry

/// Turns samples at any rate, evenly spaced or not, into cells of 80 ms.
///
/// A cell's value is the exact area under the straight lines between the samples, over the cell's width. That is an
/// interpolation and an anti-alias filter (its first zero at 12.5 Hz) in one, it needs no rate, and neither jitter nor
/// lost samples disturb it more than they must. Areas are summed in g·ns and scaled once a cell.
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
  /// The part of it that the sample before reached into the cell with.
  private var carried = SIMD4<Float>.zero

  /// Twice g·ns to g.
  private static let scale = Float(0.5 / Double(Tuning.cellNanoseconds))

  /// Begins a run at its first sample.
  mutating func begin(at sample: AccelerationSample) {
    start = sample.nanoseconds
    latest = start
    acceleration = sample.lanes
    edge = start &+ Tuning.cellNanoseconds
    doubleArea = .zero
    carried = .zero
    hasBegun = true
  }

  /// Why ``fill(_:from:at:)`` stopped.
  enum Stop {
    /// There are no more samples.
    case exhausted
    /// There is no more room for cells.
    case full
    /// The sample at the index comes after a gap, or the cell before it is no acceleration: a new run begins there.
    case interrupted
  }

  /// Turns samples into cells until there are no more samples, or no more room, or a run ends.
  ///
  /// The hot path of the whole program. It works on copies, and it takes a sample that closes one cell without waiting
  /// for the division that cuts its line at the edge: what lies beyond the edge is the whole less what lies before,
  /// and is added when the next cell is closed.
  /// - Parameters:
  ///   - cells: gets the cells, in g.
  ///   - samples: some samples. One that is not later than the one before is skipped.
  ///   - index: the first one to take; afterwards, the first one not taken.
  @inline(__always)
  mutating func fill(_ cells: inout CellBuffer, from samples: Span<AccelerationSample>, at index: inout Int) -> Stop {
    var (time, value, area, end, beyond) = (latest, acceleration, doubleArea, edge, carried)
    defer { (latest, acceleration, doubleArea, edge, carried) = (time, value, area, end, beyond) }
    let count = samples.count
    while true {
      while index < count {
        // In bounds: 0 ≤ index < count.
        let sample = unsafe samples[unchecked: index]
        let elapsed = sample.nanoseconds &- time
        // One comparison for both: later than the sample before, and inside the open cell.
        guard UInt64(bitPattern: elapsed &- 1) < UInt64(bitPattern: end &- time &- 1) else { break }
        area += (value + sample.lanes) * SIMD4(repeating: Float(elapsed))
        value = sample.lanes
        time = sample.nanoseconds
        index &+= 1
      }
      if index == count { return .exhausted }
      let sample = unsafe samples[unchecked: index]
      let elapsed = sample.nanoseconds &- time
      if elapsed <= 0 {
        index &+= 1
        continue
      }
      if elapsed > Tuning.gapNanoseconds { return .interrupted }
      let next = sample.lanes
      let part = Float(end &- time)
      let atEdge = value + (next - value) * SIMD4(repeating: part / Float(elapsed))
      let before = (value + atEdge) * SIMD4(repeating: part)
      let isSound = cells.append((area + beyond + before) * SIMD4(repeating: Self.scale))
      area = .zero
      end &+= Tuning.cellNanoseconds
      if sample.nanoseconds < end {
        beyond = (value + next) * SIMD4(repeating: Float(elapsed)) - before
        if isSound {
          (value, time) = (next, sample.nanoseconds)
          index &+= 1
        }
      } else {
        // The line reaches over more than one edge: it goes on from this one.
        beyond = .zero
        (value, time) = (atEdge, end &- Tuning.cellNanoseconds)
      }
      if !isSound { return .interrupted }
      if cells.isFull { return .full }
    }
  }
}

/// The cells of a block that wait to be filtered.
///
/// They are filtered in one go, because filters are chains of dependent operations: in a loop of their own the
/// processor works on several cells at once.
struct CellBuffer: Sendable {
  private var cells = InlineArray<12, SIMD4<Float>>(repeating: .zero)
  private var squares = InlineArray<12, Float>(repeating: 0)
  private(set) var count = 0
  /// How many there may be: what the open block lacks.
  var room = Tuning.blockCells
  /// The newest cell of the run.
  private(set) var last: SIMD4<Float>?

  @inline(__always)
  var isFull: Bool { count == room }

  @inline(__always)
  subscript(index: Int) -> (cell: SIMD4<Float>, squared: Float) { (cells[index], squares[index]) }

  /// - Returns: whether the cell was sound; one that is not finite or beyond any sensor is left out.
  @inline(__always)
  mutating func append(_ cell: SIMD4<Float>) -> Bool {
    let squared = cell.squaredLength
    // Not a number compares false.
    guard squared < Tuning.largestAccelerationSquared else { return false }
    cells[count] = cell
    squares[count] = squared
    last = cell
    count += 1
    return true
  }

  mutating func clear() { count = 0 }
}
