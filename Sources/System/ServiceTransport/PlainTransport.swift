import Dispatch
import Platform
import Synchronization

/// Sends requests over plain HTTP/1.1, with a connection for each.
///
/// It is small enough for the executable that counts all day, and sufficient for a service on the same machine or in
/// the same network. `ServiceNetwork` also supports TLS.
package struct PlainTransport: Transport {
  private let largestAnswer: Int
  private let noTLS: String

  /// - Parameters:
  ///   - largestAnswer: the maximum size of a complete answer in bytes.
  ///   - noTLS: why an address that needs TLS cannot be reached.
  package init(largestAnswer: Int = 16 << 20, noTLS: String = "this program does not support TLS") {
    (self.largestAnswer, self.noTLS) = (largestAnswer, noTLS)
  }

  package func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    let connection = try connection(request)
    let (limit, deadline) = (largestAnswer, ContinuousClock.now + timeout)
    return try await connection.closingWhenCancelled {
      var answer = try await connection.open(until: deadline)
      while let piece = try await connection.next(until: deadline) {
        answer.body += piece
        guard answer.body.count <= limit else { throw TransportError.tooLarge(address: request.url, limit: limit) }
      }
      return answer
    }
  }

  package func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    let connection = try connection(request)
    let head = try await connection.closingWhenCancelled { try await connection.open(until: .now + silence) }
    return TransportStream(
      status: head.status, headers: head.headers,
      chunks: AsyncThrowingStream {
        try await connection.closingWhenCancelled { try await connection.next(until: .now + silence) }
      })
  }

  private func connection(_ request: TransportRequest) throws(TransportError) -> PlainConnection {
    guard let address = PlainAddress(request.url) else { throw .badAddress(request.url) }
    if address.isSecure { throw .unreachable(address: request.url, reason: noTLS) }
    guard !request.headers.contains(where: { ($0.name + $0.value).utf8.contains { $0 < 0x20 && $0 != 0x09 } }) else {
      throw .unreachable(address: request.url, reason: "a header field contains control characters")
    }
    return PlainConnection(request, address)
  }
}

/// The parts of `http://HOST:PORT/TARGET`.
struct PlainAddress: Sendable, Hashable {
  var host: String
  var port: String
  var target: String
  var isSecure: Bool

  init?(_ url: String) {
    guard let mark = url.firstRange(of: "://") else { return nil }
    let scheme = url[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    isSecure = scheme == "https"
    let rest = url[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let path = rest.dropFirst(authority.count).prefix { $0 != "#" }
    target = path.hasPrefix("/") ? String(path) : "/" + path
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = String(authority[authority.index(after: authority.startIndex)..<end])
      port = String(authority[authority.index(after: end)...])
    } else {
      host = String(authority.prefix { $0 != ":" })
      port = String(authority.dropFirst(host.count))
    }
    if port.isEmpty { port = isSecure ? ":443" : ":80" }
    guard !host.isEmpty, port.first == ":", UInt16(port.dropFirst()) != nil,
      !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    else { return nil }
    port.removeFirst()
  }

  /// The value of the header field Host.
  var authority: String { (host.contains(":") ? "[\(host)]" : host) + (port == "80" ? "" : ":\(port)") }
}

/// One connection with one request. Its calls block a separate queue; closing it ends them.
private final class PlainConnection: Sendable {
  private struct Socket {
    var descriptor: Int32 = -1
    var isClosed = false
  }

  private let request: TransportRequest
  private let address: PlainAddress
  private let queue = DispatchQueue(label: "pedometer.http")
  private let socket = Mutex(Socket())
  /// Bytes of the body that arrived with the head.
  private let parsing = Mutex((parser: HTTPAnswerParser(), pending: [UInt8]()))

  init(_ request: TransportRequest, _ address: PlainAddress) { (self.request, self.address) = (request, address) }

  deinit {
    let descriptor = socket.withLock { $0.descriptor }
    if descriptor >= 0 { _ = Platform.close(descriptor) }
  }

  /// Ends the connection at once; a blocked call returns.
  private func shut() {
    socket.withLock { socket in
      socket.isClosed = true
      if socket.descriptor >= 0 { _ = shutdown(socket.descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Runs work that ends with `CancellationError` soon after its task is cancelled.
  func closingWhenCancelled<Success: Sendable>(_ work: @Sendable () async throws -> Success) async throws -> Success {
    do {
      return try await withTaskCancellationHandler(operation: work) { shut() }
    } catch {
      shut()
      if Task.isCancelled { throw CancellationError() }
      throw error
    }
  }

  /// Connects, sends the request and reads the head of the answer.
  func open(until deadline: ContinuousClock.Instant) async throws -> TransportResponse {
    try await onQueue {
      try self.connect(until: min(deadline, .now + .seconds(10)))
      try self.write(until: deadline)
      while true {
        if let head = self.parsing.withLock({ $0.parser.head }) { return head }
        try self.parseMore(until: deadline)
      }
    }
  }

  /// The next chunk of the body; `nil` at its end.
  func next(until deadline: ContinuousClock.Instant) async throws -> [UInt8]? {
    try await onQueue {
      while true {
        let (pending, isComplete) = self.parsing.withLock { parsing in
          defer { parsing.pending = [] }
          return (parsing.pending, parsing.parser.isComplete)
        }
        if !pending.isEmpty { return pending }
        if isComplete { return nil }
        try self.parseMore(until: deadline)
      }
    }
  }

  private func onQueue<Success: Sendable>(_ work: @escaping @Sendable () throws -> Success) async throws -> Success {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }

  // MARK: on the queue

  private func parseMore(until deadline: ContinuousClock.Instant) throws {
    let piece = try read(until: deadline)
    try parsing.withLock { parsing in
      guard let piece else {
        guard parsing.parser.end() else { throw interrupted("closed by the other side") }
        return
      }
      do { parsing.pending += try parsing.parser.take(piece) } catch { throw interrupted("not an HTTP response") }
    }
  }

  private func connect(until deadline: ContinuousClock.Instant) throws {
    let code = try unsafe connectToAny(host: address.host, port: address.port) { candidate in
      try unsafe connect(to: candidate, until: deadline)
    }
    switch code {
    case 0: break
    case nil: throw unreachable("no such host: \(address.host)")
    case ETIMEDOUT: throw TransportError.timedOut(address: request.url)
    case let code?: throw unreachable(systemText(code))
    }
  }

  /// - Returns: 0, or the system's error number.
  private func connect(to candidate: addrinfo, until deadline: ContinuousClock.Instant) throws -> Int32 {
    let type = unsafe candidate.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = unsafe Platform.socket(candidate.ai_family, type, 0)
    guard descriptor >= 0 else { return errno }
    let (former, isClosed) = socket.withLock { socket in
      defer { socket.descriptor = descriptor }
      return (socket.descriptor, socket.isClosed)
    }
    if former >= 0 { _ = Platform.close(former) }
    if isClosed { throw CancellationError() }
    if unsafe Platform.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 { return 0 }
    guard errno == EINPROGRESS else { return errno }
    guard wait(for: Int16(POLLOUT), until: deadline) else { return ETIMEDOUT }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
    return code
  }

  private func write(until deadline: ContinuousClock.Instant) throws {
    var head = "\(request.method) \(address.target) HTTP/1.1\r\nHost: \(address.authority)\r\nConnection: close\r\n"
    for header in request.headers { head += "\(header.name): \(header.value)\r\n" }
    if !request.body.isEmpty || request.method == "POST" || request.method == "PUT" {
      head += "Content-Length: \(request.body.count)\r\n"
    }
    let bytes = Array((head + "\r\n").utf8) + request.body
    var rest = bytes[...]
    while !rest.isEmpty {
      let descriptor = socket.withLock { $0.descriptor }
      let count = unsafe rest.withUnsafeBytes {
        unsafe Platform.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard wait(for: Int16(POLLOUT), until: deadline) else { throw TransportError.timedOut(address: request.url) }
      } else if errno != EINTR {
        throw unreachable(systemText(errno))
      }
    }
  }

  /// The next received bytes; `nil` at the end.
  private func read(until deadline: ContinuousClock.Instant) throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let descriptor = socket.withLock { $0.descriptor }
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 { return nil }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        guard wait(for: Int16(POLLIN), until: deadline) else { throw TransportError.timedOut(address: request.url) }
      default: throw interrupted(systemText(errno))
      }
    }
  }

  /// - Returns: whether the socket is ready before the deadline.
  private func wait(for events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = deadline - .now
      guard left > .zero else { return false }
      let milliseconds = Int32(bounded: left / .milliseconds(1) + 1)
      var request = pollfd(fd: socket.withLock { $0.descriptor }, events: events, revents: 0)
      let count = unsafe poll(&request, 1, milliseconds)
      if count > 0 { return true }
      if count < 0, errno != EINTR { return true }
    }
  }

  private func unreachable(_ reason: String) -> TransportError { .unreachable(address: request.url, reason: reason) }

  private func interrupted(_ reason: String) -> TransportError { .interrupted(address: request.url, reason: reason) }
}
