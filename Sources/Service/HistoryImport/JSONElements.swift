import Platform

/// The objects in the arrays of a JSON object, or in an array, one by one, so that a document may be larger than the memory.
struct JSONElements {
  /// A value is too long.
  struct Excess: Error {}

  /// The document without what is in its arrays.
  private(set) var frame: [UInt8] = []
  private var element: [UInt8] = []
  /// The open brackets.
  private var open: [UInt8] = []
  private var (isString, isEscaped) = (false, false)

  /// Takes the next bytes, and calls `body` with each object that ends in them.
  mutating func take(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8]) throws -> Void) throws {
    for byte in bytes {
      let depth = open.count
      // Of the arrays.
      let level = open.first == UInt8(ascii: "[") ? 1 : 2
      let isInArray = depth >= level && open[level - 1] == UInt8(ascii: "[")
      if isString {
        isString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
        default: break
        }
      }
      if isInArray, max(depth, open.count) > level {
        element.append(byte)
        if open.count == level {
          try body(element)
          element.removeAll(keepingCapacity: true)
        }
      } else if !isInArray || open.count < level {
        frame.append(byte)
      }
      guard max(element.count, frame.count, open.count) <= InputLimits.token else { throw Excess() }
    }
  }
}
