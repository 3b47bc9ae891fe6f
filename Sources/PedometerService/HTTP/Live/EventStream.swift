import HTTPTypes
import Hummingbird
import JSONLines
import NIOCore

/// Streaming answers: lines as they arrive, for as long as the client reads them.
enum EventStream {
  /// - Parameters:
  ///   - first: sent at once, such as the current state; `nil` for a returning reader.
  static func response(_ reader: EventReader, for request: Request, first: String?) -> Response {
    let body = ResponseBody { writer in
      // Detects a closed connection at once, not with the next heartbeat.
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

  /// An answer with lines of another module, such as a room's; each is sent as soon as it arrives. Closing the
  /// connection ends them: the task that reads them is cancelled.
  static func response(lines: AsyncStream<[UInt8]>, type: String, for request: Request) -> Response {
    let body = ResponseBody { writer in
      var output = writer
      do {
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          for await line in lines { try await output.write(ByteBuffer(bytes: line)) }
        }
      } catch is CancellationError {
        // The client has disconnected, so there is nothing to report.
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
