import Accelerometry
import CPedometer
import Counting
import Pedometry
import Platform
import Recordings
import StepDetection

/// What a handle refers to: one recording, counted as `pedometer count` counts it.
final class Walk: Lendable {
  static let (name, maker) = ("handle", "pedometer_create")

  let lease = Lease()

  private enum State {
    case new
    case counting(RowsInMemory)
    case ended
    case failed(Failure)
  }

  private let settings: Settings
  private var state = State.new
  private var counting: SampleCounting
  private var result = WalkSummary()
  private var steps: [Step] = []
  private var bouts: [WalkBout] = []
  private var gaits: [GaitBout] = []
  /// How many of the steps have their refined time.
  private var refined = 0
  /// The time of the recording's first sample.
  private var origin: Int64?
  /// The time of the last row.
  private var last: Int64?
  private var rows = 0
  /// Whether a row had no time.
  private var countsByRate = false
  private var epochs: (length: Double, epochs: [Epoch])?
  let warnings = CStrings()
  private let clocks = CStrings()
  /// The clock's texts of the first and the last sample, and of the zero of times.
  private(set) var (start, end, zero): (String?, String?, String?) = (nil, nil, nil)

  /// As many samples are counted at once; they fit a processor's cache.
  private static let batch = 2048

  init(_ settings: Settings) {
    self.settings = settings
    var options = CountingOptions(stepLength: settings.stepLength, latency: StepDetector.longestRevision, slice: nil)
    options.explains = true
    options.recognition = settings.recognition
    options.measuresGait = settings.measuresGait
    (options.stated, options.statedBy) = (settings.reading.samplingFrequency, "option rate")
    counting = SampleCounting(options)
  }

  // MARK: Arrays

  func process(_ samples: pedometer_samples) throws(Failure) {
    let isFirst: Bool
    var reader: RowsInMemory
    switch state {
    case .new: (isFirst, reader) = (true, RowsInMemory(unit: settings.reading.unit))
    case .counting(let rows): (isFirst, reader) = (false, rows)
    case .ended: throw .usage("the recording has ended; count the next one with a new handle")
    case .failed(let failure): throw failure
    }
    let table = try unsafe SampleTable(samples, rate: settings.reading.samplingFrequency, before: rows)
    try table.check(after: last)
    if isFirst {
      for piece in RowsInMemory.pieces(of: table.count) {
        for row in piece { reader.look(at: table.time(row), table.values(row)) }
        reader.endPiece()
      }
      do throws(RecordingError) { try reader.decide() } catch { throw Failure(ofArrays: error) }
      origin = table.time(0)
    }
    var batch: [AccelerationSample] = []
    batch.reserveCapacity(Self.batch)
    for start in stride(from: 0, to: table.count, by: Self.batch) {
      batch.removeAll(keepingCapacity: true)
      for row in start..<min(start + Self.batch, table.count) {
        reader.admit(table.time(row), table.values(row), into: &batch)
      }
      reader.endBatch(&batch)
      count(batch)
    }
    rows += table.count
    countsByRate = countsByRate || !table.hasTimes
    last = table.time(table.count - 1)
    epochs = nil
    state = .counting(reader)
  }

  func finish() throws(Failure) {
    switch state {
    case .new: throw .badData("there are no samples; give some before the end")
    case .failed(let failure): throw failure
    case .ended: return
    case .counting(var reader):
      var batch: [AccelerationSample] = []
      reader.finish(into: &batch)
      count(batch)
      endCounting()
      if !countsByRate { counting.stated = nil }
      let summary = reader.summary
      var verdict = summary.verdict(of: "xyz")
      verdict.refusal = summary.refusal(path: "xyz").map { Failure(ofArrays: $0).text }
      verdict.refusalWithoutSteps = summary.refusal(path: "xyz", isWithoutResult: true).map {
        Failure(ofArrays: $0).text
      }
      try conclude(verdict, summary)
      if let rate = result.samplingFrequency, result.samples >= 10, !RowsInMemory.isPlausible(rate: rate) {
        throw fail(
          .badData(
            "there are \(rate) samples a second, but counting needs 5 to 100000; times are in seconds as floating point,"
              + " or in nanoseconds as integers"))
      }
    }
  }

  // MARK: Files

  func count(path: UnsafePointer<CChar>) throws(Failure) {
    switch state {
    case .new: break
    case .failed(let failure): throw failure
    case .counting, .ended: throw .usage("this handle has counted already; count each file with a new one")
    }
    let reader: RecordingReader
    do throws(RecordingError) { reader = try unsafe RecordingReader(cPath: path, options: settings.reading) } catch {
      throw Failure(error)
    }
    var samples: [AccelerationSample] = []
    while true {
      do throws(RecordingError) {
        guard try counting.read({ () throws(RecordingError) in try reader.read(into: &samples) }) else { break }
      } catch { throw fail(Failure(error)) }
      if origin == nil { origin = reader.summary.recordingStart ?? samples.first?.nanoseconds }
      count(samples)
    }
    endCounting()
    try conclude(reader.summary.verdict(of: unsafe String(cString: path)), reader.summary)
    if let damage = counting.damage as? RecordingError, damage.kind == .io { throw fail(Failure(damage)) }
  }

  // MARK: Both

  private func count(_ samples: [AccelerationSample]) { take(counting.count(samples.span)) }

  private func endCounting() {
    take(counting.finish())
    epochs = nil
  }

  private func take(_ news: SampleCounting.News) {
    steps += news.steps
    for case .bout(let bout) in news.findings { bouts.append(bout) }
    for bout in news.gait {
      for time in bout.times {
        steps[refined].timestamp = time
        refined += 1
      }
      if bout.measures.strideTime.count > 0 { gaits.append(bout) }
    }
  }

  private func conclude(_ verdict: SourceVerdict, _ summary: RecordingSummary) throws(Failure) {
    counting.take(verdict)
    result = counting.summary
    if let refusal = result.refusal { throw fail(.badData(OptionTerms.translate("\(refusal)"))) }
    warnings.add((result.warnings + (counting.damage.map { ["\($0)"] } ?? [])).map(OptionTerms.translate))
    let text = { (timestamp: Int64?) in timestamp.flatMap { summary.clockText(of: $0) } }
    (start, end, zero) = (text(summary.firstTimestamp), text(summary.lastTimestamp), text(origin))
    state = .ended
  }

  private func fail(_ failure: Failure) -> Failure {
    state = .failed(failure)
    return failure
  }

  // MARK: Results

  private func requireResult() throws(Failure) { if case .failed(let failure) = state { throw failure } }

  private func sinceOrigin(_ time: Duration) -> Duration { time - .nanoseconds(origin ?? 0) }

  func totals() throws(Failure) -> pedometer_total {
    try requireResult()
    if case .counting = state { result = counting.summary }
    let totals = result.totals
    return pedometer_total(
      size: MemoryLayout<pedometer_total>.size, steps: Int64(totals.steps),
      distance_travelled: totals.distanceTravelled, duration: totals.elapsed.inSeconds,
      walking_duration: totals.activeTime.inSeconds, mean_cadence: result.meanCadence ?? .nan,
      confidence: result.confidence ?? .nan, samples: Int64(result.samples),
      sampling_frequency: result.samplingFrequency ?? .nan, gaps: Int64(result.gaps), origin: origin ?? 0,
      warnings: warnings.count)
  }

  func steps(
    _ times: UnsafeMutablePointer<Double>?, _ confidences: UnsafeMutablePointer<Double>?, _ capacity: Int
  ) throws(Failure) -> Int {
    try requireResult()
    unsafe fill(times, capacity, from: steps) { sinceOrigin($0.timestamp).inSeconds }
    return unsafe fill(confidences, capacity, from: steps) { $0.confidence ?? .nan }
  }

  /// A pause of years has many seconds.
  private static let mostEpochs = 10_000_000.0

  func epochs(
    of length: Double, _ place: UnsafeMutablePointer<pedometer_epoch>?, _ capacity: Int
  ) throws(Failure) -> Int {
    try requireResult()
    // NaN compares false.
    guard length >= 1, length <= 1e9 else {
      throw .usage("epochs are \(length) s long; give 1 to 1e9 seconds, such as 60")
    }
    if epochs?.length != length { epochs = (length, try split(length)) }
    return unsafe fill(place, capacity, from: epochs?.epochs ?? []) { epoch in
      pedometer_epoch(
        start: epoch.start.inSeconds, steps: Int64(epoch.steps), distance_travelled: epoch.distanceTravelled,
        cadence: epoch.cadence ?? .nan, confidence: epoch.confidence ?? .nan)
    }
  }

  private func split(_ length: Double) throws(Failure) -> [Epoch] {
    guard let start = counting.counter.start, let now = counting.counter.now else { return [] }
    guard (now - start).inSeconds / length < Self.mostEpochs else {
      throw .usage("that would be more than ten million epochs; give longer ones than \(length) s")
    }
    var splitter = EpochSplitter(
      length: .nanoseconds(Int64(bounded: length * 1e9)), stepLength: settings.stepLength,
      from: sinceOrigin(start))
    var found: [Epoch] = []
    for step in steps { found += splitter.record(stepAt: sinceOrigin(step.timestamp), confidence: step.confidence) }
    return found + splitter.finish(at: sinceOrigin(now))
  }

  func gait(_ place: UnsafeMutablePointer<pedometer_gait>?, _ capacity: Int) throws(Failure) -> Int {
    try requireResult()
    return unsafe fill(place, capacity, from: gaits) { bout in
      pedometer_gait(
        bout.measures, steps: bout.times.count, from: sinceOrigin(bout.start).inSeconds,
        to: sinceOrigin(bout.end).inSeconds)
    }
  }

  func gaitTotal() throws(Failure) -> pedometer_gait {
    try requireResult()
    let steps = gaits.reduce(0) { $0 + $1.times.count }
    return pedometer_gait(result.totals.gait ?? GaitMeasures(), steps: steps, from: .nan, to: .nan)
  }

  func bouts(_ place: UnsafeMutablePointer<pedometer_bout>?, _ capacity: Int) throws(Failure) -> Int {
    try requireResult()
    return unsafe fill(place, capacity, from: bouts) { bout in
      pedometer_bout(
        start: sinceOrigin(bout.start).inSeconds, end: sinceOrigin(bout.end).inSeconds, steps: Int64(bout.steps),
        cadence: bout.cadence ?? .nan, confidence: bout.confidence)
    }
  }

  func clock(_ text: String?) -> UnsafePointer<CChar>? { unsafe text.flatMap { unsafe clocks.copy(of: $0) } }
}

/// Fills an array of the caller as far as it goes.
/// - Returns: how many items there are.
@discardableResult
private func fill<Item, Entry>(
  _ place: UnsafeMutablePointer<Entry>?, _ capacity: Int, from items: [Item], _ entry: (Item) -> Entry
) -> Int {
  if let place = unsafe place {
    for (index, item) in items.prefix(capacity).enumerated() { unsafe place[index] = entry(item) }
  }
  return items.count
}

extension pedometer_gait {
  fileprivate init(_ gait: GaitMeasures, steps: Int, from start: Double, to end: Double) {
    let (step, stride) = (gait.stepTime, gait.strideTime)
    self.init(
      start: start, end: end, steps: Int64(steps), strides: Int64(stride.count),
      cadence: step.count > 0 ? 1 / step.mean : .nan, cadence_deviation: gait.cadence.deviation.map { $0 / 60 } ?? .nan,
      step_time: step.count > 0 ? step.mean : .nan, step_time_deviation: step.deviation ?? .nan,
      stride_time: stride.count > 0 ? stride.mean : .nan, stride_time_deviation: stride.deviation ?? .nan,
      asymmetry: gait.asymmetry ?? .nan, step_regularity: gait.stepRegularity ?? .nan,
      stride_regularity: gait.strideRegularity ?? .nan)
  }
}
