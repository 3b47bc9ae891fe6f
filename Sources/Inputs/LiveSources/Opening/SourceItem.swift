import Accelerometry
import Counting
import LinuxSensors

package enum SourceItem: Sendable {
  case samples(SampleBatch)
  /// Steps that a chip, or the service that uses the sensor, has already counted.
  case steps(StepCounterReading)
}

/// Counts what a source delivers. A source may return as another one: all day, the best sensor is read.
struct ItemCounting: ElementCounting {
  private let options: CountingOptions
  private let decidesAtLoss: Bool
  private var samples: SampleCounting?
  private var readings: ReadingCounting?

  /// - Parameters:
  ///   - countsItself: whether the source delivers steps.
  ///   - decidesAtLoss: whether open steps are decided when the source is lost, because it may be away for hours.
  init(_ options: CountingOptions, countsItself: Bool, decidesAtLoss: Bool) {
    (self.options, self.decidesAtLoss) = (options, decidesAtLoss)
    if countsItself { readings = ReadingCounting(stepLength: options.stepLength) }
  }

  mutating func take(_ item: SourceItem, into events: inout [WalkEvent]) {
    switch item {
    case .samples(let batch):
      readings = nil
      samples = samples ?? SampleCounting(options)
      samples?.take(batch, into: &events)
    case .steps(let reading):
      samples = nil
      readings = readings ?? ReadingCounting(stepLength: options.stepLength)
      readings?.take(reading, into: &events)
    }
  }

  mutating func pause(into events: inout [WalkEvent]) { if decidesAtLoss { samples?.decide(into: &events) } }

  mutating func end(into events: inout [WalkEvent]) {
    if readings == nil { samples = samples ?? SampleCounting(options) }
    samples?.end(into: &events)
    readings?.end(into: &events)
  }
}

/// Continues what a source delivers across its losses: the times, and the steps and metres of a chip.
struct ItemLine: Sendable {
  private var latest: Int64?
  private var shift: Int64 = 0
  private var steps = 0
  private var metres = (before: 0.0, total: 0.0)

  /// - Parameter isBack: whether it is the first item after a loss.
  mutating func take(_ item: SourceItem, isBack: Bool) -> SourceItem {
    switch item {
    case .samples(let batch): .samples(take(batch, isBack: isBack))
    case .steps(let reading): .steps(take(reading, isBack: isBack))
    }
  }

  /// If a clock restarted while the sensor was away, it is shifted so that time does not go backwards.
  private mutating func take(_ batch: SampleBatch, isBack: Bool) -> SampleBatch {
    var batch = batch
    if isBack, let latest, let first = batch.samples.first?.nanoseconds {
      if first &+ shift <= latest { shift = latest - first + GapFinder.leastInterruption }
      let away = first &+ shift - latest
      // A phone that kept what it measured lacks nothing.
      if away >= GapFinder.leastInterruption { batch.gap = .interruption(.nanoseconds(away)) }
    }
    if shift != 0 { for index in batch.samples.indices { batch.samples[index].nanoseconds &+= shift } }
    latest = batch.samples.last?.nanoseconds ?? latest
    return batch
  }

  private mutating func take(_ reading: StepCounterReading, isBack: Bool) -> StepCounterReading {
    if isBack { metres.before = metres.total }
    var reading = reading
    steps += reading.newSteps
    reading.steps = steps
    reading.distance = reading.distance.map { $0 + metres.before }
    metres.total = reading.distance ?? metres.total
    return reading
  }
}
