/// The beginning of a text that may be JSON, taken line by line.
struct JSONStart {
  private var isFirst = true
  /// The first two bytes that are not blank.
  private var first: UInt8?
  private var second: UInt8?
  private var depth = 0
  private var marks = JSONMarks()
  /// Whether the first value has ended.
  private(set) var holdsValue = false

  /// Whether an object or an array may begin here: `{"`, `[{`, `[[`, `["`. Lines of a log may begin with `[08:15:00]` or
  /// `[m/s^2]`.
  var mayBegin: Bool {
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
    switch second {
    case nil, UInt8(ascii: "\""): return true
    case UInt8(ascii: "{"), UInt8(ascii: "["): return first == UInt8(ascii: "[")
    default: return false
    }
  }

  /// Takes the next bytes.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    let mark = isFirst && bytes.starts(with: FileStart.byteOrderMark) ? FileStart.byteOrderMark.count : 0
    isFirst = false
    for byte in bytes.dropFirst(mark) where !holdsValue && (second == nil || mayBegin) { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    if second == nil, byte > 0x20 { (first, second) = first == nil ? (byte, nil) : (first, byte) }
    switch marks.take(byte) {
    case .openObject, .openArray: depth += 1
    case .close:
      depth -= 1
      holdsValue = depth <= 0
    default: break
    }
  }
}
