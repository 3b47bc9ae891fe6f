/// Spreads samples that share a time evenly: over the resolution of the times, such as a second, or up to the next time, as
/// for the packets of a radio and times that are rounded to less than a second.
///
/// The first second is usually incomplete, so it is held back until the second one shows the number of samples per second; it
/// ends where the second one begins. If the clock stands still, samples are delivered after ``most`` of them.
struct TimeSpreader {
  /// The maximum number of samples in a second, and in any time.
  static let most = 4096
  private static let mostInAll = 1 << 18
  /// As many samples with one time, and two seconds to the next, are no second.
  private static let fewestOfCoarse = 64
  private static let fewestOfOneTime = 1000

  /// The time between two different times, in nanoseconds.
  private let resolution: Int64
  private let mostOfTime: Int
  /// The usual time between two samples, in nanoseconds, if each time is followed by another at no fixed distance.
  private let period: Int64?
  /// A row at most so far from the one before shares its time, in nanoseconds.
  private let together: Int64
  private var latest: Int64 = .min
  /// Samples whose times turn out to be rounded to more than the resolution, and the time to the next.
  private(set) var coarse: (samples: Int, resolution: Int64?) = (0, nil)

  /// Spreads the samples up to the next time; before a pause, over the usual time.
  init(period: Int64, together: Int64 = 0) {
    (self.period, self.together) = (period, together)
    resolution = SampleAssembler.longestStep
    mostOfTime = Self.most
  }

  /// Spreads the samples of each time over the resolution, in nanoseconds.
  init(resolution: Int64 = SampleAssembler.longestStep) {
    (period, together) = (nil, 0)
    self.resolution = resolution
    mostOfTime = min(Self.mostInAll, Self.most * Int(max(1, min(resolution / SampleAssembler.longestStep, 1 << 10))))
  }

  private var first: (second: Int64, rows: [RecordedRow])?
  private(set) var second: Int64?
  /// The rows of that second. The storage is kept, because there may be as few as two.
  private var rows: [RecordedRow] = []
  private var usualCount = 0

  /// Takes a row; delivers complete seconds.
  mutating func add(_ row: RecordedRow, emit: (RecordedRow) -> Void, skip: (Int) -> Void) {
    let second = row.nanoseconds
    defer { latest = row.nanoseconds }
    if self.second != nil, -together...together ~= second &- latest {
      if rows.count < mostOfTime { rows.append(row) } else { skip(row.line) }
      return
    }
    if period == nil, let before = self.second, rows.count >= Self.fewestOfCoarse, second - before >= 2 * resolution {
      coarse = (coarse.samples + rows.count, second - before)
    }
    close(next: second, emit: emit)
    self.second = second
    rows.append(row)
  }

  var isOfSeconds: Bool { period == nil && resolution == SampleAssembler.longestStep }

  mutating func finish(emit: (RecordedRow) -> Void) {
    close(next: nil, emit: emit)
    if let first, first.rows.count >= Self.fewestOfOneTime, coarse.samples == 0 { coarse = (first.rows.count, nil) }
    if let held = first {
      first = nil
      usualCount = held.rows.count
      spread(held, over: held.rows.count, endsWithSecond: false, emit)
    }
  }

  private mutating func close(next: Int64?, emit: (RecordedRow) -> Void) {
    guard let second else { return }
    self.second = nil
    if let period {
      let count = Int64(rows.count)
      let usual = period * count
      let length = next.map { $0 - second } ?? usual
      let span = length > 0 && length <= max(2 * usual, usual + period) ? length : usual
      for index in rows.indices { emit(rows[index].moved(to: second + Int64(index) * span / count)) }
      rows.removeAll(keepingCapacity: true)
      return
    }
    let whole = (second: second, rows: rows)
    rows = []
    if usualCount == 0, first == nil {
      first = whole
      return
    }
    if let held = first {
      first = nil
      spread(held, over: max(held.rows.count, whole.rows.count), endsWithSecond: true, emit)
    }
    // The last second may be incomplete: its samples keep the interval of those before.
    spread(whole, over: max(whole.rows.count, usualCount), endsWithSecond: false, emit)
    usualCount = whole.rows.count
  }

  private func spread(
    _ group: (second: Int64, rows: [RecordedRow]), over count: Int, endsWithSecond: Bool, _ emit: (RecordedRow) -> Void
  ) {
    let skipped = endsWithSecond ? count - group.rows.count : 0
    for (index, row) in group.rows.enumerated() {
      emit(row.moved(to: group.second + Int64(skipped + index) * resolution / Int64(count)))
    }
  }
}
