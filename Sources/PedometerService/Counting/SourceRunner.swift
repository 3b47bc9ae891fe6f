import Accelerometry
import Counting
import History
import LinuxSensors
import LiveSources
import Pedometry
import Platform

/// Counts one source as long as the service runs: waits for it, follows it, and begins anew when it fails, by and by
/// more patiently. What happens to it is its own affair; other sources do not notice.
struct SourceRunner: Sendable {
  /// The source's name; `nil`: the best sensor.
  let uri: SourceURI?
  let access: SourceAccess
  let stepLength: StepLengthModel
  let clock: ServiceClock
  let account: SourceAccount
  /// Where the latest samples survive; `nil`: nowhere.
  var journals: SampleJournalFolder?
  /// Waits for a source that is not looked for among sensors, and opens it; its samples are stamped by the service's clock.
  var open: (@Sendable () async throws -> LiveFeed?)?

  /// After so long without a failure the next one is tried again soon.
  private static let calm = Duration.seconds(60)

  /// Something that happens to a source, and how it was opened.
  private struct News: Sendable {
    var feed: LiveFeed
    var event: WalkEvent
  }

  /// Counts until the task is cancelled; steps that are still open then are decided.
  func run() async {
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

  /// The source, over any number of losses.
  private var source: Reconnecting<News> {
    let isRecording = open == nil && uri?.isSensor == false
    let search = SourceSearch(uri: uri, access: access, clock: clock, account: account)
    let options = CountingOptions(stepLength: stepLength).correcting
    let policy = Reconnecting<News>.Policy(
      backoff: Backoff(), calm: Self.calm,
      end: isRecording ? nil : SourceFailure(message: "the sensor stopped sending samples", status: .io),
      sleep: clock.sleep, elapsed: clock.elapsed
    ) { _, isReading in
      // What was replayed in part would count twice if it were begun anew.
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
    // The end is no sign of life: a source that fails before its first sample has not spoken.
    walk.events(options).compactMap { event in
      if case .ended = event { nil } else { News(feed: feed, event: event) }
    }
  }

  private func lose(_ error: any Error) {
    if let error = error as? SensorError {
      account.lose(because: error.reason, remedy: error.remedy, isDenied: error.kind == .permission)
    } else {
      account.lose(because: SourceFailure(error).message)
    }
  }

  /// Decides what a process that died was still thinking about.
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

  /// When samples or a reading came, on both clocks.
  private struct Arrival {
    /// What the service's time was ahead of the source's at the first of them.
    var shift: Duration
    /// The latest, on the source's clock.
    var latest: Duration
    /// When it came, by the service's.
    var time: Duration
  }

  /// What becomes of a source's events.
  private struct Following {
    let account: SourceAccount
    let clock: ServiceClock
    let journal: SampleJournal?
    private var tally: SourceTally
    /// What was counted before the source was opened last.
    private var base = (steps: 0, distance: 0.0)
    /// Floors up to now, and those of them from before; `nil` without a barometer.
    private var floors: (up: Int, down: Int)?
    private var formerFloors: (up: Int, down: Int)?
    private var arrival: Arrival?
    private var hasSamples = false
    /// Whether timestamps are the service's time, which may be some time ago when samples arrive.
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
        journal?.append(samples, shift: (arrival?.time ?? latest) - latest)
      case .gap(let gap): account.tell(.gap, gap.sentence)
      case .progress(let progress): take(progress)
      case .warning(let sentence): account.tell(.warning, sentence)
      // A source that reconnects by itself, as a running service does.
      case .lost(let error): account.tell(.sourceLost, SourceFailure.loss(error))
      case .back(let name): account.tell(.sourceBack, "\(name) is back")
      case .refused, .ended: break
      }
    }

    /// The source's clock begins anew; the totals stay.
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
      if let up = walk.floorsAscended, let down = walk.floorsDescended {
        floors = (up + (formerFloors?.up ?? 0), down + (formerFloors?.down ?? 0))
      }
      (walk.floorsAscended, walk.floorsDescended) = (floors?.up, floors?.down)
      account.take(
        walked, news: reports, walk: walk, now: progress.now + arrival.shift,
        samplingFrequency: progress.samplingFrequency)
    }
  }
}
