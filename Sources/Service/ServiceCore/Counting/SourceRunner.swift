import Counting
import History
import LinuxSensors
import LiveSources
import Pedometry
import Platform
import SourceNames

/// Counts a source for as long as the service runs: waits for it, follows it, and restarts it after errors with
/// exponential back-off. Sources do not affect each other.
package struct SourceRunner: Sendable {
  /// The source's name; `nil`: the best sensor.
  let uri: SourceURI?
  let access: SourceAccess
  let stepLength: StepLengthModel
  let clock: ServiceClock
  let account: SourceAccount
  /// Where the latest samples are kept across a crash; `nil`: nowhere.
  let journals: SampleJournalFolder?
  /// Waits for a source that is not a sensor, and opens it; its samples have the service's times.
  let open: (@Sendable () async throws -> LiveFeed?)?

  /// After this time without a failure, the back-off is reset.
  private static let calm = Duration.seconds(60)

  package init(
    uri: SourceURI?, access: SourceAccess, stepLength: StepLengthModel, clock: ServiceClock, account: SourceAccount,
    journals: SampleJournalFolder? = nil, open: (@Sendable () async throws -> LiveFeed?)? = nil
  ) {
    (self.uri, self.access, self.stepLength, self.clock) = (uri, access, stepLength, clock)
    (self.account, self.journals, self.open) = (account, journals, open)
  }

  /// An event of a source, and how the source was opened.
  private struct News: Sendable {
    var feed: LiveFeed
    var event: WalkEvent
  }

  /// Counts until the task is cancelled; pending steps are then decided.
  package func run() async {
    var following = Following(self)
    recover(following.journal)
    var end = "the recording ended"
    do {
      for try await event in source {
        switch event {
        case .element(let news): following.take(news)
        case .lost(let error), .refused(let error): lose(error)
        case .back: break
        }
      }
    } catch { end = SourceFailure(error).message }
    account.stop(because: Task.isCancelled ? "the service stops" : end)
  }

  /// The source, reopened after each loss.
  private var source: Reconnecting<News> {
    let isRecording = open == nil && uri?.isSensor == false
    let search = SourceSearch(uri: uri, access: access, clock: clock, account: account)
    let options = CountingOptions(stepLength: stepLength).correcting
    let policy = Reconnecting<News>.Policy(
      backoff: Backoff(), calm: Self.calm,
      end: isRecording ? nil : SourceFailure(message: "the sensor stopped sending samples", status: .io),
      sleep: clock.sleep, elapsed: clock.elapsed
    ) { _, isReading in
      // A recording is not restarted once its samples were counted, because they would count twice.
      !isRecording || !isReading
    }
    let open = open ?? { try await search.find() }
    return Reconnecting(policy: policy) {
      guard let feed = try await open() else { return nil }
      return .init(name: feed.summary) { Self.news(of: feed.withFloors(feed.walk), feed, options) }
    }
  }

  private static func news(
    of walk: some WalkSource, _ feed: LiveFeed, _ options: CountingOptions
  ) -> any AsyncSequence<News, any Error> {
    // An end without samples does not count as success for the back-off. After steps it may bring floors.
    walk.events(options).compactMap { event in
      if case .ended(let summary) = event, summary.steps == 0 || summary.floorsAscended == nil { return nil }
      return News(feed: feed, event: event)
    }
  }

  private func lose(_ error: any Error) {
    if let error = error as? SensorError {
      account.lose(because: error.reason, remedy: error.remedy, isDenied: error.kind == .permission)
    } else {
      account.lose(because: SourceFailure(error).message)
    }
  }

  /// Decides the pending steps of a crashed process.
  private func recover(_ journal: SampleJournal?) {
    guard let (samples, source) = journal?.recover(at: clock.elapsed()), let last = samples.last else { return }
    var counting = SampleCounting(CountingOptions(stepLength: stepLength, slice: nil))
    let steps = counting.count(samples.span) + counting.finish()
    var tally = SourceTally(stepLength: stepLength)
    let kept = journals?.latestKept.map { $0 + SampleJournalFolder.margin }
    let walked = tally.take(steps, latest: last.timestamp, arrival: last.timestamp)
      .filter { step in kept.map { step.time > $0 } ?? true }
    account.restore(walked, source)
  }

  /// The arrival of samples or a reading on both clocks.
  private struct Arrival {
    /// The service's clock minus the source's, at the first sample.
    var shift: Duration
    /// The latest sample on the source's clock.
    var latest: Duration
    /// Its arrival on the service's clock.
    var time: Duration
  }

  /// Processes a source's events.
  private struct Following {
    let account: SourceAccount
    let clock: ServiceClock
    let journal: SampleJournal?
    private var tally: SourceTally
    /// The totals before the source was last reopened.
    private var base = (steps: 0, distance: 0.0)
    /// Floors so far, and those of earlier sources; `nil` without a barometer.
    private var floors: (up: Int, down: Int)?
    private var formerFloors: (up: Int, down: Int)?
    private var arrival: Arrival?
    private var hasSamples = false
    /// Whether timestamps are on the service's clock; samples may then arrive late.
    private let isOnServiceClock: Bool

    init(_ runner: SourceRunner) {
      isOnServiceClock = runner.open != nil
      account = runner.account
      clock = runner.clock
      journal = runner.journals?.journal(of: runner.account.name)
      tally = SourceTally(stepLength: runner.stepLength)
    }

    mutating func take(_ news: News) {
      switch news.event {
      case .began: begin(news.feed)
      case .samples(let samples):
        hasSamples = true
        guard let latest = samples.last?.timestamp else { return }
        arrive(at: latest)
        let shift = (arrival?.time ?? latest) - latest
        account.sense(samples, shift: shift)
        journal?.append(samples, shift: shift)
      case .gap(let gap): account.tell(.gap, gap.sentence)
      case .progress(let progress): take(progress)
      case .warning(let sentence): account.tell(.warning, CommandTerms.translate(sentence))
      // A source that reconnects by itself, such as a running service.
      case .lost(let error): account.tell(.sourceLost, SourceFailure.loss(error))
      case .back(let name): account.tell(.sourceBack, "\(name) is back")
      case .ended(let summary):
        let climbed = climb(up: summary.floorsAscended, down: summary.floorsDescended, at: clock.elapsed())
        if let floors { account.close(climbed.map { [$0] } ?? [], ascended: floors.up, descended: floors.down) }
      case .refused: break
      }
    }

    /// The source's clock restarts; the totals stay.
    private mutating func begin(_ feed: LiveFeed) {
      tally.reconnect()
      base = (tally.steps, tally.distance)
      formerFloors = floors
      arrival = nil
      hasSamples = false
      account.begin(feed, at: clock.elapsed())
      if feed.samples != nil { journal?.begin(HistorySource(feed)) }
    }

    private mutating func arrive(at latest: Duration) {
      let time = isOnServiceClock ? min(latest, clock.elapsed()) : clock.elapsed()
      arrival = Arrival(shift: arrival?.shift ?? time - latest, latest: latest, time: time)
    }

    private mutating func take(_ progress: WalkProgress) {
      if !hasSamples { arrive(at: progress.now) }
      guard let arrival else { return }
      if let sentence = progress.correctionSentence { account.tell(.corrected, sentence) }
      let reports = progress.reports(after: tally.steps, shift: arrival.shift)
      let walked = tally.take(
        progress.steps, metres: progress.metres, latest: arrival.latest, arrival: arrival.time)
      var walk = progress.totals
      walk.steps += base.steps
      walk.distanceTravelled += base.distance
      var climbed: [CountedFloors] = []
      if walk.floorsAscended != nil, let last = walked.last {
        // Its minutes have a barometer, also where nothing is climbed.
        climbed.append(CountedFloors(time: last.time, ascended: 0, descended: 0))
      }
      let time = arrival.time - FloorCounter.delay
      if let floors = climb(up: walk.floorsAscended, down: walk.floorsDescended, at: time) { climbed.append(floors) }
      (walk.floorsAscended, walk.floorsDescended) = (floors?.up, floors?.down)
      account.take(
        walked, climbed: climbed, news: reports, walk: walk, now: progress.now + arrival.shift,
        samplingFrequency: progress.samplingFrequency)
    }

    /// Takes the floors since the source was opened last.
    /// - Returns: those that are new; `nil` if there are none.
    private mutating func climb(up: Int?, down: Int?, at time: Duration) -> CountedFloors? {
      guard let up, let down else { return nil }
      let former = floors ?? (0, 0)
      let now = (up: up + (formerFloors?.up ?? 0), down: down + (formerFloors?.down ?? 0))
      floors = now
      guard now.up > former.up || now.down > former.down else { return nil }
      return CountedFloors(time: time, ascended: now.up - former.up, descended: now.down - former.down)
    }
  }
}
