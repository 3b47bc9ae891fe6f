/// A password. Descriptions leave it out, so that no log contains it.
package struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
  package let text: String

  package init(_ text: String) { self.text = text }

  package init(stringLiteral text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(hidden)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(reflecting: description) }
}
