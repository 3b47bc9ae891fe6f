import Czlib

/// Compresses bytes into a gzip member (RFC 1952) incrementally.
@safe package final class GzipStream {
  // zlib's state contains a pointer to the stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private let path: String

  package init(path: String) throws(RecordingWriterError) {
    self.path = path
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // The fastest level: the last digits are noise, and the default level compresses to 31 % instead of 38 % in more
    // than four times the time. 15 + 16: the largest window, with gzip's header and checksum.
    let code = unsafe deflateInit2_(
      stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    if code != Z_OK { throw .compression(path: path, code: code) }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// How far the compressed bytes reach after a write.
  package enum Reach {
    /// As far as that compresses best.
    case some
    /// Up to the last byte, so that a reader of the unfinished file finds it.
    case all
    /// To the end of the member.
    case end

    fileprivate var flush: Int32 {
      switch self {
      case .some: Z_NO_FLUSH
      case .all: Z_SYNC_FLUSH
      case .end: Z_FINISH
      }
    }
  }

  /// Compresses `bytes` into `file`.
  package func write(_ bytes: [UInt8], _ reach: Reach, to file: OutputFile) throws(RecordingWriterError) {
    var input = bytes
    var offset = 0
    var isDone = false
    while !isDone {
      let (code, used, made) = step(&input, from: offset, flush: reach.flush)
      if code == Z_STREAM_ERROR { throw .compression(path: path, code: code) }
      offset += used
      if made > 0 { try file.write(Array(buffer[..<made]).span) }
      isDone = reach == .end ? code == Z_STREAM_END : offset == input.count && made < buffer.count
    }
  }

  private func step(_ input: inout [UInt8], from offset: Int, flush: Int32) -> (code: Int32, used: Int, made: Int) {
    unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe buffer.withUnsafeMutableBufferPointer { sink in
        unsafe stream.pointee.next_in = source.baseAddress.map { unsafe $0 + offset }
        unsafe stream.pointee.avail_in = UInt32(source.count - offset)
        unsafe stream.pointee.next_out = sink.baseAddress
        unsafe stream.pointee.avail_out = UInt32(sink.count)
        let code = unsafe deflate(stream, flush)
        let used = unsafe source.count - offset - Int(stream.pointee.avail_in)
        return unsafe (code, used, sink.count - Int(stream.pointee.avail_out))
      }
    }
  }
}
