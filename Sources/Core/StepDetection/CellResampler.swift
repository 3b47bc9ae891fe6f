import Accelerometry

/// Turns samples of any sampling frequency, evenly spaced or not, into cells of 80 ms.
///
/// The value of a cell is the exact area under the straight lines between the samples, over the width of the cell. This
/// combines interpolation and an anti-alias filter (its first zero is at 12.5 Hz), needs no sampling frequency, and
/// limits the effect of jitter and lost samples. Slow samples are sharpened before. Areas are summed in g·ns and scaled
/// once a cell.
struct CellResampler: Sendable {
  /// The start of the run, in nanoseconds of the sensor clock.
  private(set) var start: Int64 = 0
  /// Whether a run has begun.
  private(set) var hasBegun = false
  private var open = OpenCell()
  private var slow = SlowSampling()

  /// The time of the previous sample.
  var latest: Int64 { open.time }

  /// Begins a run at its first sample.
  /// - Parameter cells: the number of cells before it.
  mutating func begin(at sample: AccelerationSample, after cells: Int = 0) {
    start = sample.nanoseconds &- Int64(cells) &* Tuning.cellNanoseconds
    open = OpenCell(time: sample.nanoseconds, value: sample.lanes)
    slow = SlowSampling()
    hasBegun = true
  }

  /// Why ``fill(_:from:at:)`` stopped.
  enum Stop {
    /// There are no more samples.
    case exhausted
    /// There is no more room for cells.
    case full
    /// The sample at the index comes after a gap, or the previous cell is not a valid acceleration: a new run begins
    /// there.
    case interrupted
    /// The sample at the index comes slowly after the previous one. Only ``cut(_:from:at:isSharpened:)`` returns this.
    case slow
    /// The sample at the index is the first that is not at rest. Only ``SignalPath`` returns this.
    case moved
  }

  /// Turns samples into cells until there are no more samples, or no more room, or a run ends.
  /// - Parameters:
  ///   - cells: gets the cells, in g.
  ///   - samples: some samples. A sample that is not later than the previous one is skipped.
  ///   - index: the first sample to take; afterwards, the first one not taken.
  @inline(__always)
  mutating func fill(_ cells: inout CellBuffer, from samples: Span<AccelerationSample>, at index: inout Int) -> Stop {
    while true {
      if slow.ready != nil || slow.held != nil, let stop = resume(&cells, before: samples, at: &index) { return stop }
      let stop = cut(&cells, from: samples, at: &index, isSharpened: false)
      guard case .slow = stop else { return stop }
      slow.held = samples[index]
      index &+= 1
    }
  }

  /// Ends the run: a held sample is processed without a successor.
  mutating func finish(_ cells: inout CellBuffer) -> Stop {
    if let held = slow.held { slow.ready(held, after: handedOn, before: nil) }
    var index = 0
    return resume(&cells, before: Span(), at: &index) ?? .exhausted
  }

  /// The end of the open cell, or of one of the cells after it.
  func end(ofCells count: Int) -> Int64 { open.end &+ Int64(count &- 1) &* Tuning.cellNanoseconds }

  /// The time of the newest sample, also if it is held until the next one.
  var newest: Int64 { slow.held?.nanoseconds ?? slow.ready?.nanoseconds ?? latest }

  /// The latest sample, from where the line to the next begins.
  var handedOn: AccelerationSample {
    var sample = AccelerationSample(nanoseconds: open.time, acceleration: .zero)
    sample.lanes = open.value
    return sample
  }

  /// Continues with a slow sample.
  /// - Returns: why that was not possible; `nil` when the sample has been taken.
  @inline(never)
  private mutating func resume(
    _ cells: inout CellBuffer, before samples: Span<AccelerationSample>, at index: inout Int
  ) -> Stop? {
    if let held = slow.held {
      guard let next = samples.first(after: held, from: index) else {
        index = samples.count
        return .exhausted
      }
      slow.ready(held, after: handedOn, before: next)
    }
    guard let sample = slow.ready else { return nil }
    let one = InlineArray<1, AccelerationSample>(repeating: sample)
    var taken = 0
    let stop = cut(&cells, from: one.span, at: &taken, isSharpened: true)
    if taken == 1 { slow.ready = nil }
    if case .exhausted = stop { return nil }
    return stop
  }

  /// Cuts the lines between samples into cells.
  ///
  /// This is the hot path of the whole program. It works on a copy of the open cell.
  /// - Parameters:
  ///   - cells: gets the cells, in g.
  ///   - samples: some samples.
  ///   - index: the first sample to take; afterwards, the first one not taken.
  ///   - isSharpened: whether the samples are final; if not, a slow one is not taken.
  @inline(__always)
  private mutating func cut(
    _ cells: inout CellBuffer, from samples: Span<AccelerationSample>, at index: inout Int, isSharpened: Bool
  ) -> Stop {
    let slowest = isSharpened ? Int64.max : Tuning.slowNanoseconds.lowerBound
    var cell = open
    defer { open = cell }
    let count = samples.count
    while true {
      let first = index
      while index < count {
        // In bounds: 0 ≤ index < count.
        let sample = unsafe samples[unchecked: index]
        let elapsed = sample.nanoseconds &- cell.time
        // Later than the sample before and not slow, in one comparison; and inside the open cell.
        guard UInt64(bitPattern: elapsed &- 1) < UInt64(bitPattern: slowest &- 1), sample.nanoseconds < cell.end else {
          break
        }
        cell.add(sample, after: elapsed)
        index &+= 1
      }
      if index > first { cell.isCut = false }
      if index == count { return .exhausted }
      let sample = unsafe samples[unchecked: index]
      let elapsed = sample.nanoseconds &- cell.time
      if elapsed <= 0 {
        index &+= 1
        continue
      }
      if elapsed > Tuning.gapNanoseconds { return .interrupted }
      if !isSharpened {
        if !cell.isCut, SlowSampling.applies(to: sample.lanes, after: elapsed) { return .slow }
        if sample.nanoseconds < cell.end {
          cell.add(sample, after: elapsed)
          cell.isCut = false
          index &+= 1
          continue
        }
      }
      let (mean, next) = cell.ended(by: sample, after: elapsed)
      guard cells.append(mean) else { return .interrupted }
      cell = next
      if !cell.isCut { index &+= 1 }
      if cells.isFull { return .full }
    }
  }
}

/// The cell that is being filled, and the previous sample, from where the line to the next one begins.
private struct OpenCell: Sendable {
  /// The time of the previous sample, in nanoseconds, and its acceleration in g.
  var time: Int64 = 0
  var value = SIMD4<Float>.zero
  /// Where the cell ends.
  var end: Int64 = 0
  /// Twice its area so far, in g·ns.
  private var area = SIMD4<Float>.zero
  /// The part of it that belongs to the line from the previous cell.
  private var carried = SIMD4<Float>.zero
  /// Whether the line to the next sample was cut at an edge, so that it begins there and not at a sample.
  var isCut = false

  /// Twice g·ns to g.
  private static let scale = Float(0.5 / Double(Tuning.cellNanoseconds))

  init() {}

  /// The first cell of a run.
  init(time: Int64, value: SIMD4<Float>) {
    (self.time, self.value, end) = (time, value, time &+ Tuning.cellNanoseconds)
  }

  /// Adds the area under the line to a sample inside the cell.
  @inline(__always)
  mutating func add(_ sample: AccelerationSample, after elapsed: Int64) {
    area += (value + sample.lanes) * SIMD4(repeating: Float(elapsed))
    (value, time) = (sample.lanes, sample.nanoseconds)
  }

  /// The mean of the cell, which the line to a sample leaves, and the next cell.
  ///
  /// It does not wait for the division that cuts the line at the edge: the area beyond is the whole less the part before. Of
  /// a line over several edges, the next cell continues from the first of them, and is cut.
  @inline(__always)
  func ended(by sample: AccelerationSample, after elapsed: Int64) -> (mean: SIMD4<Float>, next: OpenCell) {
    let part = Float(end &- time)
    let atEdge = value + (sample.lanes - value) * SIMD4(repeating: part / Float(elapsed))
    let before = (value + atEdge) * SIMD4(repeating: part)
    var next = self
    next.area = .zero
    next.end = end &+ Tuning.cellNanoseconds
    next.isCut = sample.nanoseconds >= next.end
    if next.isCut {
      (next.carried, next.value, next.time) = (.zero, atEdge, end)
    } else {
      next.carried = (value + sample.lanes) * SIMD4(repeating: Float(elapsed)) - before
      (next.value, next.time) = (sample.lanes, sample.nanoseconds)
    }
    return ((area + carried + before) * SIMD4(repeating: Self.scale), next)
  }
}

/// The cells of a block that are not filtered yet.
///
/// They are filtered together, because filters are chains of dependent operations: in a separate loop the processor
/// works on several cells at once. A block must not be longer than the buffer.
struct CellBuffer: Sendable {
  /// One element for each cell of a block.
  typealias Places<Element> = InlineArray<12, Element>

  private var cells = Places<SIMD4<Float>>(repeating: .zero)
  private var squares = Places<Float>(repeating: 0)
  private(set) var count = 0
  /// The maximum number of cells: as many as the open block still needs.
  var room = Tuning.blockCells
  /// The newest cell of the run.
  private(set) var last: SIMD4<Float>?

  init() { precondition(Tuning.blockCells <= cells.count, "a block has more cells than CellBuffer has places") }

  @inline(__always)
  var isFull: Bool { count == room }

  @inline(__always)
  subscript(index: Int) -> (cell: SIMD4<Float>, squared: Float) { (cells[index], squares[index]) }

  /// - Returns: whether the cell was valid; one that is not finite or too large for any sensor is dropped.
  @inline(__always)
  mutating func append(_ cell: SIMD4<Float>) -> Bool {
    let squared = cell.squaredLength
    // NaN compares false.
    guard squared < Tuning.largestAccelerationSquared else { return false }
    cells[count] = cell
    squares[count] = squared
    last = cell
    count += 1
    return true
  }

  mutating func clear() { count = 0 }
}
