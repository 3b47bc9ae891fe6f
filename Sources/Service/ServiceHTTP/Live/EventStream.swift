import HTTPTypes
import Hummingbird
import JSONLines
import NIOCore
import Synchronization

/// Streaming answers: lines as they arrive, for as long as the client reads them.
enum EventStream {
  /// - Parameters:
  ///   - first: sent at once, such as the current state; `nil` for a returning reader.
  ///   - hasSteps: whether each step is sent. A page that shows totals once a second wakes up half as often without them.
  static func response(
    _ reader: EventReader, to context: ServiceContext, first: String?, hasSteps: Bool = true
  ) -> Response {
    let body = ResponseBody { writer in
      // A closed connection is detected at once, not with the next heartbeat.
      ConnectionGuard.whenClientLeaves(context.channel) { reader.leave() }
      try await write(reader, first: first, hasSteps: hasSteps, to: &writer)
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"], body: body)
  }

  /// An answer with lines of another module, such as a room's; each is sent as soon as it arrives. Closing the
  /// connection ends them: the task that reads them is cancelled.
  static func response(lines: AsyncStream<[UInt8]>, type: String, to context: ServiceContext) -> Response {
    let body = ResponseBody { writer in
      let lines = LinesUntilLeave(lines)
      ConnectionGuard.whenClientLeaves(context.channel) { lines.leave() }
      do {
        while let line = await lines.next() { try await writer.write(ByteBuffer(bytes: line)) }
      } catch {
        await lines.end()
        throw error
      }
      await lines.end()
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store", .accelBuffering: "no"], body: body)
  }

  private static func write(
    _ reader: EventReader, first: String?, hasSteps: Bool, to writer: inout any ResponseBodyWriter
  ) async throws {
    var start = ByteBuffer(string: "retry: 2000\n\n")
    if let first { start.writeImmutableBuffer(EventRing.frame(first, number: nil)) }
    try await writer.write(start)
    while let delivery = await reader.next() {
      switch delivery {
      case .lines(let lines):
        let wanted = hasSteps ? lines : lines.filter { !EventRing.isStep($0) }
        if !wanted.isEmpty { try await writer.write(contentsOf: wanted) }
      case .gap(let missed, let last): try await writer.write(gap(missed, last))
      case .heartbeat: try await writer.write(ByteBuffer(string: ":\n\n"))
      }
    }
  }

  /// The event for a reader that was too slow, or disconnected for too long.
  private static func gap(_ missed: UInt64, _ last: UInt64) -> ByteBuffer {
    var line = JSONLine()
    line.add("type", "event")
    line.add("event", "gap")
    line.add("message", "\(missed) lines were lost; the totals that follow are correct")
    line.add("missed", Int(clamping: missed))
    return EventRing.frame(line.object, number: last)
  }
}

/// Lines until their reader leaves.
private final class LinesUntilLeave: Sendable {
  private let lines: AsyncStream<[UInt8]>
  private let state = Mutex<(waiting: Task<[UInt8]?, Never>?, hasLeft: Bool)>((nil, false))

  init(_ lines: AsyncStream<[UInt8]>) { self.lines = lines }

  /// The next line, or `nil` after the last.
  func next() async -> [UInt8]? {
    // One task for each line, since only cancelling the task ends the wait for a line.
    let task = state.withLock { [lines] state -> Task<[UInt8]?, Never>? in
      if state.hasLeft { return nil }
      state.waiting = Task {
        var iterator = lines.makeAsyncIterator()
        return await iterator.next()
      }
      return state.waiting
    }
    guard let task else { return nil }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Terminates the stream after the last ``next()``. If the client disconnects while a line is being written, no wait for a
  /// line is cancelled, and the stream's source would not learn of it.
  func end() async {
    let ending = Task { [lines] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      for await _ in lines {}
    }
    await ending.value
  }

  /// Ends the wait for a line: the reader has left.
  func leave() {
    let waiting = state.withLock { state in
      state.hasLeft = true
      return state.waiting
    }
    waiting?.cancel()
  }
}
