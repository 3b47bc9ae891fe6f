import Czlib

/// Compresses bytes into a gzip member (RFC 1952) incrementally.
@safe package final class GzipStream {
  // zlib's state contains a pointer to the stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private let path: String

  /// - Parameter level: zlib's, from 1 to 9.
  package init(path: String, level: Int32 = Z_BEST_SPEED) throws(RecordingWriterError) {
    self.path = path
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // The fastest level is usual: the last digits are noise, and the default level compresses to 31 % instead of 38 % in more
    // than four times the time. 15 + 16: the largest window, with gzip's header and checksum.
    let code = unsafe deflateInit2_(
      stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code != Z_OK { throw .compression(path: path, code: code) }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses `bytes`.
  /// - Parameters:
  ///   - flush: zlib's word for how far the compressed bytes reach: `Z_NO_FLUSH`, `Z_SYNC_FLUSH` or `Z_FINISH`.
  ///   - write: takes the compressed bytes.
  func compress(
    _ bytes: [UInt8], _ flush: Int32, to write: ([UInt8]) throws(RecordingWriterError) -> Void
  ) throws(RecordingWriterError) {
    var input = bytes
    var offset = 0
    var isDone = false
    while !isDone {
      let (code, used, made) = step(&input, from: offset, flush: flush)
      if code == Z_STREAM_ERROR { throw .compression(path: path, code: code) }
      offset += used
      if made > 0 { try write(Array(buffer[..<made])) }
      isDone = flush == Z_FINISH ? code == Z_STREAM_END : offset == input.count && made < buffer.count
    }
  }

  /// The compressed form of bytes, as far as it is complete.
  package func compressed(_ bytes: [UInt8], isLast: Bool) throws(RecordingWriterError) -> [UInt8] {
    var all: [UInt8] = []
    try compress(bytes, isLast ? Z_FINISH : Z_NO_FLUSH) { all += $0 }
    return all
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
