import CSensorShim
import Platform
import SourceNames
import Synchronization

/// The reader was told to stop while it waited.
struct RemoteStop: Error {}

/// A TCP connection to another computer. Every wait has a limit, and ends when the flag is raised.
final class RemoteSocket {
  /// How long to wait for a connection, the resolution of the host's name included.
  private let timeout: Duration
  private let descriptor: Int32
  private let stop: StopSignal
  /// Received bytes that were not taken yet.
  private var bytes: [UInt8] = []
  private var taken = 0
  private var scratch = [UInt8](repeating: 0, count: 65_536)

  /// Why there is no connection, or no more data.
  enum Failure: Error, Equatable {
    /// There is no such host.
    case noHost
    /// The system's error number.
    case system(Int32)
    /// Nothing has come for too long.
    case silent
    /// The other side has closed the connection.
    case closed
    /// A line is longer than any of the protocol; its beginning.
    case longLine([UInt8])
  }

  /// Connects.
  /// - Throws: ``RemoteStop``, ``Failure``.
  init(to host: String, port: UInt16, atMost timeout: Duration, until stop: StopSignal) throws {
    (self.stop, self.timeout) = (stop, timeout)
    let attempt = try Attempt(host, port, timeout)
    switch stop.wait(orFor: attempt.done, atMost: timeout) {
    case .raised:
      attempt.abandon()
      throw RemoteStop()
    case .timedOut:
      attempt.abandon()
      throw Failure.silent
    case .readable: descriptor = try attempt.take()
    }
  }

  deinit { close(descriptor) }

  /// Sends a request. It is shorter than what a connection holds, so it need not wait.
  func send(_ text: String) throws {
    let request = Array(text.utf8)
    var sent = 0
    while sent < request.count {
      let count = unsafe request.withUnsafeBytes { buffer in
        unsafe Platform.send(
          descriptor, buffer.baseAddress! + sent, buffer.count - sent, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        throw Failure.silent
      } else if errno != EINTR {
        throw errno == EPIPE || errno == ECONNRESET ? Failure.closed : Failure.system(errno)
      }
    }
  }

  /// The next line, without its end.
  /// - Parameter longest: its maximum length in bytes.
  func line(longest: Int, atMost limit: Duration) throws -> ArraySlice<UInt8> {
    let deadline = ContinuousClock.now + limit
    var searched = taken
    while true {
      if let end = bytes[searched...].firstIndex(of: 0x0A) {
        guard end - taken <= longest else { throw Failure.longLine(Array(bytes[taken...].prefix(80))) }
        defer { taken = end + 1 }
        return bytes[taken..<end]
      }
      guard bytes.count - taken <= longest else { throw Failure.longLine(Array(bytes[taken...].prefix(80))) }
      let kept = bytes.count - taken
      try receive(until: deadline)
      searched = taken + kept
    }
  }

  /// The next bytes: as many as wanted.
  func bytes(_ count: Int, atMost limit: Duration) throws -> ArraySlice<UInt8> {
    let deadline = ContinuousClock.now + limit
    while bytes.count - taken < count { try receive(until: deadline) }
    defer { taken += count }
    return bytes[taken..<taken + count]
  }

  /// The next bytes: at least one, and at most as many as wanted.
  func someBytes(atMost count: Int, within limit: Duration) throws -> ArraySlice<UInt8> {
    if bytes.count == taken { try receive(until: ContinuousClock.now + limit) }
    let end = min(bytes.count, taken + count)
    defer { taken = end }
    return bytes[taken..<end]
  }

  private func receive(until deadline: ContinuousClock.Instant) throws {
    if taken > 0 {
      bytes.removeSubrange(..<taken)
      taken = 0
    }
    while true {
      let count = unsafe recv(descriptor, &scratch, scratch.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        bytes += scratch[..<count]
        return
      }
      if count == 0 { throw Failure.closed }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        let left = deadline - .now
        guard left > .zero else { throw Failure.silent }
        if stop.wait(for: descriptor, atMost: left) == .raised { throw RemoteStop() }
      case ECONNRESET: throw Failure.closed
      default: throw Failure.system(errno)
      }
    }
  }
}

/// Connects on a thread of its own: looking up a name cannot be interrupted.
private final class Attempt: Sendable {
  private struct State {
    var result: Result<Int32, RemoteSocket.Failure>?
    var isAbandoned = false
  }

  /// Raised at the end.
  let done: StopSignal
  private let state = Mutex(State())

  init(_ host: String, _ port: UInt16, _ timeout: Duration) throws {
    done = try StopSignal()
    let code = startSensorThread { [self] in finish(Self.connect(host, port, timeout)) }
    if code != 0 { throw RemoteSocket.Failure.system(code) }
  }

  func take() throws -> Int32 {
    guard let result = state.withLock({ $0.result }) else { throw RemoteSocket.Failure.silent }
    return try result.get()
  }

  /// Closes the connection if there will be one.
  func abandon() {
    let result = state.withLock { state in
      state.isAbandoned = true
      return state.result
    }
    if case .success(let descriptor)? = result { close(descriptor) }
  }

  private func finish(_ result: Result<Int32, RemoteSocket.Failure>) {
    let isAbandoned = state.withLock { state in
      state.result = result
      return state.isAbandoned
    }
    if isAbandoned, case .success(let descriptor) = result { close(descriptor) }
    done.raise()
  }

  private static func connect(
    _ host: String, _ port: UInt16, _ timeout: Duration
  ) -> Result<Int32, RemoteSocket.Failure> {
    var connected: Int32 = -1
    let code = unsafe connectToAny(host: host, port: "\(port)") { (candidate) throws(Never) in
      let type = unsafe candidate.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = unsafe socket(candidate.ai_family, type, 0)
      guard descriptor >= 0 else { return errno }
      // On Linux it limits connect(2), too.
      let nanoseconds = timeout.wholeNanoseconds
      var limit = timeval(
        tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      if unsafe Platform.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 {
        connected = descriptor
        return 0
      }
      let code = errno == EINPROGRESS ? ETIMEDOUT : errno
      close(descriptor)
      return code
    }
    return connected >= 0 ? .success(connected) : .failure(code.map { .system($0) } ?? .noHost)
  }
}
