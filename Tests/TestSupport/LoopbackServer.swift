import Glibc
import Synchronization

/// A server on the loopback interface that sends exactly the bytes of a test.
public final class LoopbackServer: Sendable {
  /// Handles a connection, on its own thread.
  public typealias Script = @Sendable (Connection) -> Void

  /// A connection from the server's side.
  public final class Connection: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sends text unchanged.
    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
          unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    /// The received text up to and including this text, or up to the end.
    public func receive(upTo mark: String) -> String {
      var text = ""
      while !text.contains(mark), let more = receive() { text += more }
      return text
    }

    /// Returns when the other side has closed the connection.
    public func waitForEnd() { while receive() != nil {} }

    /// Resets the connection when it is released, after the first bytes have come, instead of closing it.
    public func reset() {
      _ = receive()
      var option = linger(l_onoff: 1, l_linger: 0)
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func receive() -> String? {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(descriptor, &buffer, buffer.count)
      return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    deinit { _ = Glibc.close(descriptor) }
  }

  /// The port it listens on.
  public let port: Int
  private let descriptor: Int32

  /// Listens from now on until it is closed. An implicit end at the last reference would come too soon.
  public init(_ script: @escaping Script) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listening, descriptor) = (descriptor, descriptor)
    let code = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard unsafe bind(descriptor, pointer, length) == 0, listen(descriptor, 16) == 0 else { return errno }
        return unsafe getsockname(descriptor, pointer, &length) == 0 ? 0 : errno
      }
    }
    guard descriptor >= 0, code == 0 else { throw TemporaryDirectory.Failure(errno: code) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Self.thread {
      while true {
        let accepted = accept(listening, nil, nil)
        if accepted < 0 {
          // Closed here, so that this thread never accepts connections for a reused descriptor.
          _ = Glibc.close(listening)
          return
        }
        Self.thread { script(Connection(accepted)) }
      }
    }
  }

  /// Stops accepting connections.
  public func close() {
    // Wakes the thread that waits for connections; from now on they are refused.
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func thread(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument { unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(Body(run)).toOpaque())
    pthread_detach(thread)
  }
}
