/// An error in the configuration: the location, and one sentence.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A file and line, or an option; `nil` without a location.
  package var place: String?
  /// The problem and the remedy.
  package var message: String

  package init(_ message: String, at place: String? = nil) { (self.place, self.message) = (place, message) }

  package var description: String { place.map { "\($0): \(message)" } ?? message }
}
