import HTTPTypes
import Hummingbird
import JSONLines
import NIOCore

/// The answer that goes on: lines as they come, for as long as somebody reads them.
enum EventStream {
  /// - Parameters:
  ///   - first: what is said at once, such as how things stand; `nil` for a reader that comes back.
  static func response(_ reader: EventReader, for request: Request, first: String?) -> Response {
    let body = ResponseBody { writer in
      // A closed connection is noticed at once, not with the next heartbeat.
      _ = try await request.body.consumeWithInboundCloseHandler { _ in
        try await write(reader, first: first, to: &writer)
      } onInboundClosed: {
        reader.leave()
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"], body: body)
  }

  /// An answer of lines that another part brings, such as a room's; each is sent as soon as it arrives. Closing the connection ends
  /// them: the task that reads them is cancelled.
  static func response(lines: AsyncStream<[UInt8]>, type: String, for request: Request) -> Response {
    let body = ResponseBody { writer in
      var output = writer
      do {
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          for await line in lines { try await output.write(ByteBuffer(bytes: line)) }
        }
      } catch is CancellationError {
        // The client has gone; there is nobody to tell.
      }
      try await output.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store", .accelBuffering: "no"], body: body)
  }

  private static func write(_ reader: EventReader, first: String?, to writer: inout any ResponseBodyWriter) async throws
  {
    var start = ByteBuffer(string: "retry: 2000\n\n")
    if let first { start.writeImmutableBuffer(EventRing.frame(first, number: nil)) }
    try await writer.write(start)
    while let delivery = await reader.next() {
      switch delivery {
      case .lines(let lines): try await writer.write(contentsOf: lines)
      case .gap(let missed, let last): try await writer.write(gap(missed, last))
      case .heartbeat: try await writer.write(ByteBuffer(string: ":\n\n"))
      }
    }
  }

  /// What a reader is told that was too slow, or away for too long.
  private static func gap(_ missed: UInt64, _ last: UInt64) -> ByteBuffer {
    var line = JSONLine()
    line.add("type", "event")
    line.add("event", "gap")
    line.add("message", "\(missed) lines were lost; the totals that follow are correct")
    line.add("missed", Int(clamping: missed))
    return EventRing.frame(line.object, number: last)
  }
}
