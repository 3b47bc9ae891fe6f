import HTTPTypes
import Hummingbird
import JSONLines
import NIOCore
import RaceRoom

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

  /// An answer with the lines of a room; each is sent as soon as it arrives. Closing the connection ends them.
  static func response(lines: RoomLines, type: String, to context: ServiceContext) -> Response {
    let body = ResponseBody { writer in
      ConnectionGuard.whenClientLeaves(context.channel) { [weak lines] in lines?.close() }
      for await line in lines { try await writer.write(ByteBuffer(bytes: line)) }
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
    let line = JSONLine([
      "type": "event", "event": "gap", "message": "\(missed) lines were lost; the totals that follow are correct",
      "missed": Int(clamping: missed),
    ])
    return EventRing.frame(line.object, number: last)
  }
}
