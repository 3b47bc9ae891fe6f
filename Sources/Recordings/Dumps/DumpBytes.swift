import CDigitMask
import Platform

/// A window on the bytes of a dump: as many as a decoder asks for, to look at before it moves on.
///
/// The window grows to what was asked for and no further, so that memory does not depend on the file's size.
struct DumpBytes: ~Copyable {
  private let source: ByteSource
  /// The window and what lies around it; ``bounds`` says where it is.
  private(set) var storage: [UInt8]
  private var start = 0
  private var end = 0
  private var hasEnded = false
  /// Bytes of the dump before the window.
  private(set) var offset = 0

  /// - Parameter capacity: of the window, in bytes, to begin with.
  init(_ source: ByteSource, capacity: Int = 1 << 17) {
    self.source = source
    storage = [UInt8](repeating: 0, count: capacity)
  }

  /// Bytes in the window.
  var count: Int { end - start }

  /// Where the window lies in ``storage``.
  var bounds: Range<Int> { start..<end }

  /// Moves on.
  mutating func consume(_ count: Int) {
    let taken = min(count, end - start)
    start += taken
    offset += taken
  }

  /// Reads until the window holds `count` bytes.
  /// - Returns: whether there were so many.
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
    let from = end
    var failure: RecordingError?
    let read = unsafe storage.withUnsafeMutableBytes { all -> Int in
      do throws(RecordingError) {
        return try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: all[from...]))
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    end += read
    hasEnded = read == 0
  }
}

extension Span<UInt8> {
  /// Two bytes, the lower first.
  @inline(__always)
  func uint16(_ place: Int) -> UInt16 { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt16.self) }
  /// Two bytes in two's complement, the lower first.
  func int16(_ place: Int) -> Int16 { Int16(bitPattern: uint16(place)) }
  /// Four bytes, the lowest first.
  @inline(__always)
  func uint32(_ place: Int) -> UInt32 { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self) }

  /// Eight bytes, the lowest first, as all machines have them that Swift runs on.
  @inline(__always)
  func uint64(_ place: Int) -> UInt64 { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self) }

  /// The sum of as many numbers of 16 bits as fit, without what runs over.
  func sum16(_ place: Int, _ count: Int) -> UInt16 {
    unsafe extracting(place..<place + count).withUnsafeBufferPointer { part in
      unsafe part.baseAddress.map { unsafe sum_of_shorts($0, part.count / 2) } ?? 0
    }
  }

  /// All bytes of a range combined by exclusive or.
  func parity(_ range: Range<Int>) -> UInt8 {
    unsafe extracting(range).withUnsafeBufferPointer { part in
      unsafe part.baseAddress.map { unsafe parity_of_bytes($0, part.count) } ?? 0
    }
  }

  /// Whether these letters stand at a place.
  func holds(_ letters: [UInt8], at place: Int) -> Bool {
    guard place >= 0, place + letters.count <= count else { return false }
    for (index, letter) in letters.enumerated() where self[place + index] != letter { return false }
    return true
  }

  /// Where a byte stands next, or `limit`, or the end.
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

  /// Where these letters begin next.
  func firstPlace(of letters: [UInt8], from place: Int) -> Int? {
    var i = place
    while i + letters.count <= count {
      if self[i] == letters[0], holds(letters, at: i) { return i }
      i += 1
    }
    return nil
  }
}
