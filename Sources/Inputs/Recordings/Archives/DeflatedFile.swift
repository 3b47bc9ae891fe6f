import CInflate
import Platform

/// The content of a deflated file of a zip.
///
/// Damage ends it; what was decompressed before is delivered.
@safe
final class DeflatedFile {
  /// The damage, in a sentence.
  private(set) var damage: String?
  private let descriptor: Int32
  private let path: String
  private let checksum: UInt32
  private let inflation: OpaquePointer
  private let input: UnsafeMutableRawBufferPointer
  /// The bytes of ``input`` that are to be decompressed, and the compressed data that has not been read.
  private var rest = 0..<0
  private var unread: Range<Int>
  private var isDone = false

  /// - Parameters:
  ///   - descriptor: of the zip, which stays open.
  ///   - place: where the compressed data is.
  ///   - checksum: the CRC-32 of the content.
  ///   - avoidsISAL: whether zlib decompresses although ISA-L is available.
  /// - Returns: `nil` if memory is short.
  init?(
    _ descriptor: Int32, _ place: Range<Int>, checksum: UInt32, path: String, avoidsISAL: Bool = false
  ) {
    guard let inflation = unsafe inflation_new(false, avoidsISAL) else { return nil }
    unsafe self.inflation = inflation
    unsafe input = .allocate(byteCount: 1 << 16, alignment: 16)
    (self.descriptor, unread, self.checksum, self.path) = (descriptor, place, checksum, path)
  }

  deinit {
    unsafe inflation_free(inflation)
    unsafe input.deallocate()
  }

  /// Fills the beginning of `target`.
  /// - Returns: the number of bytes; 0 at the end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    while !isDone {
      if rest.isEmpty { try refill() }
      let isLast = rest.isEmpty
      let (status, produced) = unsafe inflate(inflation, input, &rest, into: target)
      switch status {
      case INFLATION_ENDED:
        let isIntact = unsafe inflation_checksum(inflation) == checksum
        end(isIntact ? nil : "the checksum of its content is wrong")
      case INFLATION_DAMAGED: end("its compressed data is wrong")
      default: if isLast, produced == 0 { end("its compressed data ends too early") }
      }
      if produced > 0 { return produced }
    }
    return 0
  }

  private func end(_ damage: String?) { (self.damage, isDone) = (damage, true) }

  private func refill() throws(RecordingError) {
    while true {
      let count = unsafe pread(descriptor, input.baseAddress, min(input.count, unread.count), unread.lowerBound)
      if count >= 0 {
        rest = 0..<count
        unread = unread.lowerBound + count..<unread.upperBound
        return
      }
      if errno != EINTR { throw .readFailed(path: path, byte: unread.lowerBound, errno: errno) }
    }
  }
}
