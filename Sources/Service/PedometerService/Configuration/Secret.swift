/// A password. Descriptions leave it out, so that no log contains it.
struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
  let text: String

  init(_ text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "(hidden)" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(reflecting: description) }
}
