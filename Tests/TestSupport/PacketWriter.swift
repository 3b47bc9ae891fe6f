import Glibc

/// Writes bytes to a socket that preserves packet boundaries, on its own thread.
public final class PacketWriter {
  /// The end for the reader, who closes it.
  public let output: Int32
  private var thread = pthread_t()

  private final class Job {
    let bytes: [UInt8]
    let pieces: Int
    let input: Int32
    init(_ bytes: [UInt8], _ pieces: Int, _ input: Int32) {
      (self.bytes, self.pieces, self.input) = (bytes, pieces, input)
    }

    func run() {
      var start = 0
      while start < bytes.count {
        let piece = bytes[start..<min(start + pieces, bytes.count)]
        let sent = unsafe piece.withUnsafeBytes {
          unsafe send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if sent < 0, errno != EINTR { break }
        if sent > 0 { start += piece.count }
      }
      close(input)
    }
  }

  /// Starts writing, in packets of this many bytes.
  public init(_ bytes: [UInt8], pieces: Int) {
    var ends: [Int32] = [0, 0]
    _ = unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends)
    output = ends[1]
    let job = unsafe Unmanaged.passRetained(Job(bytes, pieces, ends[0])).toOpaque()
    unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument { unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, job)
  }

  /// Waits until everything is written, or the reader has closed its end.
  public func join() { pthread_join(thread, nil) }
}
