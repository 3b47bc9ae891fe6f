/// The structure of JSON, byte by byte: what each byte is, inside and outside of strings (RFC 8259).
///
/// All readers that follow a text as it arrives share it; ``JSONFields`` reads whole lines without it, since these are samples
/// and must be fast.
struct JSONMarks {
  /// What a byte is.
  enum Mark {
    case openObject, openArray, close, comma, colon
    /// A quotation mark that begins or ends a string.
    case openString, closeString
    /// A byte of a string.
    case letter
    case blank
    /// A byte of a number or a literal.
    case scalar
  }

  private(set) var isInString = false
  private var isEscaped = false

  /// Takes the next byte.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Mark {
    if isInString {
      if !isEscaped, byte == UInt8(ascii: "\"") {
        isInString = false
        return .closeString
      }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      return .letter
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      return .openString
    case UInt8(ascii: "{"): return .openObject
    case UInt8(ascii: "["): return .openArray
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return .close
    case UInt8(ascii: ","): return .comma
    case UInt8(ascii: ":"): return .colon
    case 0...0x20: return .blank
    default: return .scalar
    }
  }
}
