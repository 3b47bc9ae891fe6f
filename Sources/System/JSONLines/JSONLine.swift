import Platform

/// One JSON object on one line, with its keys in the order in which they are added.
///
/// Numbers are written with their significant decimals only, so lines are short and the same on every machine; a number
/// that is not finite, and `nil`, become `null`.
package struct JSONLine: Sendable {
  private var members: [(key: String, value: any LineValue)] = []

  package init() {}

  /// Creates an object with these keys.
  package init(_ members: KeyValuePairs<String, any LineValue>) { add(members) }

  package mutating func add(_ members: KeyValuePairs<String, any LineValue>) {
    for (key, value) in members { add(key, value) }
  }

  package mutating func add(_ key: String, _ value: some LineValue) { members.append((key, value)) }

  /// The object, without a line break.
  package var object: String {
    "{" + members.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",") + "}"
  }

  /// The line, with its line break.
  package var line: String { object + "\n" }

  /// The values with these keys as a row of CSV; a cell without a value is empty.
  package func row(_ columns: [String]) -> String {
    columns.map { column in members.first { $0.key == column }?.value.cell ?? "" }.joined(separator: ",") + "\n"
  }

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
