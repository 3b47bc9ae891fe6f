import NIOCore
import Synchronization

/// Where live events go out: one writer, any number of readers.
///
/// Every line gets the next number; the latest ones are kept, so a reader that was cut off gets what it missed.
protocol EventPublisher: Sendable {
  /// Passes a line on: one JSON object, without its line end.
  func publish(_ line: String)
}

/// The lines that go out, kept once for all readers, and the readers that wait for more.
///
/// Each reader has a position of its own in the one ring; nothing is copied for it, so a thousand readers cost what their
/// positions cost. Publishing only stores a line and signals it: counting never waits for readers.
final class EventHub: EventPublisher, Sendable {
  fileprivate struct Reader {
    var waiting: CheckedContinuation<Void, Never>?
    var isGone = false
    /// The heartbeat that it has passed on.
    var beat: Int
  }

  fileprivate struct State {
    var ring: EventRing
    var readers: [Int: Reader] = [:]
    var nextReader = 0
    var beat = 0
    var hasRung = false
    var isClosed = false

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      var waiting: [CheckedContinuation<Void, Never>] = []
      for index in readers.values.indices {
        guard let continuation = readers.values[index].waiting else { continue }
        waiting.append(continuation)
        readers.values[index].waiting = nil
      }
      return waiting
    }
  }

  /// What a reader is to pass on.
  enum Delivery: Sendable {
    /// Lines, framed, and the number after the last one.
    case lines([ByteBuffer])
    /// So many lines are lost to this reader.
    case gap(missed: UInt64, last: UInt64)
    /// Nothing happened for a while.
    case heartbeat
  }

  /// What readers do.
  enum ReaderEvent: Sendable, Hashable {
    /// One subscribed.
    case joined
    /// One waits for the next line.
    case waits
    /// One has gone, and its seat is free.
    case left
  }

  fileprivate let state: Mutex<State>
  private let bell: AsyncStream<Void>.Continuation
  private let rings: AsyncStream<Void>
  fileprivate let metrics: ServiceMetrics?
  private let maximumReaders: Int
  fileprivate let observer: (@Sendable (ReaderEvent) -> Void)?

  /// - Parameters:
  ///   - capacity: how many lines are kept.
  ///   - first: the first line's number. Numbers that go on growing when the service starts anew, such as milliseconds
  ///     since 1970, tell a reader of the service before that it has missed something.
  ///   - observer: called after each thing that a reader did.
  init(
    capacity: Int = 4096, first: UInt64 = 1, maximumReaders: Int = 1024, metrics: ServiceMetrics? = nil,
    observer: (@Sendable (ReaderEvent) -> Void)? = nil
  ) {
    state = Mutex(State(ring: EventRing(capacity: capacity, first: first)))
    (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.metrics = metrics
    self.maximumReaders = maximumReaders
    self.observer = observer
  }

  func publish(_ line: String) {
    // Whatever takes time is done before the lock is taken.
    let data = EventRing.data(line)
    let mustRing = state.withLock { state in
      state.ring.append(data)
      let mustRing = !state.hasRung
      state.hasRung = true
      return mustRing
    }
    if mustRing { bell.yield() }
    metrics?.wasPublished()
  }

  /// Wakes readers when there is something to read, and now and then when there is not; ends when it is cancelled.
  /// - Parameters:
  ///   - pause: how long lines are gathered after some went out, so that a burst is one write.
  ///   - heartbeat: how often a reader hears something at least.
  func run(
    pause: Duration = .milliseconds(20), heartbeat: Duration = .seconds(15),
    clock: some Clock<Duration> = ContinuousClock()
  ) async {
    await withDiscardingTaskGroup { group in
      group.addTask {
        while (try? await clock.sleep(for: heartbeat)) != nil { self.beat() }
      }
      for await _ in rings {
        wake()
        if (try? await clock.sleep(for: pause)) == nil { break }
      }
      group.cancelAll()
    }
  }

  /// Wakes every reader that waits.
  func wake() {
    let waiting = state.withLock { state in
      state.hasRung = false
      return state.takeWaiting()
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Lets every reader say that the connection lives.
  func beat() {
    state.withLock { $0.beat += 1 }
    wake()
  }

  /// Ends every stream, and lets no new one begin.
  func close() {
    state.withLock { $0.isClosed = true }
    wake()
    bell.finish()
  }

  /// A reader's seat; it is free again when the reader is let go.
  /// - Parameter last: the number of the last line that it has; `nil` for one that begins now.
  func subscribe(after last: UInt64? = nil) throws(ServiceRefusal) -> EventReader {
    let seat: (id: Int, position: UInt64)? = state.withLock { state in
      guard !state.isClosed, state.readers.count < maximumReaders else { return nil }
      state.nextReader += 1
      state.readers[state.nextReader] = Reader(beat: state.beat)
      return (state.nextReader, state.ring.position(after: last))
    }
    guard let seat else {
      metrics?.subscriberWasRefused()
      throw ServiceRefusal(status: 503, reason: "too many open streams; try again later")
    }
    metrics?.subscribers.increment()
    observer?(.joined)
    return EventReader(self, id: seat.id, position: seat.position, resumes: last != nil)
  }

  /// How many listen.
  var readerCount: Int { state.withLock { $0.readers.count } }
}

extension EventHub {
  /// What a reader does next.
  fileprivate enum Turn {
    case deliver(Delivery, next: UInt64)
    case wait, end
  }

  /// - Parameter keepsOld: whether a reader that lost lines goes on with the oldest one kept rather than with the newest.
  fileprivate func turn(of id: Int, at position: UInt64, atMost bytes: Int, keepsOld: Bool) -> Turn {
    let turn: Turn = state.withLock { state in
      guard let reader = state.readers[id], !reader.isGone else { return .end }
      if let missed = state.ring.missed(at: position) {
        let next = keepsOld ? state.ring.oldest : state.ring.next
        return .deliver(.gap(missed: keepsOld ? missed : next - position, last: next - 1), next: next)
      }
      if position < state.ring.next {
        state.readers[id]?.beat = state.beat
        let lines = state.ring.lines(from: position, atMost: bytes)
        return .deliver(.lines(lines), next: position + UInt64(lines.count))
      }
      if state.isClosed { return .end }
      if reader.beat == state.beat { return .wait }
      state.readers[id]?.beat = state.beat
      return .deliver(.heartbeat, next: position)
    }
    if case .deliver(.gap(let missed, _), _) = turn { metrics?.subscriberMissed(missed) }
    return turn
  }

  fileprivate func wait(_ id: Int, at position: UInt64, _ continuation: CheckedContinuation<Void, Never>) {
    let mustWait = state.withLock { state in
      guard let reader = state.readers[id], !reader.isGone, !state.isClosed, position >= state.ring.next,
        reader.beat == state.beat
      else { return false }
      state.readers[id]?.waiting = continuation
      return true
    }
    if mustWait { observer?(.waits) } else { continuation.resume() }
  }

  fileprivate func leave(_ id: Int, for ever: Bool) {
    let (waiting, wasThere) = state.withLock { state in
      let waiting = state.readers[id]?.waiting
      state.readers[id]?.waiting = nil
      state.readers[id]?.isGone = true
      return (waiting, ever && state.readers.removeValue(forKey: id) != nil)
    }
    waiting?.resume()
    guard wasThere else { return }
    metrics?.subscribers.decrement()
    observer?(.left)
  }
}

/// One who listens; used by one task at a time.
final class EventReader: Sendable {
  private let hub: EventHub
  private let id: Int
  private let place: Mutex<(position: UInt64, resumes: Bool)>

  fileprivate init(_ hub: EventHub, id: Int, position: UInt64, resumes: Bool) {
    self.hub = hub
    self.id = id
    place = Mutex((position, resumes))
  }

  deinit { hub.leave(id, for: true) }

  /// What comes next; waits for it, and gives `nil` when the stream is over or the reader has gone.
  /// - Parameter bytes: how much is given at once, but for a line that is longer.
  func next(atMost bytes: Int = 32_768) async -> EventHub.Delivery? {
    while true {
      let (position, resumes) = place.withLock { $0 }
      switch hub.turn(of: id, at: position, atMost: bytes, keepsOld: resumes) {
      case .deliver(let delivery, let next):
        // A reader that resumes gets all stored lines; one that falls behind later continues with the newest.
        place.withLock { $0 = (next, false) }
        return delivery
      case .wait: await wait(at: position)
      case .end: return nil
      }
    }
  }

  /// Ends the reader: what it waits for comes at once, as the end.
  func leave() { hub.leave(id, for: false) }

  private func wait(at position: UInt64) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { hub.wait(id, at: position, $0) }
    } onCancel: {
      leave()
    }
  }
}
