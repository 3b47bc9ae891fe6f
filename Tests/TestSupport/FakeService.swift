import Dispatch
import Glibc
import ServiceTransport
import Synchronization

/// A fake service on a real socket of this computer: passes each request to a closure and closes the connection. One
/// request at a time.
public final class FakeService: Sendable {
  /// The response to a request.
  public typealias Answer = @Sendable (TransportRequest) async -> TransportResponse?

  /// Its address, without a trailing slash.
  public let url: String
  private let listener: Int32
  private let queue = DispatchQueue(label: "pedometer.test.loopback")
  private let answer: Mutex<Answer>
  private let executor = QueueExecutor()

  /// The error of the socket.
  public struct Failure: Error {
    public var errno: Int32
  }

  /// Listens on a free port.
  /// - Parameter answer: creates the answer; `nil` leaves the client without one until the server is closed.
  public init(_ answer: @escaping Answer) throws {
    // SOCK_STREAM has different types in C and Swift.
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard isBound else { throw Failure(errno: errno) }
    listener = descriptor
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    self.answer = Mutex(answer)
    queue.async { [weak self] in
      while let connection = Self.accept(descriptor) {
        guard let self else { break }
        self.serve(connection)
      }
    }
  }

  deinit {
    // Wakes the thread that waits for connections.
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Runs on its own thread: those of tasks may all be waiting for the program that sends requests.
  private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "pedometer.test.loopback.answers")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// Changes the answers from now on.
  public func answer(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

  private static func accept(_ listener: Int32) -> Int32? {
    while true {
      let connection = Glibc.accept(listener, nil, nil)
      if connection >= 0 { return connection }
      if errno != EINTR { return nil }
    }
  }

  private func serve(_ connection: Int32) {
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    guard let request = Self.request(from: connection) else {
      close(connection)
      return
    }
    let (answer, done) = (answer.withLock { $0 }, DispatchSemaphore(value: 0))
    Task.detached(executorPreference: executor) {
      if let response = await answer(request) {
        Self.write(response, to: connection)
        close(connection)
      }
      // Without an answer, the connection stays open as long as the process.
      done.signal()
    }
    done.wait()
  }

  /// Reads a request whose body has a known length.
  private static func request(from connection: Int32) -> TransportRequest? {
    var bytes: [UInt8] = []
    var some = [UInt8](repeating: 0, count: 65_536)
    var request: TransportRequest?
    var bodyStart = 0
    var bodyLength = 0
    while true {
      if request == nil, let end = headEnd(in: bytes) {
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().compactMap { line -> TransportRequest.Header? in
          let parts = line.split(separator: ":", maxSplits: 1)
          return parts.count == 2 ? .init(parts[0].lowercased(), String(parts[1].drop { $0 == " " })) : nil
        }
        request = TransportRequest(method: String(words[0]), url: String(words[1]), headers: headers)
        bodyStart = end + 4
        bodyLength = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
      }
      if var request, bytes.count >= bodyStart + bodyLength {
        request.body = Array(bytes[bodyStart..<bodyStart + bodyLength])
        return request
      }
      let count = unsafe read(connection, &some, some.count)
      guard count > 0 else { return nil }
      bytes += some[..<count]
    }
  }

  private static func headEnd(in bytes: [UInt8]) -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= 4 else { return nil }
    return (0...bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == mark }
  }

  private static func write(_ response: TransportResponse, to connection: Int32) {
    var head = "HTTP/1.1 \(response.status) -\r\nContent-Length: \(response.body.count)\r\nConnection: close\r\n"
    for header in response.headers { head += "\(header.name): \(header.value)\r\n" }
    var rest = (Array((head + "\r\n").utf8) + response.body)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
