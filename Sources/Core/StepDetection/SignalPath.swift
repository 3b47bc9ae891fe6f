import Accelerometry

/// The stages before the decision: samples become cells of 80 ms, and these a magnitude, its peaks and its autocorrelation.
///
/// It knows nothing of steps, and serves one run of samples without a gap. `detector-lab` draws its results.
struct SignalPath: Sendable {
  /// Cells without any change that ended, as of a sensor that hung.
  struct Freeze {
    /// The first of them, counted from the start of the run.
    var first: Int
    var cells: Int
  }

  /// The cells that were filled and not yet filtered.
  private(set) var pending = CellBuffer()
  /// The number of filtered cells of the run.
  private(set) var cellCount = 0
  private var resampler = CellResampler()
  private var freezes = FreezeWatch()
  private var gravity = GravityRestorer()
  private var finder = PeakFinder()
  private var correlator = BlockAutocorrelation()
  private var window = MovementWindow()
  /// What the samples of a rest have shown; `nil` once something has moved.
  private var rest: Rest?
  private var stillBlocks = 0

  // MARK: filling

  var hasBegun: Bool { resampler.hasBegun }
  /// The time of the first sample in nanoseconds.
  var start: Int64 { resampler.start }
  /// The time from the first sample to the latest, in seconds.
  var duration: Double { Double(resampler.latest &- resampler.start) * 1e-9 }

  mutating func begin(at sample: AccelerationSample) {
    resampler.begin(at: sample)
    rest = Rest(sample.lanes, since: sample.nanoseconds)
  }

  /// Begins at the sample that ended a rest, as if the rest had been one of ``Tuning/restCells``: how the cells and blocks of
  /// the movement lie then depends on the movement, not on when the recording began.
  mutating func beginMoving(at sample: AccelerationSample) {
    var moving = SignalPath()
    moving.gravity = gravity.afterRest
    moving.resampler.begin(at: sample, after: Tuning.restCells)
    var correlation = Correlation()
    while moving.cellCount < Tuning.restCells {
      while !moving.pending.isFull { _ = moving.pending.append(rest?.mean ?? sample.lanes) }
      _ = moving.filter(counted: -.infinity)
      moving.finishBlock(into: &correlation)
      moving.makeRoom()
    }
    moving.freezes = freezes
    moving.stillBlocks = 0
    self = moving
  }

  /// Stops looking for the end of the rest.
  mutating func endRest() { rest = nil }

  /// Fills the pending cells.
  @inline(__always)
  mutating func fill(from samples: Span<AccelerationSample>, at index: inout Int) -> CellResampler.Stop {
    guard let rest else { return resampler.fill(&pending, from: samples, at: &index) }
    return fill(from: samples, at: &index, atRest: rest)
  }

  /// Fills the pending cells up to the first sample that is not at rest.
  @inline(never)
  private mutating func fill(
    from samples: Span<AccelerationSample>, at index: inout Int, atRest known: Rest
  ) -> CellResampler.Stop {
    var rest = known
    let past = resampler.end(ofCells: pending.room &- pending.count)
    var end = index
    var isMoved = false
    var previous = resampler.newest
    while end < samples.count {
      // In bounds: 0 ≤ end < samples.count.
      let sample = unsafe samples[unchecked: end]
      let elapsed = sample.nanoseconds &- previous
      // The resampler skips samples in no order, and ends the run at a gap.
      isMoved =
        (sample.lanes - rest.mean).squaredLength > Tuning.restSquared && elapsed > 0
        && elapsed <= Tuning.gapNanoseconds
      if isMoved { break }
      end &+= 1
      if elapsed > Tuning.gapNanoseconds || sample.nanoseconds >= past { break }
      if elapsed <= 0 { continue }
      previous = sample.nanoseconds
      rest.take(sample.lanes)
    }
    self.rest = rest
    let stop = resampler.fill(&pending, from: samples.extracting(0..<end), at: &index)
    guard case .exhausted = stop, end < samples.count else { return stop }
    if !isMoved { return .full }
    if resampler.newest &- rest.begin < Tuning.shortestRest {
      // The recording begins in a movement, or with a bad sample. The rest that would be assumed has never been.
      self.rest = nil
      return .full
    }
    return .moved
  }

  /// Fills the pending cells with what the last samples left.
  /// - Returns: whether there may be more.
  mutating func fillAtEnd() -> Bool {
    if case .full = resampler.finish(&pending) { true } else { false }
  }

  /// Repeats the newest cell, as if the sensor did not move any more; `false` if there is none.
  mutating func hold() -> Bool {
    guard let last = pending.last else { return false }
    _ = pending.append(last)
    return true
  }

  /// Limits the next fill to the cells that the open block still needs.
  @inline(__always)
  mutating func makeRoom() { pending.room = correlator.room }

  // MARK: filtering

  /// Filters and removes the pending cells.
  /// - Parameters:
  ///   - counted: the time of the latest peak that was turned into a step; it may no longer be replaced.
  ///   - note: gets the place, the magnitude with restored gravity, and the magnitude between 1.2 and 2.5 Hz of each cell.
  /// - Returns: a freeze that ended.
  @inline(__always)
  mutating func filter(
    counted: Double, note: (_ place: Int, _ magnitude: Float, _ bandPassed: Float) -> Void = { _, _, _ in }
  ) -> Freeze? {
    var freeze: Freeze?
    var magnitudes = CellBuffer.Places<Float>(repeating: 0)
    for i in 0..<pending.count {
      let (cell, squared) = pending[i]
      if let length = freezes.take(squared) {
        freeze = Freeze(first: cellCount &+ i &- Tuning.resumedCells &- length, cells: length)
      }
      magnitudes[i] = gravity.magnitude(of: cell, squared: squared)
    }
    filterPending(&magnitudes, note)
    let bandPassed = magnitudes.span
    for i in 0..<pending.count { finder.look(at: bandPassed[i], cell: cellCount &+ i, counted: counted) }
    cellCount += pending.count
    pending.clear()
    return freeze
  }

  /// High-passes the pending cells and band-passes their magnitudes.
  ///
  /// Uses copies of the filters, without calls: their state then stays in registers.
  @inline(__always)
  private mutating func filterPending(
    _ magnitudes: inout CellBuffer.Places<Float>,
    _ note: (_ place: Int, _ magnitude: Float, _ bandPassed: Float) -> Void
  ) {
    if pending.count == 0 { return }
    var (highPass, bandPass) = (correlator.highPass, finder.bandPass)
    var first = pending[0].cell
    first.w = magnitudes[0]
    highPass.begin(at: first)
    bandPass.begin(at: first.w)
    let added = gravity.replacement
    for i in 0..<pending.count {
      var cell = pending[i].cell
      cell.w = magnitudes[i]
      magnitudes[i] = bandPass.apply(cell.w)
      note(i, cell.w, magnitudes[i])
      let filtered = highPass.apply(cell)
      correlator.append(filtered: filtered)
      window.append(filtered, before: cell + added)
    }
    (correlator.highPass, finder.bandPass) = (highPass, bandPass)
  }

  // MARK: results

  /// The time of a cell of the run in nanoseconds.
  func time(ofCell cell: Int) -> Int64 { start &+ Int64(cell) &* Tuning.cellNanoseconds }
  /// The end of the filtered cells, in seconds since the first sample.
  var end: Double { Double(cellCount) / Tuning.cellFrequency }
  /// The latest peaks.
  var peaks: PeakHistory { finder.peaks }
  /// Whether gravity was removed from the samples.
  var isWithoutGravity: Bool { gravity.isMissing }
  /// The number of complete blocks.
  var blocks: Int { correlator.count / Tuning.blockCells }
  /// Whether the block is complete; ``finishBlock(into:)`` is to be called then.
  var isBlockComplete: Bool { correlator.room == 0 }

  mutating func finishBlock(into correlation: inout Correlation) {
    correlator.finishBlock(into: &correlation)
    window.finishBlock()
    if correlation.magnitudeAmplitude < Tuning.slowQuietAmplitude {
      stillBlocks &+= 1
    } else {
      // It may be a slow walk, which must not begin anew.
      (rest, stillBlocks) = (nil, 0)
    }
    // No decision depends any more on what was before.
    if stillBlocks >= Tuning.restartBlocks, rest == nil {
      let latest = resampler.handedOn
      rest = Rest(latest.lanes, since: latest.nanoseconds &- Tuning.shortestRest)
    }
  }

  /// The autocorrelation of the window twice as long.
  func slowCorrelation(into correlation: inout Correlation) { correlator.slowCorrelation(into: &correlation) }

  /// The shape of the movement in the latest window.
  /// - Parameter features: of the same block; the whole strides of its cadence are read.
  mutating func shape(of features: BlockFeatures) -> MovementShape {
    window.shape(
      period: 2 * Float(Tuning.cellFrequency) / features.cadence,
      ampleness: features.logAmplitude - 2 * features.logCadence)
  }
}

/// Samples that are alike, as of a sensor at rest. The next are compared with their mean: with the first alone, the noise of
/// a sensor (6 mg) moved the beginning of the cells, and short walks by a step or two.
private struct Rest: Sendable {
  /// When it began, in nanoseconds of the sensor clock.
  let begin: Int64
  /// The mean as of the latest fourth sample, so that not every sample waits for it.
  private(set) var mean: SIMD4<Float>
  private let first: SIMD4<Float>
  /// The sum of the distances from the first sample: the mean of equal samples is exactly their value.
  private var sum = SIMD4<Float>.zero
  private var count = 1

  init(_ lanes: SIMD4<Float>, since begin: Int64) { (self.begin, mean, first) = (begin, lanes, lanes) }

  @inline(__always)
  mutating func take(_ lanes: SIMD4<Float>) {
    sum += lanes - first
    count &+= 1
    guard count % 4 == 0 else { return }
    mean = first + sum * SIMD4(repeating: 1 / Float(count))
    if count == Tuning.restSamples { (sum, count) = (sum * SIMD4(repeating: 0.5), count / 2) }
  }
}
