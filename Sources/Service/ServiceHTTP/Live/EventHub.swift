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
  /// Why a reader is woken.
  enum Ring: Sendable {
    case lines, heartbeat
  }

  fileprivate struct State {
    var ring: EventRing
    var readers: [Int: (bell: AsyncStream<Ring>.Continuation, session: String?)] = [:]
    var nextReader = 0
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
        while (try? await clock.sleep(for: heartbeat)) != nil { self.wake(.heartbeat) }
      }
      for await _ in rings {
        wake()
        if (try? await clock.sleep(for: pause)) == nil { break }
      }
      group.cancelAll()
    }
  }

  func wake(_ ring: Ring = .lines) {
    state.withLock { state in
      for reader in state.readers.values { reader.bell.yield(ring) }
    }
  }

  /// Ends every stream when its reader has all lines, and refuses new ones.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for reader in state.readers.values { reader.bell.finish() }
    }
    bell.finish()
  }

  /// A reader's slot; it is free again when the reader is released.
  /// - Parameter last: the number of the last line that it has; `nil` for a new reader.
  func subscribe(after last: UInt64? = nil, session: String? = nil) throws(ServiceRefusal) -> EventReader {
    let (rings, bell) = AsyncStream.makeStream(of: Ring.self, bufferingPolicy: .bufferingNewest(1))
    let slot: (id: Int, position: UInt64)? = state.withLock { state in
      guard !state.isClosed, state.readers.count < maximumReaders else { return nil }
      state.nextReader += 1
      state.readers[state.nextReader] = (bell, session)
      return (state.nextReader, state.ring.position(after: last))
    }
    guard let slot else {
      metrics?.subscriberWasRefused()
      throw ServiceRefusal(503, "too many open streams; try again later")
    }
    metrics?.add(subscribers: 1)
    observer?(.joined)
    return EventReader(self, slot.id, rings, bell, at: slot.position)
  }

  /// Ends the streams of sessions that are over: of cookies that let no one in any more.
  func end(unless isOpen: (String) -> Bool) {
    let readers = state.withLock { Array($0.readers.values) }
    for reader in readers where reader.session.map(isOpen) == false { reader.bell.finish() }
  }

  var readerCount: Int { state.withLock { $0.readers.count } }

  /// What a reader at a position lacks; `nil` if it has everything.
  fileprivate func news(at position: inout UInt64, atMost bytes: Int) -> Delivery? {
    let news: Delivery? = state.withLock { state in
      if let missed = state.ring.missed(at: position) {
        position = state.ring.oldest
        return .gap(missed: missed, last: position - 1)
      }
      let lines = state.ring.lines(from: position, atMost: bytes)
      position += UInt64(lines.count)
      return lines.isEmpty ? nil : .lines(lines)
    }
    if case .gap(let missed, _)? = news { metrics?.subscriberMissed(missed) }
    return news
  }

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
  private let rings: AsyncStream<EventHub.Ring>
  private let bell: AsyncStream<EventHub.Ring>.Continuation
  private let position: Mutex<UInt64>

  fileprivate init(
    _ hub: EventHub, _ id: Int, _ rings: AsyncStream<EventHub.Ring>, _ bell: AsyncStream<EventHub.Ring>.Continuation,
    at position: UInt64
  ) {
    (self.hub, self.id, self.rings, self.bell) = (hub, id, rings, bell)
    self.position = Mutex(position)
  }

  deinit { hub.release(id) }

  /// The next data, as soon as there is some; `nil` when the stream is over, the reader has disconnected or its task is cancelled.
  /// - Parameter bytes: the maximum amount at once, except for a longer line.
  func next(atMost bytes: Int = 32_768) async -> EventHub.Delivery? {
    var rings = rings.makeAsyncIterator()
    while true {
      if let news = position.withLock({ hub.news(at: &$0, atMost: bytes) }) { return news }
      hub.observer?(.waits)
      switch await rings.next() {
      case .lines: continue
      case .heartbeat: return .heartbeat
      // What was published before the end is delivered.
      case nil: return position.withLock { hub.news(at: &$0, atMost: bytes) }
      }
    }
  }

  /// Ends the reader: a waiting call returns at once with the end.
  func leave() { bell.finish() }
}
