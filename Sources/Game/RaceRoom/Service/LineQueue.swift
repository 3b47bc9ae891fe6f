import Synchronization

/// The queued lines of one reader of a stream, in order; of lines with a key only the latest.
///
/// Lines without a key are never dropped; when too many are queued, no more are accepted and the queue ends after them.
final class LineQueue: Sendable {
  private struct Entry {
    var key: String?
    var line: [UInt8]
  }

  private struct State {
    var entries: [Entry]
    var limit: Int
    var isClosed = false
    /// Ends the reader's wait.
    var bell: AsyncStream<Never>.Continuation?
  }

  private let state: Mutex<State>

  /// Creates a queue.
  /// - Parameters:
  ///   - first: the initial lines, which do not count.
  ///   - limit: the maximum number of queued lines without a key.
  init(first: [[UInt8]], limit: Int) {
    state = Mutex(State(entries: first.map { Entry(line: $0) }, limit: first.count + limit))
  }

  /// Adds a line.
  /// - Returns: whether it was accepted; `false` if the reader is too far behind, or disconnected.
  func add(_ line: [UInt8], key: String? = nil) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      defer { state.bell?.finish() }
      if let key, let index = state.entries.firstIndex(where: { $0.key == key }) {
        state.entries[index].line = line
      } else if key == nil, state.entries.count(where: { $0.key == nil }) >= state.limit {
        state.isClosed = true
      } else {
        state.entries.append(Entry(key: key, line: line))
      }
      return !state.isClosed
    }
  }

  /// Adds a line if the queue is empty, since a reader with queued lines needs no heartbeat.
  func addIfIdle(_ line: [UInt8]) { if state.withLock(\.entries.isEmpty) { _ = add(line, key: "") } }

  /// The next line, as soon as there is one; `nil` at the end, and when the task is cancelled.
  func next() async -> [UInt8]? {
    while true {
      if Task.isCancelled { close() }
      let (wait, bell) = AsyncStream<Never>.makeStream()
      let (line, isAtEnd) = state.withLock { state -> ([UInt8]?, Bool) in
        state.bell = bell
        return state.entries.isEmpty ? (nil, state.isClosed) : (state.entries.removeFirst().line, false)
      }
      if line != nil || isAtEnd { return line }
      for await _ in wait {}
    }
  }

  /// Ends the queue after the queued lines.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.bell?.finish()
    }
  }
}

/// The lines of a stream, each with its line break, until the room closes. Releasing or closing them, and cancelling the task
/// that reads them, ends their reader.
public final class RoomLines: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  public typealias Failure = Never

  private let queue: LineQueue
  private let end: @Sendable () -> Void
  private let hasEnded = Atomic(false)

  /// - Parameter end: called once, when the lines have lost their reader.
  init(_ queue: LineQueue, end: @escaping @Sendable () -> Void) { (self.queue, self.end) = (queue, end) }

  deinit { close() }

  /// Ends the lines after those that are queued, because the client has disconnected.
  public func close() {
    queue.close()
    if !hasEnded.exchange(true, ordering: .relaxed) { end() }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(lines: self) }

  /// One reader.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    fileprivate let lines: RoomLines

    public mutating func next() async -> [UInt8]? {
      let line = await lines.queue.next()
      if line == nil { lines.close() }
      return line
    }
  }
}
