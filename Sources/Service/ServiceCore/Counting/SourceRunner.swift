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
  let sources: Sources
  /// Asked at each step: its walker may change it.
  let stepLength: @Sendable () -> StepLengthModel
  let clock: ServiceClock
  let account: SourceAccount
  /// Where the latest samples are kept across a crash; `nil`: nowhere.
  let journals: SampleJournalFolder?
  /// How to open a client; its samples have the service's times.
  let way: SourceWay?

  /// - Parameter access: opens the source.
  package init(
    uri: SourceURI?, access: Sources, stepLength: @escaping @Sendable @autoclosure () -> StepLengthModel,
    clock: ServiceClock, account: SourceAccount, journals: SampleJournalFolder? = nil, way: SourceWay? = nil
  ) {
    var sources = access
    (sources.sleep, sources.elapsed, sources.obstacle) = (clock.sleep, clock.elapsed, account.wait)
    (self.uri, self.sources, self.stepLength, self.clock) = (uri, sources, stepLength, clock)
    (self.account, self.journals, self.way) = (account, journals, way)
  }

  /// Counts until the task is cancelled; pending steps are then decided.
  package func run() async {
    var following = Following(self)
    recover(following.journal)
    var (end, state) = ("the recording ended", SourceState.State.ended)
    do {
      let opened =
        if let way { try await sources.open(way, for: .allDay) } else { try await sources.open(uri, for: .allDay) }
      guard let source = opened else { return }
      var options = CountingOptions().correcting
      options.explains = true
      for try await event in source.events(options) {
        switch event {
        case .lost(let error), .refused(let error): lose(error)
        default: following.take(event, source)
        }
      }
      if let refusal = following.refusal { (end, state) = (refusal, .lost) }
    } catch { (end, state) = (SourceFailure(error).message, .lost) }
    if Task.isCancelled { (end, state) = ("the service stops", .lost) }
    account.stop(because: end, state)
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
    var counting = SampleCounting(CountingOptions(slice: nil))
    let arrival = Arrival(shift: .zero, latest: last.timestamp, time: last.timestamp, stepLength: stepLength())
    let steps = (counting.count(samples.span).steps + counting.finish().steps).map(arrival.moved)
    let kept = journals?.latestKept.map { $0 + SampleJournalFolder.margin }
    account.restore(steps.filter { step in kept.map { step.timestamp > $0 } ?? true }, source)
  }

  /// The arrival of samples or a reading on both clocks.
  private struct Arrival {
    /// The service's clock minus the source's, at the first sample.
    var shift: Duration
    /// The latest sample on the source's clock.
    var latest: Duration
    /// Its arrival on the service's clock.
    var time: Duration
    var stepLength: StepLengthModel

    /// A moment of the source in the service's time. The interval between it and the arrival of its samples is taken from the
    /// source, so that its clock may be wrong, and restart while the source is away.
    func moved(_ moment: Duration) -> Duration { time - max(.zero, latest - moment) }

    func moved(_ step: Step) -> Step {
      var step = step
      step.timestamp = moved(step.timestamp)
      step.length = stepLength.length(insteadOf: step.length)
      return step
    }
  }

  private struct Following {
    let account: SourceAccount
    let clock: ServiceClock
    let journal: SampleJournal?
    let stepLength: @Sendable () -> StepLengthModel
    private var arrival: Arrival?
    private var hasSamples = false
    /// Whether the source has begun or is back, and has not been read yet.
    private var begins = false
    /// Whether the next gap is that of its absence, which was told.
    private var wasAway = false
    /// Why the number of its steps says nothing, at the end of a recording.
    private(set) var refusal: String?
    /// Whether timestamps are on the service's clock; samples may then arrive late.
    private let isOnServiceClock: Bool

    init(_ runner: SourceRunner) {
      isOnServiceClock = runner.way != nil
      (account, clock, stepLength) = (runner.account, runner.clock, runner.stepLength)
      journal = runner.journals?.journal(of: runner.account.name)
    }

    mutating func take(_ event: WalkEvent, _ source: OpenSource) {
      switch event {
      case .began: begins = true
      case .back: (begins, wasAway) = (true, true)
      case .samples(let samples):
        begin(source)
        hasSamples = true
        guard let latest = samples.last?.timestamp else { return }
        arrive(at: latest)
        let shift = (arrival?.time ?? latest) - latest
        account.sense(samples, shift: shift)
        journal?.append(samples, shift: shift)
      case .gap(let gap):
        if !wasAway { account.tell(.gap, gap.sentence) }
        wasAway = false
      case .progress(let progress):
        begin(source)
        wasAway = false
        take(progress)
      case .warning(let sentence): account.tell(.warning, CommandTerms.translate(sentence))
      case .ended(let walk): refusal = walk.refusal.map { SourceFailure($0).message }
      case .lost, .refused: break
      }
    }

    /// The source's clock restarts.
    private mutating func begin(_ source: OpenSource) {
      guard begins, let connection = source.connection else { return }
      begins = false
      arrival = nil
      hasSamples = false
      account.begin(connection, at: clock.elapsed())
      if !connection.countsItself { journal?.begin(HistorySource(connection)) }
    }

    private mutating func arrive(at latest: Duration) {
      let time = isOnServiceClock ? min(latest, clock.elapsed()) : clock.elapsed()
      arrival = Arrival(shift: arrival?.shift ?? time - latest, latest: latest, time: time, stepLength: stepLength())
    }

    private mutating func take(_ progress: WalkProgress) {
      if !hasSamples { arrive(at: progress.now) }
      guard let arrival else { return }
      var progress = progress
      progress.totals.currentPace = progress.totals.currentCadence.map {
        1 / ($0 * arrival.stepLength.length(atCadence: $0))
      }
      if let sentence = progress.correctionSentence { account.tell(.corrected, sentence) }
      let walked = progress.steps.map(arrival.moved)
      var climbed: [CountedFloors] = []
      if let floors = progress.climbed {
        // The minutes of steps have a barometer, also where nothing is climbed.
        if let last = walked.last { climbed.append(CountedFloors(time: last.timestamp, ascended: 0, descended: 0)) }
        if floors != (0, 0) {
          climbed.append(
            CountedFloors(time: arrival.time - FloorCounter.delay, ascended: floors.up, descended: floors.down))
        }
      }
      account.take(progress, walked: walked, climbed: climbed, shift: arrival.shift)
      for var stretch in progress.uncounted {
        (stretch.start, stretch.end) = (arrival.moved(stretch.start), arrival.moved(stretch.end))
        account.doubt(stretch)
      }
    }
  }
}

/// Floors of a source, before they have a date.
package struct CountedFloors: Sendable, Hashable {
  /// When they were complete, on the service's clock.
  package var time: Duration
  /// Up.
  package var ascended: Int
  /// Down.
  package var descended: Int
}
