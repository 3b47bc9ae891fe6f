import Accelerometry
import Counting
import Pedometry
import Recordings
import Synchronization

/// A pedometer that plays a recording, a synthetic walk or a stream exactly up to a requested time.
///
/// It has no clock: ``play(for:)`` plays the next stretch and calls the handlers on the caller's thread; the only time
/// is that of the recording. Samples are counted one after the other, so the time of a report depends neither on the
/// length of the stretches nor on the batches of the reader: at any speed, the same walk gives the same data at the
/// same times. A pause stops the recording, and a start continues there, counting from zero.
///
///     let walk = PlaybackPedometer { try SyntheticWalk().reader() }
///     walk.start { data, _ in print(data?.steps ?? 0) } eventUpdates: { _ in }
///     while walk.play(for: .seconds(1)).stop != .ended {}
public final class PlaybackPedometer: Pedometer {
  /// Why playing stopped.
  public enum Stop: Sendable, Hashable {
    /// The whole stretch was played. Also after the end of the recording, when time passes without steps.
    case playedAll
    /// The next samples have not been read yet; `wake` will be called.
    case awaitsSamples
    /// The recording has ended; reported once in a session.
    case ended
    /// The rest cannot be read; reported once in a session. The handlers have not been called: see ``reportFailure()``.
    case failed
  }

  fileprivate struct Session {
    var dataUpdates: @Sendable ((any PedometerData)?, (any Error)?) -> Void
    var eventUpdates: @Sendable ((any Error)?) -> Void
    var counting: SampleCounting
    var beginning: Int64?
    var steps = 0
    var isOver = false
  }

  fileprivate struct State {
    var reader: PulledReader
    var batch: [AccelerationSample] = []
    var index = 0
    /// The end of the part played so far, on the recording's clock.
    var position: Int64?
    var session: Session?
    var failure: (any Error)?
  }

  private let state: Mutex<State>
  private let stepLength: StepLengthModel
  private let pull: @Sendable () -> PulledReader

  /// Begins to read ahead; nothing is counted before a start.
  /// - Parameters:
  ///   - stepLength: how the distance is computed.
  ///   - wake: called on the reading thread when there is more to play.
  ///   - makeReader: opens the recording, on the reading thread; called again by ``rewind()``. It may block.
  public init(
    stepLength: StepLengthModel = .walkRatio(), wake: @escaping @Sendable () -> Void = {},
    makeReader: @escaping @Sendable () throws -> any SampleReader
  ) {
    self.stepLength = stepLength
    pull = { PulledReader(ahead: 4, wake: wake, open: makeReader) }
    state = Mutex(State(reader: pull()))
  }

  /// Always true, since a recording cannot be missing like a sensor.
  public var pedometerAvailable: Bool { true }
  /// Always false; an unreadable file is a failure with a reason.
  public var permissionDeclined: Bool { false }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    state.withLock { state in
      state.session = Session(
        dataUpdates: dataUpdates, eventUpdates: eventUpdates,
        counting: SampleCounting(CountingOptions(stepLength: stepLength)), beginning: state.position)
    }
    eventUpdates(nil)
  }

  public func pause() { state.withLock { $0.session = nil } }

  /// Goes back to the beginning of the recording, with a new reader. Ends the current session.
  public func rewind() { state.withLock { $0 = State(reader: pull()) } }

  /// Why the rest of the recording cannot be read; `nil` if it can.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// Whether the next sample, the end or a failure is available. Otherwise a stretch would stop at once.
  public var isReady: Bool {
    state.withLock { state in
      if case .nothingYet = state.peek() { false } else { true }
    }
  }

  /// Plays the next stretch of a session; without a session it does nothing.
  /// - Parameter duration: the longest part of the recording to play; not below zero.
  /// - Returns: the duration that was played, and why it stopped.
  public func play(for duration: Duration) -> (played: Duration, stop: Stop) {
    // Handlers are called without the lock, so they may start and pause.
    let (played, stop, news, session) = state.withLock { $0.play(for: max(duration, .zero)) }
    for walk in news { session?.dataUpdates(walk, nil) }
    return (played, stop)
  }

  /// Reports to the handlers of this session why the rest cannot be read. Separate from playing, so that the caller can
  /// first advance its time to the failure.
  public func reportFailure() {
    let (session, error) = state.withLock { ($0.session, $0.failure) }
    if let session, let error { session.dataUpdates(nil, PedometerError.sensorLost(reason: "\(error)")) }
  }
}

extension PlaybackPedometer.State {
  /// The next sample, the end, or neither yet; consumes nothing.
  fileprivate mutating func peek() -> PulledReader.Content {
    while index >= batch.count {
      let content = reader.take()
      guard case .samples(let samples) = content else {
        if case .failure(let error) = content { failure = error }
        return content
      }
      batch = samples
      index = 0
    }
    return .samples([])
  }

  /// See ``PlaybackPedometer/play(for:)``; returns the reports and their session.
  fileprivate mutating func play(
    for duration: Duration
  ) -> (played: Duration, stop: PlaybackPedometer.Stop, news: [WalkTotals], session: PlaybackPedometer.Session?) {
    guard var session, !session.isOver else { return (duration, .playedAll, [], nil) }
    // Removed, since a second reference would copy the counter at each sample.
    self.session = nil
    var news: [WalkTotals] = []
    let (played, stop) = play(for: duration, &session, &news)
    self.session = session
    return (played, stop, news, session)
  }

  private mutating func play(
    for duration: Duration, _ session: inout PlaybackPedometer.Session, _ news: inout [WalkTotals]
  ) -> (played: Duration, stop: PlaybackPedometer.Stop) {
    var from = position
    while true {
      switch peek() {
      case .nothingYet: return (elapsed(since: from), .awaitsSamples)
      case .end:
        session.counting.take(reader.verdict)
        session.counting.finish()
        failure = session.counting.summary.refusal
        fallthrough
      case .failure:
        session.counting.finish()
        session.isOver = true
        tell(&session, &news)
        return (elapsed(since: from), failure == nil ? .ended : .failed)
      case .samples:
        let sample = batch[index]
        if from == nil {
          from = sample.nanoseconds
          position = from
        }
        if session.beginning == nil { session.beginning = position }
        guard elapsed(since: from, to: sample.nanoseconds) <= duration else {
          position = from.map { Int64(clamping: Int128($0) + Int128(duration.wholeNanoseconds)) }
          return (duration, .playedAll)
        }
        session.counting.count(batch.span.extracting(index..<index + 1))
        index += 1
        position = max(position ?? sample.nanoseconds, sample.nanoseconds)
        tell(&session, &news)
      }
    }
  }

  private func tell(_ session: inout PlaybackPedometer.Session, _ news: inout [WalkTotals]) {
    guard session.counting.counter.steps > session.steps else { return }
    session.steps = session.counting.counter.steps
    var walk = session.counting.counter.walk
    walk.elapsed = elapsed(since: session.beginning)
    news.append(walk)
  }

  private func elapsed(since start: Int64?, to end: Int64? = nil) -> Duration {
    guard let start, let end = end ?? position else { return .zero }
    return .nanoseconds(end) - .nanoseconds(start)
  }
}
