import Accelerometry
import History
import LinuxSensors
import LiveCounting
import Pedometry
import StepDetection

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
  var tails: TailFolder?

  /// After so long without a failure the next one is tried again soon.
  private static let calm = Duration.seconds(60)
  /// However many samples come at once, lines are due as if they came one after the other; in nanoseconds.
  private static let slice: Int64 = 100_000_000

  /// Counts until the task is cancelled; steps that are still open then are decided.
  func run() async {
    var search = SourceSearch(uri: uri, access: access, clock: clock, account: account)
    var tally = SourceTally(stepLength: stepLength)
    var backoff = Backoff()
    let tail = tails?.tail(of: account.name)
    recover(tail)
    while !Task.isCancelled {
      let beginning = clock.elapsed()
      do {
        guard let feed = try await search.find() else { break }
        try await follow(feed, tail, &tally)
        if Task.isCancelled { break }
        if !feed.uri.isSensor { return account.stop(because: "the recording has come to its end") }
        account.lose(because: "the sensor has ended its samples")
      } catch {
        if Task.isCancelled { break }
        // What was replayed in part would count twice if it were begun anew.
        if uri?.isSensor == false, account.state.state == .counting {
          return account.stop(because: SourceFailure(error).message)
        }
        lose(error)
      }
      if clock.elapsed() - beginning > Self.calm { backoff.reset() }
      try? await clock.sleep(backoff.next())
    }
    account.stop(because: "the service stops")
  }

  private func lose(_ error: any Error) {
    if let error = error as? SensorError {
      account.lose(because: error.reason, remedy: error.remedy, isDenied: error.kind == .permission)
    } else {
      account.lose(because: SourceFailure(error).message)
    }
  }

  private func follow(_ feed: LiveFeed, _ tail: SampleTail?, _ tally: inout SourceTally) async throws {
    tally.reconnect()
    switch feed.content {
    case .samples(let source): try await count(source, feed, tail, &tally)
    case .counter(let counter): try await follow(counter, feed, &tally)
    }
  }

  /// Decides what a process that died was still thinking about.
  private func recover(_ tail: SampleTail?) {
    guard let (samples, source) = tail?.recover(at: clock.elapsed()), let last = samples.last else { return }
    var counter = WalkCounter(stepLength: stepLength)
    let steps = counter.process(samples.span) + counter.finish()
    var tally = SourceTally(stepLength: stepLength)
    let kept = tails?.latestKept.map { $0 + TailFolder.margin }
    let walked = tally.take(steps, latest: last.timestamp, arrival: last.timestamp)
      .filter { step in kept.map { step.time > $0 } ?? true }
    account.restore(walked, source)
  }

  // MARK: samples

  /// When samples came, on both clocks.
  private struct Arrival {
    /// What the service's time was ahead of the sensor's at the first sample.
    var shift: Duration
    /// The latest sample, on the sensor's clock.
    var latest: Duration
    /// When it came, by the service's.
    var time: Duration

    func served(_ time: Duration) -> Duration { time + shift }
  }

  private func count(
    _ source: some AccelerationSource, _ feed: LiveFeed, _ tail: SampleTail?, _ tally: inout SourceTally
  ) async throws {
    var counter = WalkCounter(stepLength: stepLength)
    var damage = DamageNews()
    let base = (steps: tally.steps, distance: tally.distance)
    var arrival: Arrival?
    func tell(_ steps: [Step], _ arrival: Arrival, _ tally: inout SourceTally) {
      guard let now = counter.now else { return }
      var told = tally.steps
      let news = steps.map { step in
        told += 1
        return (StepReport(time: arrival.served(step.timestamp), state: .confirmed), told)
      }
      let walked = tally.take(steps, latest: arrival.latest, arrival: arrival.time)
      var walk = counter.walk
      walk.steps += base.steps
      walk.distanceTravelled += base.distance
      account.take(
        walked, news: news, walk: walk, now: arrival.served(now), samplingFrequency: counter.samplingFrequency)
    }
    var batches = source.batches().makeAsyncIterator()
    do {
      while let batch = try await batches.next(isolation: nil) {
        guard let last = batch.samples.last else { continue }
        let served = clock.elapsed()
        if arrival == nil {
          account.begin(feed, at: served)
          tail?.begin(HistorySource(feed))
        }
        let present = Arrival(shift: arrival?.shift ?? served - last.timestamp, latest: last.timestamp, time: served)
        arrival = present
        tail?.append(batch.samples, shift: served - last.timestamp)
        if let gap = batch.gap, counter.samples > 0 { account.tell(.gap, gap.sentence) }
        // Not the batch: what a gap means is read from the timestamps alone, as it will be from a recording of them.
        for slice in batch.samples.slices(within: Self.slice) { tell(counter.process(slice.span), present, &tally) }
        for sentence in damage.take(counter.damage, since: counter.start) { account.tell(.warning, sentence) }
      }
    } catch {
      if let arrival { tell(counter.finish(), arrival, &tally) }
      throw error
    }
    if let arrival { tell(counter.finish(), arrival, &tally) }
  }

  // MARK: a chip that counts

  private func follow(_ chip: some StepReadings, _ feed: LiveFeed, _ tally: inout SourceTally) async throws {
    var walk = StepCounterWalk(stepLength: stepLength)
    let base = (steps: tally.steps, distance: tally.distance)
    var shift: Duration?
    var metres = 0.0
    for try await reading in chip {
      let time = Duration.nanoseconds(reading.nanoseconds)
      let served = clock.elapsed()
      if shift == nil {
        shift = served - time
        account.begin(feed, at: served)
      }
      var sample = walk.take(reading)
      let known = reading.distance.map { $0 - metres }
      metres = reading.distance ?? metres
      var told = tally.steps
      let news = walk.newSteps.map { step in
        told += 1
        return (StepReport(time: step.timestamp + (shift ?? .zero), state: .confirmed), told)
      }
      let walked = tally.take(walk.newSteps, metres: known, latest: time, arrival: served)
      sample.steps += base.steps
      sample.distanceTravelled += base.distance
      account.take(walked, news: news, walk: sample, now: time + (shift ?? .zero), samplingFrequency: nil)
    }
  }
}
