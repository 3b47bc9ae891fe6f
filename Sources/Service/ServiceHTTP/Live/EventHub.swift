import NIOCore
import ServiceCore
import Synchronization

/// The live events: one writer, any number of readers.
///
/// Every line gets the next number; the latest ones are kept, once for all readers, so a reader that was disconnected gets
/// the missed ones.
///
/// Each reader has a position in the shared ring buffer; nothing is copied for it, so a thousand readers cost only
/// their positions. Publishing only stores a line and signals it: counting never waits for readers.
package final class EventHub: Sendable {
  fileprivate struct Reader {
    /// Wakes it.
    let bell: AsyncStream<Void>.Continuation
    let session: String?
    var isWaiting = false
    /// The last heartbeat that it has delivered.
    var beat: Int
  }

  fileprivate struct State {
    var ring: EventRing
    var readers: [Int: Reader] = [:]
    var nextReader = 0
    var beat = 0
    var isClosed = false
  }

  enum Delivery: Sendable {
    /// Lines, framed, and the number after the last one.
    case lines([ByteBuffer])
    /// The number of lines lost to this reader.
    case gap(missed: UInt64, last: UInt64)
    /// There were no lines for a while.
    case heartbeat
  }

  package enum ReaderEvent: Sendable, Hashable {
    /// One subscribed.
    case joined
    /// A reader waits for the next line.
    case waits
    /// A reader has disconnected, and its slot is free.
    case left
  }

  fileprivate let state: Mutex<State>
  private let bell: AsyncStream<Void>.Continuation
  private let rings: AsyncStream<Void>
  fileprivate let metrics: ServiceMetrics?
  private let maximumReaders: Int
  fileprivate let observer: (@Sendable (ReaderEvent) -> Void)?

  /// - Parameters:
  ///   - capacity: the number of lines that are kept.
  ///   - first: the first line's number. Numbers that also rise across restarts, such as milliseconds since 1970, show
  ///     a reader of the previous run that it has missed something.
  ///   - observer: called after each event of a reader.
  package init(
    capacity: Int = 4096, first: UInt64 = 1, maximumReaders: Int = 1024, metrics: ServiceMetrics? = nil,
    observer: (@Sendable (ReaderEvent) -> Void)? = nil
  ) {
    state = Mutex(State(ring: EventRing(capacity: capacity, first: first)))
    (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.metrics, self.maximumReaders, self.observer) = (metrics, maximumReaders, observer)
  }

  /// Publishes a line: one JSON object, without a line break.
  package func publish(_ line: String) {
    // Slow work is done before the lock is taken.
    let data = EventRing.data(line)
    state.withLock { $0.ring.append(data) }
    bell.yield()
    metrics?.wasPublished()
  }

  /// Wakes readers when there are lines, and regularly for heartbeats; ends when it is cancelled.
  /// - Parameters:
  ///   - pause: how long lines are collected after a write, so that a burst is one write.
  ///   - heartbeat: the longest time without data for a reader.
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

  func wake() {
    state.withLock { state in
      for (id, reader) in state.readers where reader.isWaiting {
        state.readers[id]?.isWaiting = false
        reader.bell.yield()
      }
    }
  }

  /// Sends a heartbeat to every reader.
  func beat() {
    state.withLock { $0.beat += 1 }
    wake()
  }

  /// Ends every stream, and refuses new ones.
  func close() {
    state.withLock { $0.isClosed = true }
    wake()
    bell.finish()
  }

  /// A reader's slot; it is free again when the reader is released.
  /// - Parameter last: the number of the last line that it has; `nil` for a new reader.
  func subscribe(after last: UInt64? = nil, session: String? = nil) throws(ServiceRefusal) -> EventReader {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self)
    let slot: (id: Int, position: UInt64)? = state.withLock { state in
      guard !state.isClosed, state.readers.count < maximumReaders else { return nil }
      state.nextReader += 1
      state.readers[state.nextReader] = Reader(bell: bell, session: session, beat: state.beat)
      return (state.nextReader, state.ring.position(after: last))
    }
    guard let slot else {
      metrics?.subscriberWasRefused()
      throw ServiceRefusal(503, "too many open streams; try again later")
    }
    metrics?.add(subscribers: 1)
    observer?(.joined)
    return EventReader(self, slot.id, rings, at: slot.position, resumes: last != nil)
  }

  /// Ends the streams of sessions that are over: of cookies that let no one in any more.
  func end(unless isOpen: (String) -> Bool) {
    let readers = state.withLock { Array($0.readers.values) }
    for reader in readers where reader.session.map(isOpen) == false { reader.bell.finish() }
  }

  var readerCount: Int { state.withLock { $0.readers.count } }

  fileprivate enum Turn {
    case deliver(Delivery, next: UInt64)
    case wait, end
  }

  /// - Parameter keepsOld: whether a reader that lost lines continues with the oldest stored one rather than with the
  ///   newest.
  fileprivate func turn(of id: Int, at position: UInt64, atMost bytes: Int, keepsOld: Bool) -> Turn {
    let turn: Turn = state.withLock { state in
      guard let reader = state.readers[id] else { return .end }
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
      // From here on, a line or a heartbeat wakes it.
      state.readers[id]?.isWaiting = reader.beat == state.beat
      if reader.beat == state.beat { return .wait }
      state.readers[id]?.beat = state.beat
      return .deliver(.heartbeat, next: position)
    }
    if case .deliver(.gap(let missed, _), _) = turn { metrics?.subscriberMissed(missed) }
    return turn
  }

  fileprivate func leave(_ id: Int) { state.withLock { $0.readers[id]?.bell.finish() } }

  fileprivate func release(_ id: Int) {
    state.withLock { $0.readers[id] = nil }
    metrics?.add(subscribers: -1)
    observer?(.left)
  }
}

/// A reader; used by one task at a time.
final class EventReader: Sendable {
  private let hub: EventHub
  private let id: Int
  private let rings: AsyncStream<Void>
  private let place: Mutex<(position: UInt64, resumes: Bool)>

  fileprivate init(_ hub: EventHub, _ id: Int, _ rings: AsyncStream<Void>, at position: UInt64, resumes: Bool) {
    (self.hub, self.id, self.rings) = (hub, id, rings)
    place = Mutex((position, resumes))
  }

  deinit { hub.release(id) }

  /// The next data, as soon as there is some; `nil` when the stream is over, the reader has disconnected or its task is cancelled.
  /// - Parameter bytes: the maximum amount at once, except for a longer line.
  func next(atMost bytes: Int = 32_768) async -> EventHub.Delivery? {
    var rings = rings.makeAsyncIterator()
    while true {
      let (position, resumes) = place.withLock { $0 }
      switch hub.turn(of: id, at: position, atMost: bytes, keepsOld: resumes) {
      case .deliver(let delivery, let next):
        // A reader that resumes gets all stored lines; one that falls behind later continues with the newest.
        place.withLock { $0 = (next, false) }
        return delivery
      case .wait:
        hub.observer?(.waits)
        if await rings.next() == nil { return nil }
      case .end: return nil
      }
    }
  }

  /// Ends the reader: a waiting call returns at once with the end.
  func leave() { hub.leave(id) }
}
