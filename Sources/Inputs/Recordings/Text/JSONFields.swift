/// Finds the scalar values of one line of JSON without building a tree.
///
/// The name of an object's value is the path of its keys, joined by dots: `{"t":1,"acc":{"x":2}}` has `t` and `acc.x`,
/// `{"acc":[2,3,4]}` has `acc.0` … `acc.2`, and `[1,2,3,4]` has `0` … `3`.
struct JSONFields {
  /// One value: the range of its text, without quotes.
  struct Value: Equatable {
    var path: Range<Int>
    var text: Range<Int>
  }

  private static let deepest = 8
  /// The rest of a longer key does not count. In bytes.
  private static let longestKey = 200
  /// The maximum number of values of a sample.
  private static let most = 256

  /// All paths, concatenated.
  private(set) var paths: [UInt8] = []
  private(set) var values: [Value] = []
  private var prefix: [UInt8] = []
  /// The latest line that was read in full, apart from its values: the bytes before each value, and those after the last.
  private var frame: [UInt8] = []
  /// Where the bytes before each value end in ``frame``; empty if lines like it cannot be read by it.
  private var frameEnds: [Int] = []

  /// Parses a line; a trailing comma, as in a printed array, is accepted.
  /// - Returns: whether it is one complete object or array.
  mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    let isRead = readInFull(bytes, line)
    if isRead { noteFrame(bytes, line) } else { frameEnds.removeAll() }
    return isRead
  }

  /// What stands around the values of the latest line.
  /// - Parameter follower: the use of a value; `nil` if it is not needed.
  func frame(_ follower: (Int) -> JSONFrame.Follower?) -> JSONFrame? {
    frameEnds.isEmpty ? nil : JSONFrame(frame, frameEnds, follower)
  }

  /// Remembers what is around the values.
  private mutating func noteFrame(_ bytes: Span<UInt8>, _ line: Range<Int>) {
    frame.removeAll(keepingCapacity: true)
    frameEnds.removeAll(keepingCapacity: true)
    guard values.count < Self.most else { return }
    var place = line.lowerBound
    for value in values {
      guard value.text.lowerBound > place else { return frameEnds.removeAll() }
      for i in place..<value.text.lowerBound { frame.append(bytes[i]) }
      frameEnds.append(frame.count)
      place = value.text.upperBound
    }
    for i in place..<line.upperBound { frame.append(bytes[i]) }
  }

  private mutating func readInFull(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    paths.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    prefix.removeAll(keepingCapacity: true)
    var i = line.lowerBound
    let end = line.upperBound
    Self.skipBlanks(bytes, &i, end)
    guard i < end, bytes[i] == UInt8(ascii: "{") || bytes[i] == UInt8(ascii: "["), readValue(bytes, &i, end, depth: 0)
    else { return false }
    Self.skipBlanks(bytes, &i, end)
    if i < end, bytes[i] == UInt8(ascii: ",") { i += 1 }
    Self.skipBlanks(bytes, &i, end)
    return i == end
  }

  private mutating func readValue(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int, depth: Int) -> Bool {
    Self.skipBlanks(bytes, &i, end)
    guard i < end, depth < Self.deepest else { return false }
    switch bytes[i] {
    case UInt8(ascii: "{"): return readMembers(bytes, &i, end, closing: UInt8(ascii: "}"), depth: depth)
    case UInt8(ascii: "["): return readMembers(bytes, &i, end, closing: UInt8(ascii: "]"), depth: depth)
    case UInt8(ascii: "\""):
      guard let text = Self.takeString(bytes, &i, end) else { return false }
      note(text)
      return true
    default:
      let start = i
      while i < end, !Self.endsScalar(bytes[i]) { i += 1 }
      note(start..<i)
      return i > start
    }
  }

  /// Reads the members of an object or the elements of an array.
  private mutating func readMembers(
    _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int, closing: UInt8, depth: Int
  ) -> Bool {
    let isObject = closing == UInt8(ascii: "}")
    i += 1
    Self.skipBlanks(bytes, &i, end)
    if i < end, bytes[i] == closing {
      i += 1
      return true
    }
    var index = 0
    while i < end {
      let mark = prefix.count
      if isObject {
        Self.skipBlanks(bytes, &i, end)
        guard let key = Self.takeString(bytes, &i, end) else { return false }
        for k in key.prefix(Self.longestKey) { prefix.append(bytes[k]) }
        Self.skipBlanks(bytes, &i, end)
        guard i < end, bytes[i] == UInt8(ascii: ":") else { return false }
        i += 1
      } else {
        prefix += String(index).utf8
      }
      let length = prefix.count
      prefix.append(UInt8(ascii: "."))
      guard readValue(bytes, &i, end, depth: depth + 1), prefix.count == length + 1 else { return false }
      prefix.removeLast(prefix.count - mark)
      Self.skipBlanks(bytes, &i, end)
      guard i < end else { return false }
      i += 1
      if bytes[i - 1] == closing { return true }
      guard bytes[i - 1] == UInt8(ascii: ",") else { return false }
      index += 1
    }
    return false
  }

  private mutating func note(_ text: Range<Int>) {
    guard values.count < Self.most else { return }
    let start = paths.count
    paths.append(contentsOf: prefix.dropLast())
    values.append(Value(path: start..<paths.count, text: text))
  }

  private static func takeString(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Range<Int>? {
    guard i < end, bytes[i] == UInt8(ascii: "\"") else { return nil }
    let start = i + 1
    i = start
    while i < end, bytes[i] != UInt8(ascii: "\"") { i += bytes[i] == UInt8(ascii: "\\") ? 2 : 1 }
    guard i < end else { return nil }
    i += 1
    return start..<i - 1
  }

  @inline(__always)
  static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "\""),
      UInt8(ascii: "{"), UInt8(ascii: "["), 0...0x20:
      true
    default: false
    }
  }

  private static func skipBlanks(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) {
    while i < end, bytes[i] == 0x20 || bytes[i] == 0x09 || bytes[i] == 0x0D { i += 1 }
  }

  /// Whether a line is an object that begins with `"metadata":`, as our writer puts it before the samples.
  static func isMetadata(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    var i = line.lowerBound
    let end = line.upperBound
    skipBlanks(bytes, &i, end)
    guard i < end, bytes[i] == UInt8(ascii: "{") else { return false }
    i += 1
    skipBlanks(bytes, &i, end)
    guard let key = takeString(bytes, &i, end), key.count == metadataKey.count,
      key.indices.allSatisfy({ bytes[$0] == metadataKey[$0 - key.lowerBound] })
    else { return false }
    skipBlanks(bytes, &i, end)
    return i < end && bytes[i] == UInt8(ascii: ":")
  }

  private static let metadataKey = Array("metadata".utf8)

  func name(_ value: Value) -> String { String(decoding: paths[value.path], as: UTF8.self) }

  func has(_ value: Value, path: [UInt8]) -> Bool { paths[value.path].elementsEqual(path) }
}
