import Platform
import ServiceTransport

/// Follows a stream of lines, and reconnects when it breaks.
///
/// It is pulled by its single consumer, so a slow consumer slows down the service, which then closes the stream; it is
/// reopened at the same position.
actor LineFollower<Reader: LineReader> {
  private let connection: RoomConnection
  private var reader: Reader
  private var stream: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator?
  private var splitter = LineSplitter()
  private var pending: [Reader.Event] = []
  private var isAtFirstLine = true
  private var wasOpen = false
  private var backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))
  /// The wait before the next attempt, after a failure.
  private var delay: Duration?

  init(_ connection: RoomConnection, reader: Reader) { (self.connection, self.reader) = (connection, reader) }

  /// The next event.
  /// - Throws: ``RoomClientError``, `TransportError` if the service cannot be reached the first time, or
  ///   `CancellationError`.
  func next() async throws -> Reader.Event? {
    while pending.isEmpty {
      try Task.checkCancellation()
      do {
        if stream == nil { try await connect() }
        try await read()
      } catch let error as TransportError {
        guard wasOpen else { throw error }
        interrupt("\(error)")
      }
    }
    return pending.removeFirst()
  }

  private func connect() async throws {
    if let delay { try await connection.clock.sleep(delay) }
    let answer = try await connection.transport.open(
      connection.request("GET", reader.target), silence: connection.silence)
    guard answer.status == 200 else {
      let error = await RoomClientError.refused(status: answer.status, reason: Self.reason(answer))
      // A busy or restarting service will be back; other refusals are final.
      guard wasOpen, answer.status == 429 || answer.status >= 500 else { throw error }
      return interrupt("\(error)")
    }
    splitter = LineSplitter()
    isAtFirstLine = true
    stream = answer.chunks.makeAsyncIterator()
  }

  private func read() async throws {
    guard var reading = stream else { return }
    let chunk = try await reading.next(isolation: self)
    try Task.checkCancellation()
    guard let chunk else {
      guard wasOpen else { throw RoomClientError.noRoom(line: "") }
      return interrupt("the stream ended")
    }
    stream = reading
    for line in splitter.append(chunk) where !line.isEmpty { try take(line) }
  }

  private func take(_ line: [UInt8]) throws(RoomClientError) {
    guard isAtFirstLine else {
      pending += reader.read(line)
      return
    }
    pending += try reader.open(line)
    isAtFirstLine = false
    wasOpen = true
    backoff.reset()
  }

  private func interrupt(_ reason: String) {
    stream = nil
    let wait = backoff.next()
    delay = wait
    pending.append(Reader.interruption(reason, retryIn: wait))
  }

  private static func reason(_ answer: TransportStream) async -> String {
    var bytes: [UInt8] = []
    do {
      for try await chunk in answer.chunks {
        bytes += chunk
        if bytes.count > 16_384 { break }
      }
    } catch {}
    return RoomConnection.reason(in: bytes)
  }
}
