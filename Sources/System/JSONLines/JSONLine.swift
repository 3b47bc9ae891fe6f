import Platform

/// One JSON object on one line, with its keys in the order in which they are added.
///
/// Numbers are written with their significant decimals only, so lines are short and the same on every machine; a number
/// that is not finite, and `nil`, become `null`.
package struct JSONLine {
  private var text = "{"

  package init() {}

  package mutating func add(_ key: String, _ value: String?) { addRaw(key, value.map(Self.quoted) ?? "null") }

  package mutating func add(_ key: String, _ value: Int?) { addRaw(key, value.map { "\($0)" } ?? "null") }

  package mutating func add(_ key: String, _ value: Bool?) { addRaw(key, value.map { "\($0)" } ?? "null") }

  package mutating func add(_ key: String, _ value: Double?, decimals: Int) {
    addRaw(key, value.flatMap { Decimals.text($0, decimals) } ?? "null")
  }

  package mutating func add(_ key: String, _ value: Duration, decimals: Int = 3) {
    add(key, value / .seconds(1), decimals: decimals)
  }

  package mutating func add(_ key: String, _ values: [String]) {
    addRaw(key, "[" + values.map(Self.quoted).joined(separator: ",") + "]")
  }

  package mutating func add(_ key: String, _ values: [Double], decimals: Int) {
    addRaw(key, "[" + values.map { Decimals.text($0, decimals) ?? "null" }.joined(separator: ",") + "]")
  }

  package mutating func add(_ key: String, _ object: JSONLine?) { addRaw(key, object?.object ?? "null") }

  package mutating func add(_ key: String, _ objects: [JSONLine]) {
    addRaw(key, "[" + objects.map(\.object).joined(separator: ",") + "]")
  }

  private mutating func addRaw(_ key: String, _ value: String) {
    if text.utf8.count > 1 { text += "," }
    text += "\"\(key)\":\(value)"
  }

  /// The object, without a line break.
  package var object: String { text + "}" }

  /// The line, with its line break.
  package var line: String { object + "\n" }

  /// A JSON string: RFC 8259, section 7.
  package static func quoted(_ value: String) -> String {
    var result = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..."\u{1F}": result += "\\u" + scalar.value.padded(4, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
