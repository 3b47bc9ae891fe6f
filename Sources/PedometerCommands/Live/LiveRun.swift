import Accelerometry
import JSONLines
import LinuxSensors
import LiveCounting
import Pedometry
import StepDetection

/// One live count, from finding the source to the totals.
struct LiveRun: Sendable {
  let uri: SourceURI?
  let opener: LiveOpener
  let stepLength: StepLengthModel
  let limit: LiveDuration
  let isProvisional: Bool
  let reporter: LiveReporter
  let stop: LiveTask.Stop

  /// Why it came to its end, and what was counted.
  private struct Outcome {
    var report: CountReport
    var reason = "the source has come to its end"
    var failure: SourceFailure?
  }

  /// Counts until the source, the time or somebody ends it.
  /// - Returns: the exit code for what went wrong.
  func run() async -> ExitStatus? {
    do {
      // Nothing is said before it is known who counts: it may be another executable.
      let found = try await opener.open(uri)
      try reporter.begin()
      guard let feed = found else {
        try reporter.finish(Self.nothing(uri))
        return nil
      }
      var outcome: Outcome
      switch feed.content {
      case .samples(let source):
        limit.limit(stop)
        outcome = try await count(source, feed)
      case .counter(let counter):
        limit.limit(stop, isChip: true)
        outcome = try await follow(counter, feed)
      }
      outcome.reason = stop.reason ?? outcome.reason
      return try finish(outcome)
    } catch is StandardOutput.Closed {
      return nil
    } catch {
      let failure = SourceFailure(error)
      reporter.complain(failure.message)
      return failure.status
    }
  }

  private func finish(_ outcome: Outcome) throws -> ExitStatus? {
    guard let failure = outcome.failure else {
      if reporter.hasStarted { try reporter.tell(.stopped, outcome.reason) }
      try reporter.finish(outcome.report)
      return nil
    }
    if reporter.hasStarted {
      reporter.note(.stopped, failure.message)
      try reporter.finish(outcome.report)
    }
    if !reporter.hasStarted || !reporter.saysEventsToPeople { reporter.complain(failure.message) }
    return failure.status
  }

  private static func nothing(_ uri: SourceURI?) -> CountReport {
    CountReport(
      source: uri.map { "\($0)" } ?? "no sensor", steps: 0, distanceTravelled: 0, duration: .zero, samples: 0,
      walkingDuration: .zero, gaps: 0, warnings: [])
  }

  // MARK: Samples

  /// However many samples come at once, lines are due as if they came one after the other; in nanoseconds.
  private static let slice: Int64 = 100_000_000

  private func count(_ source: some AccelerationSource, _ feed: LiveFeed) async throws -> Outcome {
    var counter = WalkCounter(stepLength: stepLength)
    counter.announcesSteps = isProvisional
    var batches = source.batches().makeAsyncIterator()
    var outcome = Outcome(report: Self.nothing(feed.uri))
    var end = Int64.max
    var told = 0
    var damage = DamageNews()
    do {
      while end != .min, var batch = try await batches.next(isolation: nil) {
        try reporter.check()
        if counter.samples == 0, let first = batch.samples.first {
          end = limit.end(from: first.nanoseconds)
          try start(feed, at: first.timestamp)
        }
        if let last = batch.samples.last, last.nanoseconds > end {
          batch.samples.removeAll { $0.nanoseconds > end }
          (end, outcome.reason) = (.min, LiveDuration.reason)
        }
        if let gap = batch.gap, counter.samples > 0 { try reporter.tell(.gap, gap.sentence) }
        // Not the batch: what a gap means is read from the timestamps alone, as it will be from a recording of them.
        for slice in batch.samples.slices(within: Self.slice) {
          try tell(counter.process(slice.span), &counter, &told, feed)
          for sentence in damage.take(counter.damage, since: counter.start) { try reporter.tell(.warning, sentence) }
        }
      }
    } catch let error where !Self.isOurs(error) {
      outcome.failure = SourceFailure(error)
    }
    try reporter.check()
    try tell(counter.finish(), &counter, &told, feed)
    for sentence in damage.take(counter.damage, since: counter.start) { try reporter.tell(.warning, sentence) }
    outcome.report = report(counter, feed)
    return outcome
  }

  /// Errors that are not the source's.
  private static func isOurs(_ error: any Error) -> Bool {
    error is StandardOutput.Closed || error is StandardOutput.Failed
  }

  private func start(_ feed: LiveFeed, at time: Duration) throws {
    try reporter.start(at: time, "counting with \(feed.summary)" + (feed.remark.map { "; \($0)" } ?? ""))
  }

  private func tell(_ steps: [Step], _ counter: inout WalkCounter, _ told: inout Int, _ feed: LiveFeed) throws {
    guard let now = counter.now else { return }
    var news: [(StepReport, Int)] = []
    if isProvisional {
      for item in counter.takeNews() {
        switch item {
        case .announced(let time): news.append((StepReport(time: time, state: .provisional), told))
        case .retracted(let time): news.append((StepReport(time: time, state: .retracted), told))
        case .confirmed(let step, let announced):
          told += 1
          news.append((StepReport(time: step.timestamp, state: .confirmed, announced: announced), told))
        }
      }
    } else {
      for step in steps {
        told += 1
        news.append((StepReport(time: step.timestamp, state: .confirmed), told))
      }
    }
    try reporter.take(news, counter.walk, now: now, health: Self.health(feed, counter.samplingFrequency))
  }

  private static func health(_ feed: LiveFeed, _ frequency: Double?) -> String {
    "\(feed.uri)" + (frequency.flatMap { Decimals.text($0, 0) }.map { " at \($0) Hz" } ?? "")
  }

  private func report(_ counter: WalkCounter, _ feed: LiveFeed) -> CountReport {
    CountReport(
      source: "\(feed.uri)", steps: counter.steps, distanceTravelled: counter.distanceTravelled,
      duration: counter.walk.elapsed, samples: counter.samples, samplingFrequency: counter.samplingFrequency,
      meanCadence: counter.meanCadence, walkingDuration: counter.walkingDuration, gaps: counter.gaps,
      warnings: counter.damage.sentences(since: counter.start))
  }

  // MARK: A chip or a service that counts

  private func follow(_ chip: some StepReadings, _ feed: LiveFeed) async throws -> Outcome {
    var walk = StepCounterWalk(stepLength: stepLength)
    var outcome = Outcome(report: Self.nothing(feed.uri))
    var told = 0
    do {
      for try await reading in chip {
        try reporter.check()
        let time = Duration.nanoseconds(reading.nanoseconds)
        if !reporter.hasStarted { try start(feed, at: time) }
        let sample = walk.take(reading)
        let news = walk.newSteps.map { step in
          told += 1
          return (StepReport(time: step.timestamp, state: .confirmed), told)
        }
        told = sample.steps
        try reporter.take(news, sample, now: time, health: "\(feed.uri)")
        outcome.report.take(sample)
      }
    } catch let error where !Self.isOurs(error) {
      outcome.failure = SourceFailure(error)
    }
    return outcome
  }
}

extension CountReport {
  /// Takes a chip's totals.
  fileprivate mutating func take(_ walk: WalkSample) {
    steps = walk.steps
    distanceTravelled = walk.distanceTravelled
    duration = walk.elapsed
    walkingDuration = walk.activeTime
    let seconds = walk.activeTime / .seconds(1)
    meanCadence = seconds > 0 ? Double(walk.steps) / seconds : nil
  }
}
