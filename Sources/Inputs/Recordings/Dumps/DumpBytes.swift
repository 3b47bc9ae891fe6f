import CDigitMask
import Platform

/// A window of a dump's bytes, as large as the decoder requires.
///
/// The window grows to the required size and no further, so memory does not depend on the file's size.
struct DumpBytes: ~Copyable {
  private let source: ByteSource
  /// The window and the bytes around it.
  private var storage: [UInt8]
  private var start = 0
  private var end = 0
  private var hasEnded = false
  /// Bytes of the dump before the window.
  private(set) var offset = 0

  /// - Parameter capacity: the initial size of the window in bytes.
  init(_ source: ByteSource, capacity: Int = 1 << 17) {
    self.source = source
    storage = [UInt8](repeating: 0, count: capacity)
  }

  var count: Int { end - start }

  subscript(place: Int) -> UInt8 { storage[start + place] }

  func prefix(_ length: Int) -> ArraySlice<UInt8> { storage[start..<start + length] }

  var window: Span<UInt8> { @_lifetime(borrow self) get { storage.span.extracting(start..<end) } }

  mutating func consume(_ count: Int) {
    let taken = min(count, end - start)
    start += taken
    offset += taken
  }

  /// Reads until the window contains `count` bytes.
  /// - Returns: `false` if the dump ends before that.
  mutating func require(_ count: Int) throws(RecordingError) -> Bool {
    while end - start < count, !hasEnded { try fill(atLeast: count) }
    return end - start >= count
  }

  private mutating func fill(atLeast count: Int) throws(RecordingError) {
    if start > 0, storage.count - start < max(count, 1 << 14) {
      let kept = start..<end
      unsafe storage.withUnsafeMutableBytes { all in
        unsafe all.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[kept]))
      }
      (start, end) = (0, end - start)
    }
    if storage.count - start < count {
      storage.append(contentsOf: repeatElement(0, count: count - (storage.count - start)))
    }
    let read = try source.read(into: &storage, from: end)
    end += read
    hasEnded = read == 0
  }
}

extension Span<UInt8> {
  /// Two bytes, little-endian.
  @inline(__always)
  func uint16(_ place: Int) -> UInt16 { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt16.self) }
  /// Two bytes, little-endian, two's complement.
  func int16(_ place: Int) -> Int16 { Int16(bitPattern: uint16(place)) }
  /// Four bytes, little-endian.
  @inline(__always)
  func uint32(_ place: Int) -> UInt32 { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self) }

  /// Eight bytes, little-endian, which is the byte order of all platforms that Swift supports.
  @inline(__always)
  func uint64(_ place: Int) -> UInt64 { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self) }

  /// The sum of `count` 16-bit numbers, modulo 2¹⁶.
  func sum16(_ place: Int, _ count: Int) -> UInt16 {
    unsafe extracting(place..<place + count).withUnsafeBufferPointer { part in
      unsafe part.baseAddress.map { unsafe sum_of_shorts($0, part.count / 2) } ?? 0
    }
  }

  /// The exclusive or of all bytes in a range.
  func parity(_ range: Range<Int>) -> UInt8 {
    unsafe extracting(range).withUnsafeBufferPointer { part in
      unsafe part.baseAddress.map { unsafe parity_of_bytes($0, part.count) } ?? 0
    }
  }

  func holds(_ letters: [UInt8], at place: Int) -> Bool {
    guard place >= 0, place + letters.count <= count else { return false }
    for (index, letter) in letters.enumerated() where self[place + index] != letter { return false }
    return true
  }

  /// The next position of a byte, or `limit`, or the end.
  func firstPlace(of byte: UInt8, from place: Int, to limit: Int) -> Int {
    let end = Swift.min(count, limit)
    guard place < end else { return place }
    return unsafe withUnsafeBufferPointer { all in
      guard let base = all.baseAddress, let found = unsafe memchr(base + place, Int32(byte), end - place) else {
        return end
      }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }
}
