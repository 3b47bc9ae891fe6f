/// A JSON value; numbers, strings and literals keep their text.
enum JSONValue {
  case scalar(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  var text: String? { if case .scalar(let text) = self { text } else { nil } }

  /// An array instead of an object whose keys are the numbers of its elements, as pandas writes tables: `{"0":0.12,"1":0.13}`.
  var withElements: JSONValue {
    guard case .object(let members) = self, members.count > 3,
      zip(members, 0...).allSatisfy({ $0.key == String($1) }) || Self.areRecords(members)
    else { return self }
    return .array(members.map(\.value))
  }

  /// Whether many members are objects with the same keys, three or more: a list whose elements have names, as data bases
  /// export them: `{"-Nx01":{"t":1,"x":0.12,…},"-Nx02":{…}}`. Sensors are not so many.
  private static func areRecords(_ members: [(key: String, value: JSONValue)]) -> Bool {
    guard members.count > JSONAdapter.mostSensors, case .object(let first) = members[0].value, first.count >= 3 else {
      return false
    }
    let keys = Set(first.map(\.key))
    return members.allSatisfy { member in
      guard case .object(let inner) = member.value, inner.count == first.count else { return false }
      return inner.allSatisfy { keys.contains($0.key) }
    }
  }

  /// The elements of an array of scalars, possibly nested as `buffer` in an object.
  var column: [String]? {
    switch self {
    case .scalar: return nil
    case .array(let elements):
      let texts = elements.compactMap(\.text)
      return texts.count == elements.count ? texts : nil
    case .object(let members):
      return members.first { $0.key == "buffer" || $0.key == "values" || $0.key == "data" }?.value.column
    }
  }

  /// The names of a table's columns: an array of texts, or of objects with a `name`.
  var namesOfColumns: [String]? {
    guard case .array(let elements) = self, (3...LayoutProbe.mostColumns).contains(elements.count) else { return nil }
    let names = elements.compactMap { element -> String? in
      if case .object(let members) = element { return members.first { $0.key == "name" }?.value.text }
      return element.text
    }
    return names.count == elements.count && names.allSatisfy { Double($0) == nil } ? names : nil
  }

  /// The rows of a table of so many columns.
  func rows(_ width: Int) -> [[String]]? {
    guard case .array(let elements) = self, !elements.isEmpty else { return nil }
    let rows = elements.compactMap(\.column)
    return rows.count == elements.count && rows.allSatisfy { $0.count == width } ? rows : nil
  }

  /// Whether the elements are objects or arrays that name their content.
  var isContainerOfNamed: Bool {
    guard case .array(let elements) = self, case .object(let members)? = elements.first else { return false }
    return members.contains { $0.key == "name" || $0.key == "sensor" }
  }
}

/// Splits a stream into values: the elements of an outer array, or consecutive values.
struct JSONScanner {
  /// An object or an array whose end has not come yet.
  private struct Frame {
    var isArray: Bool
    var keys: [String] = []
    var values: [JSONValue] = []
    var hasColon = false
  }

  private var input: [UInt8] = []
  private var place = 0
  private var frames: [Frame] = []
  private var marks = JSONMarks()
  /// The bytes of a string, or of a number or a literal.
  private var text: [UInt8] = []
  private var isDamaged = false
  private var isOfOneLine = true
  private var hasOuterArray: Bool?
  /// Whether values are lines; `nil` before the end of the first one.
  private var isLinewise: Bool?
  private var isAtLineStart = false
  private var damaged = 0
  /// Whether the text ended within its only value.
  private(set) var isCut = false
  private(set) var isTooLong = false
  /// Bytes since the beginning of the value.
  private var length = 0

  private static let deepest = 32
  /// A longer value would take more than 300 MB of memory, 26 bytes for each. In bytes.
  private static let longest = 10_000_000

  /// The number of values that could not be read since the last call.
  mutating func takeDamaged() -> Int {
    defer { damaged = 0 }
    return damaged
  }

  mutating func feed(_ bytes: ArraySlice<UInt8>) {
    input.removeFirst(place)
    place = 0
    input += bytes
  }

  /// The next complete object or array; at the end of a text within its only value, the part of that.
  mutating func next(isLast: Bool) -> JSONValue? {
    while place < input.count {
      let byte = input[place]
      place += 1
      // A value at the beginning of a line ends a damaged one. Otherwise one lost quote would cost all lines after it.
      if isAtLineStart, isLinewise == true, !frames.isEmpty, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        damaged += 1
        (frames, marks) = ([], JSONMarks())
      }
      isAtLineStart = byte == 0x0A
      if isAtLineStart { isOfOneLine = false }
      length += 1
      if length == Self.longest, !frames.isEmpty { giveUp() }
      // A quotation mark outside of values begins no string.
      if frames.isEmpty, byte == UInt8(ascii: "\"") { continue }
      if let value = take(byte), let whole = finish(value) { return whole }
    }
    guard isLast, !frames.isEmpty else { return nil }
    guard isLinewise == nil, hasOuterArray == false, !isDamaged else {
      damaged += 1
      frames = []
      return nil
    }
    isCut = true
    isLinewise = false
    text = []
    // The beginning of a sample is none.
    if frames.count > 1, let last = frames.last, last.values.count <= 4, last.values.allSatisfy({ $0.text != nil }) {
      frames.removeLast()
    }
    while frames.count > 1 { _ = close() }
    return close()
  }

  /// Frees the memory of a value that is too long.
  private mutating func giveUp() {
    (isDamaged, isTooLong) = (true, true)
    frames = frames.map { Frame(isArray: $0.isArray) }
  }

  /// Takes the next byte.
  /// - Returns: the value that it ends.
  private mutating func take(_ byte: UInt8) -> JSONValue? {
    switch marks.take(byte) {
    case .openObject, .openArray:
      if frames.isEmpty, hasOuterArray == nil {
        hasOuterArray = byte == UInt8(ascii: "[")
        if hasOuterArray == true { return nil }
      }
      if frames.isEmpty { (text, isDamaged, isOfOneLine, length) = ([], false, true, 0) }
      frames.append(Frame(isArray: byte == UInt8(ascii: "[")))
      if frames.count > Self.deepest { isDamaged = true }
    case .openString: text = []
    case .letter, .scalar: if !frames.isEmpty { text.append(byte) }
    case .closeString:
      add(.scalar(Self.number(JSONString.decoded(text[...]))))
      text = []
    case .comma, .blank: endScalar()
    case .colon:
      endScalar()
      guard let last = frames.indices.last else { return nil }
      if frames[last].isArray || frames[last].keys.count == frames[last].values.count { isDamaged = true }
      frames[last].hasColon = true
    case .close:
      endScalar()
      if let last = frames.last, last.isArray != (byte == UInt8(ascii: "]")) { isDamaged = true }
      return close()
    }
    return nil
  }

  /// The text of a string; with a point where it is a number with a decimal comma. Before three digits, a comma may separate thousands.
  private static func number(_ text: String) -> String {
    guard text.utf8.count < 24, let comma = text.firstIndex(of: ",") else { return text }
    let (whole, decimals) = (text[..<comma], text[text.index(after: comma)...])
    let isZero = whole == "0" || whole == "-0"
    guard Int(whole) != nil, Int(decimals) != nil, isZero || decimals.utf8.count != 3 else { return text }
    return "\(whole).\(decimals)"
  }

  private mutating func endScalar() {
    if text.isEmpty { return }
    add(.scalar(String(decoding: text, as: UTF8.self)))
    text = []
  }

  private mutating func add(_ value: JSONValue) {
    guard let last = frames.indices.last, !isDamaged else { return }
    if frames[last].isArray || frames[last].hasColon {
      frames[last].values.append(value)
      frames[last].hasColon = false
    } else if case .scalar(let key) = value, frames[last].keys.count == frames[last].values.count {
      frames[last].keys.append(key)
    } else {
      isDamaged = true
    }
  }

  /// Ends the innermost object or array.
  private mutating func close() -> JSONValue? {
    guard let frame = frames.popLast() else { return nil }
    if !frame.isArray, frame.keys.count != frame.values.count, !isCut { isDamaged = true }
    let value: JSONValue =
      frame.isArray ? .array(frame.values) : .object(zip(frame.keys, frame.values).map { (key: $0, value: $1) })
    if frames.isEmpty { return value }
    add(value)
    return nil
  }

  private mutating func finish(_ value: JSONValue) -> JSONValue? {
    if isLinewise == nil { isLinewise = hasOuterArray == false && isOfOneLine }
    if !isDamaged { return value }
    damaged += 1
    return nil
  }
}

/// The structure of JSON, byte by byte: what each byte is, inside and outside of strings (RFC 8259).
///
/// ``JSONFields`` reads whole lines without it, since these are samples and must be fast.
struct JSONMarks {
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
    switch (first, second) {
    case (UInt8(ascii: "{"), nil), (UInt8(ascii: "["), nil): true
    case (UInt8(ascii: "{"), UInt8(ascii: "\"")?): true
    case (UInt8(ascii: "["), let second?): "\"{[".utf8.contains(second)
    default: false
    }
  }

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
