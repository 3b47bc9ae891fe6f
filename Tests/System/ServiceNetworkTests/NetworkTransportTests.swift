import RaceRoom
import ServiceNetwork
import ServiceTransport
import Synchronization
import TestSupport
import Testing

/// Both HTTP clients, which behave alike.
enum HTTPClientKind: CaseIterable {
  /// With TLS, in `pedometer-full`.
  case network
  /// Without TLS, in `pedometer`.
  case plain

  func transport(largestAnswer: Int = 16 << 20) -> any Transport {
    switch self {
    case .network: NetworkTransport(largestAnswer: largestAnswer)
    case .plain: PlainTransport(largestAnswer: largestAnswer)
    }
  }
}

@Suite("HTTP clients: over the loopback interface", .timeLimit(.minutes(30)), .ownThreads)
struct NetworkTransportTests {
  private func url(_ server: LoopbackServer, _ target: String = "/") -> String {
    "http://127.0.0.1:\(server.port)\(target)"
  }

  @Test("a request arrives unchanged, and so does the answer, of any status", arguments: HTTPClientKind.allCases)
  func roundTrip(_ kind: HTTPClientKind) async throws {
    let received = Mutex("")
    let server = try LoopbackServer { connection in
      let text = connection.receive(upTo: "body!")
      received.withLock { $0 = text }
      connection.send("HTTP/1.1 418 Teapot\r\nContent-Length: 5\r\nX-Note: Yes\r\n\r\nshort")
      connection.waitForEnd()
    }
    let answer = try await kind.transport().send(
      TransportRequest(
        method: "POST", url: url(server, "/a?b=%26"), headers: [.init("Authorization", "Bearer t")],
        body: Array("body!".utf8)), timeout: Hang.limit)
    #expect(answer.status == 418)
    #expect(answer.body == Array("short".utf8))
    #expect(answer.headers.contains(.init("x-note", "Yes")))
    let text = received.withLock { $0 }
    #expect(text.hasPrefix("POST /a?b=%26 HTTP/1.1\r\n"))
    #expect(text.lowercased().contains("authorization: bearer t\r\n"))
    #expect(text.lowercased().contains("content-length: 5\r\n"))
  }

  @Test("no service, no host, no address", arguments: HTTPClientKind.allCases)
  func errors(_ kind: HTTPClientKind) async throws {
    let server = try LoopbackServer { _ in }
    server.close()
    let port = server.port
    let address = "http://127.0.0.1:\(port)/"
    await #expect(throws: TransportError.unreachable(address: address, reason: "Connection refused")) {
      try await kind.transport().send(TransportRequest(url: address), timeout: Hang.limit)
    }
    for bad in ["ftp://x/", "nonsense", "http://"] {
      await #expect(throws: TransportError.badAddress(bad)) {
        try await kind.transport().send(TransportRequest(url: bad), timeout: Hang.limit)
      }
    }
  }

  @Test("an answer that is too long, truncated, or never arrives", arguments: HTTPClientKind.allCases)
  func badAnswers(_ kind: HTTPClientKind) async throws {
    let long = try LoopbackServer { connection in
      _ = connection.receive(upTo: "\r\n\r\n")
      connection.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "4\r\nlong\r\n", count: 100))
      connection.waitForEnd()
    }
    await #expect(throws: TransportError.tooLarge(address: url(long), limit: 100)) {
      try await kind.transport(largestAnswer: 100).send(TransportRequest(url: url(long)), timeout: Hang.limit)
    }
    let cut = try LoopbackServer { connection in
      _ = connection.receive(upTo: "\r\n\r\n")
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    }
    await #expect {
      try await kind.transport().send(TransportRequest(url: url(cut)), timeout: Hang.limit)
    } throws: {
      if case TransportError.interrupted = $0 { true } else { false }
    }
    let silent = try LoopbackServer { $0.waitForEnd() }
    await #expect(throws: TransportError.timedOut(address: url(silent))) {
      try await kind.transport().send(TransportRequest(url: url(silent)), timeout: .milliseconds(50))
    }
  }

  @Test("a stream is delivered as it arrives, and closed when released", arguments: HTTPClientKind.allCases)
  func stream(_ kind: HTTPClientKind) async throws {
    let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "\r\n\r\n")
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
      connection.waitForEnd()
      continuation.finish()
    }
    do {
      let stream = try await kind.transport().open(TransportRequest(url: url(server)), silence: Hang.limit)
      var chunks = stream.chunks.makeAsyncIterator()
      #expect(try await chunks.next() == Array("one".utf8))
    }
    for await _ in closed {}
  }

  @Test("a stream is closed when its reader is cancelled", arguments: HTTPClientKind.allCases)
  func cancelled(_ kind: HTTPClientKind) async throws {
    let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
    let (reading, begun) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "\r\n\r\n")
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
      connection.waitForEnd()
      continuation.finish()
    }
    let stream = try await kind.transport().open(TransportRequest(url: url(server)), silence: Hang.limit)
    let task = Task { for try await _ in stream.chunks { begun.finish() } }
    for await _ in reading {}
    task.cancel()
    for await _ in closed {}
    _ = await task.result
  }

  @Test("a stream that is silent for too long ends", arguments: HTTPClientKind.allCases)
  func silence(_ kind: HTTPClientKind) async throws {
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "\r\n\r\n")
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
      connection.waitForEnd()
    }
    let stream = try await kind.transport().open(TransportRequest(url: url(server)), silence: .milliseconds(200))
    await #expect(throws: TransportError.timedOut(address: url(server))) { for try await _ in stream.chunks {} }
  }

  @Test("a client follows a chat over the network", arguments: HTTPClientKind.allCases)
  func chat(_ kind: HTTPClientKind) async throws {
    let server = try LoopbackServer { connection in
      guard connection.receive(upTo: "\r\n\r\n").hasPrefix("GET /chat/room?user=Ann HTTP") else { return }
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let line = #"{"id":"00000000-0000-4000-8000-000000000001","message":"hello","date":1,"seq":1}"# + "\r\n"
      for part in ["{\"activeUsers\":1}\r\n", String(line.prefix(20)), String(line.dropFirst(20))] {
        connection.send(String(part.utf8.count, radix: 16) + "\r\n" + part + "\r\n")
      }
      connection.waitForEnd()
    }
    let client = try RoomClient(url: url(server), username: "Ann", transport: kind.transport())
    let task = TimeoutTask(seconds: 300) { try await Listener(client.chat()).next(2) }
    let events = try await task.value
    #expect(events.count == 2)
  }
}
