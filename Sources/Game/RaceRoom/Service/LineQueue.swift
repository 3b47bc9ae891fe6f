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
    var reader: CheckedContinuation<[UInt8]?, Never>?
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
    let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<[UInt8]?, Never>?) in
      guard !state.isClosed else { return (false, nil) }
      if let reader = state.reader {
        state.reader = nil
        return (true, reader)
      }
      if let key, let index = state.entries.firstIndex(where: { $0.key == key }) {
        state.entries[index].line = line
        return (true, nil)
      }
      if key == nil, state.entries.count(where: { $0.key == nil }) >= state.limit {
        state.isClosed = true
        return (false, nil)
      }
      state.entries.append(Entry(key: key, line: line))
      return (true, nil)
    }
    reader?.resume(returning: line)
    return isTaken
  }

  /// Adds a line if the queue is empty, since a reader with queued lines needs no heartbeat.
  func addIfIdle(_ line: [UInt8]) {
    let reader = state.withLock { state in
      let reader = state.reader
      state.reader = nil
      if reader == nil, state.entries.isEmpty, !state.isClosed { state.entries.append(Entry(key: "", line: line)) }
      return reader
    }
    reader?.resume(returning: line)
  }

  /// The next line, as soon as there is one; `nil` at the end, and when the task is cancelled.
  func next() async -> [UInt8]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let immediate = state.withLock { state -> [UInt8]?? in
          if !state.entries.isEmpty { return state.entries.removeFirst().line }
          if state.isClosed { return .some(nil) }
          state.reader = continuation
          return nil
        }
        if let immediate { continuation.resume(returning: immediate) }
      }
    } onCancel: {
      close()
    }
  }

  /// Ends the queue after the queued lines.
  func close() {
    let reader = state.withLock { state in
      state.isClosed = true
      let reader = state.reader
      state.reader = nil
      return reader
    }
    reader?.resume(returning: nil)
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
