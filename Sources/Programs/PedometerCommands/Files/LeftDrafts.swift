import Platform
import Terminals

/// Recordings that a killed process could not finish.
enum LeftDrafts {
  private static let most = 3

  /// Says which ones there are in the folder of an output, and how to take them.
  static func report(beside output: String) {
    let sentences = sentences(of: Drafts.abandoned(beside: output))
    for sentence in sentences.prefix(most) { complain("\(sentence)") }
    if sentences.count > most { complain("there are \(sentences.count - most) more such files; ls -A lists them") }
  }

  /// A sentence for each draft, with a command that gives it a name that nothing has. Pictures can be drawn again.
  static func sentences(of drafts: [String]) -> [String] {
    var names: Set<String> = []
    return drafts.compactMap { (draft) -> String? in
      let file = draft.split(separator: "/").last ?? ""
      guard let original = Drafts.original(of: file), !original.hasSuffix(".svg") else { return nil }
      let target = String(draft.dropLast(file.count)) + original
      var (name, number) = (FileReplacement.unusedName(like: target, marked: "part"), 2)
      while !names.insert(name).inserted {
        name = FileReplacement.unusedName(like: target, marked: "part-\(number)")
        number += 1
      }
      return "a process that was killed left the incomplete recording \(draft); to keep it: "
        + "mv \(Commands.quotedPath(draft)) \(Commands.quotedPath(name))"
    }
  }
}
