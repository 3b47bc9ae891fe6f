/// Why a file cannot be imported: its place, and one sentence.
package struct ImportFailure: Error, Equatable, CustomStringConvertible {
  package enum Code { case missing, unreadable, damaged }

  package var code: Code
  package var description: String

  /// A sentence that names the file.
  init(_ code: Code, _ sentence: String) { (self.code, description) = (code, sentence) }

  /// Damage at a place in a file.
  init(at place: String, _ reason: String) { self.init(.damaged, "\(place): \(reason)") }

  static func longLine(_ path: String, _ line: Int) -> Self {
    Self(at: "\(path):\(line)", "the line is longer than any of a file with steps; check the file")
  }
}
