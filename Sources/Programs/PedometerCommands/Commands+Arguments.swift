import Platform
import SourceNames
import Synchronization
import Terminals

extension Commands {
  /// The arguments with shorthands written out: `--json`, also before the command, is `--format json`, and `-V` is
  /// `--version`. `-q` and `--quiet` take effect here, since they belong to every command. Nothing after `--` is a
  /// shorthand.
  package static func expanded(_ arguments: some Sequence<String>) -> [String] {
    var expanded: [String] = []
    var isOver = false
    var isJSON = false
    for argument in arguments {
      switch argument {
      case "--json" where expanded.isEmpty: isJSON = true
      case "--json" where !isOver: expanded += ["--format", "json"]
      case "-V" where expanded.isEmpty: expanded.append("--version")
      case "-q", "--quiet": isOver ? expanded.append(argument) : StandardOutput.becomeQuiet()
      default:
        isOver = isOver || argument == "--"
        expanded.append(argument)
        if isJSON, expanded.count == 1 { expanded += ["--format", "json"] }
      }
    }
    return expanded
  }

  /// The commands without `--format`.
  private static let withoutJSON: Set<String> = ["record", "convert", "board", "study", "analytics", "help"]

  /// Why `--json` cannot be obeyed, in a sentence; `nil` if it can be, or is not there.
  package static func obstacle(toJSON arguments: [String]) -> String? {
    let words = arguments.prefix { $0 != "--" }
    if words.contains(where: { $0.hasPrefix("--json=") }) { return "--json takes no value; write only --json" }
    guard words.contains("--json"), let command = words.first(where: { !$0.hasPrefix("-") }),
      withoutJSON.contains(command)
    else { return nil }
    let isRecording = command == "record" || command == "convert"
    return "'\(command)' has no JSON output; "
      + (isRecording ? "for JSON Lines, give --output a name such as walk.jsonl" : "leave out --json")
  }

  /// What a command line without a known command may mean, in a sentence; `nil` if there is no good guess.
  /// - Parameter commands: the known commands.
  package static func suggestion(for arguments: [String], among commands: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help", !commands.contains(word) else { return nil }
    let name = ScreenText.printable(word)
    let given = ScreenText.printable(arguments.map(quoted).joined(separator: " "), longest: 500)
    let isOfService = ["walkers", "challenges", "push"].contains(word)
    if isOfService { return "'\(name)' is not a command; did you mean: pedometerd \(given)" }
    // A misspelled command comes first: a file of that name is unlikely.
    let nearest = commands.map { (name: $0, distance: editDistance(word, $0)) }.min { $0.distance < $1.distance }
    if let nearest, nearest.distance <= 2, nearest.distance < word.count - 1 {
      let line = ([nearest.name] + arguments.dropFirst()).map(quoted).joined(separator: " ")
      return "'\(name)' is not a command; did you mean: pedometer \(ScreenText.printable(line, longest: 500))"
    }
    let isThere = unsafe access(word, F_OK) == 0
    guard isThere || word.contains(where: { "./:".contains($0) }),
      let uri = try? SourceURI(parsing: word)
    else { return nil }
    return "'\(name)' is not a command; to count it: pedometer \(uri.isSensor ? "live" : "count") \(given)"
  }

  /// As a shell reads it.
  private static func quoted(_ argument: String) -> String {
    let isPlain = !argument.isEmpty && argument.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,@%+".contains($0) }
    return isPlain ? argument : "'" + argument.replacing("'", with: #"'\''"#) + "'"
  }
}
