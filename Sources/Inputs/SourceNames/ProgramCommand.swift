/// A program that prints samples, as in `exec:ssccli -s accelerometer` or `exec:ssh pi 'python3 -u read.py'`.
///
/// The text is split into words as by a shell: at spaces, with quotes and backslashes. Nothing is expanded, and no shell runs; who
/// wants one writes `exec:sh -c 'a | b'`.
public struct ProgramCommand: Sendable, Hashable, CustomStringConvertible {
  /// The program, and its arguments.
  public let words: [String]
  private let text: String

  init(parsing text: String) throws(SourceURI.ParsingError) {
    guard let words = Self.split(text), !words.isEmpty, !words[0].isEmpty, !text.utf8.contains(0) else {
      throw .invalid("exec:" + text, as: "exec")
    }
    (self.words, self.text) = (words, text)
  }

  /// The name of the program, without its folder.
  public var name: String { words[0].split(separator: "/").last.map(String.init) ?? words[0] }

  /// The words of a text; `nil` if a quote is not closed, or nothing follows a backslash.
  private static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case (quote, _?): quote = nil
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { return nil }
        // Within double quotes it only protects what has a meaning there.
        if quote != nil, next != "\"", next != "\\" { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(next)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case (_, nil) where character.isWhitespace:
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(word) }
    return words
  }

  /// What stands behind `exec:`.
  public var description: String { text }
}
