/// Remembers what stands around the seconds of the latest calendar time: `2026-05-06T10:11:` and `+02:00`, which most rows share.
///
/// It only reads what it has seen before, byte for byte, so it reads every notation of dates as ``DateTimeText`` does.
struct MinuteCache {
  /// The text up to the colon before the seconds, in words of eight bytes, of which the last may overlap the one before.
  private var words: [UInt64] = []
  private var length = 0
  /// The mark before the fraction of a second; 0 if the time that was read elsewhere has none.
  private var mark: UInt8 = 0
  /// The text after the seconds and their fraction.
  private var suffix: [UInt8] = []
  /// The time of the minute, in nanoseconds.
  private var minute: Int64 = 0

  /// Bytes that may be loaded, at most.
  private static let longest = 48

  /// Whether there is something to compare with.
  var isEmpty: Bool { length == 0 }

  /// Remembers a time that was read elsewhere.
  mutating func note(_ bytes: Span<UInt8>, _ range: Range<Int>, nanoseconds: Int64) {
    length = 0
    guard range.count <= Self.longest, let place = Self.secondsPlace(bytes, range) else { return }
    let prefix = range.lowerBound..<place
    guard prefix.count >= 8 else { return }
    var after = place + 2
    let seconds = Int64(bytes[place] & 15) * 10 + Int64(bytes[place + 1] & 15)
    var (fraction, digits): (Int64, Int) = (0, 0)
    mark = 0
    if after < range.upperBound, bytes[after] == UInt8(ascii: ".") || bytes[after] == UInt8(ascii: ",") {
      mark = bytes[after]
      after += 1
      while after < range.upperBound, bytes[after] &- 0x30 <= 9, digits < 9 {
        fraction = fraction * 10 + Int64(bytes[after] &- 0x30)
        digits += 1
        after += 1
      }
      // A tenth digit would be rounded.
      guard digits > 0, after == range.upperBound || bytes[after] &- 0x30 > 9 else { return }
    }
    guard seconds < 60 else { return }
    words = stride(from: 0, through: (prefix.count - 1) / 8 * 8, by: 8).map { offset in
      bytes.uint64(prefix.lowerBound + min(offset, prefix.count - 8))
    }
    suffix = (after..<range.upperBound).map { bytes[$0] }
    minute = nanoseconds - seconds * 1_000_000_000 - fraction * Self.scale[digits]
    length = prefix.count
  }

  /// The time of a field; `nil` if it differs from the remembered one in more than its seconds.
  func nanoseconds(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard length > 0, range.count >= length + 2 + suffix.count else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var at = unsafe base + range.lowerBound
      let end = unsafe base + range.upperBound
      guard let time = unsafe take(&at, end), unsafe at == end else { return nil }
      return time
    }
  }

  /// Reads a time, up to `end` at most.
  @inline(__always)
  func take(_ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int64? {
    guard length > 0, unsafe end - at >= length + 2 + suffix.count else { return nil }
    let raw = unsafe UnsafeRawPointer(at)
    for (index, word) in words.enumerated() {
      let offset = min(index &* 8, length &- 8)
      guard unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == word else { return nil }
    }
    unsafe at += length
    let (tens, ones) = unsafe (at[0] &- 0x30, at[1] &- 0x30)
    guard tens < 6, ones <= 9 else { return nil }
    unsafe at += 2
    var time = minute &+ Int64(tens &* 10 &+ ones) &* 1_000_000_000
    if unsafe at < end, mark != 0, unsafe at.pointee == mark {
      unsafe at += 1
      var (fraction, digits): (Int64, Int) = (0, 0)
      while unsafe at < end, unsafe at.pointee &- 0x30 <= 9 {
        fraction = fraction &* 10 &+ Int64(unsafe at.pointee &- 0x30)
        digits &+= 1
        if digits > 9 { return nil }
        unsafe at += 1
      }
      if digits == 0 { return nil }
      time &+= fraction &* Self.scale[digits]
    }
    for byte in suffix {
      guard unsafe at < end, unsafe at.pointee == byte else { return nil }
      unsafe at += 1
    }
    return time
  }

  /// Nanoseconds of one unit of a fraction with so many digits.
  private static let scale: [Int64] = [0, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1]

  /// The place of the seconds: behind the second colon of `hh:mm:ss`, if no third one follows.
  private static func secondsPlace(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    let colon = UInt8(ascii: ":")
    guard let first = range.first(where: { bytes[$0] == colon }), first + 6 <= range.upperBound,
      bytes[first + 3] == colon, bytes[first + 4] &- 0x30 <= 9, bytes[first + 5] &- 0x30 <= 9,
      first + 6 == range.upperBound || (bytes[first + 6] != colon && bytes[first + 6] &- 0x30 > 9)
    else { return nil }
    return first + 4
  }
}
