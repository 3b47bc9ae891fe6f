/// Cells of CSV lines: RFC 4180.
package enum CSV {
  package static func quoted(_ cell: String) -> String {
    let isPlain = !cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
    return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }

  /// The cells of one line. An unclosed quotation mark extends to the end of the line.
  package static func cells(_ line: some StringProtocol, delimiter: Character = ",") -> [String] {
    var cells = [""]
    var isQuoted = false
    var previous: Character?
    for character in line {
      switch character {
      case "\"":
        // Two consecutive quotation marks inside quotes are one.
        if !isQuoted, previous == "\"" { cells[cells.count - 1] += "\"" }
        isQuoted.toggle()
      case delimiter where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
      previous = character
    }
    return cells
  }
}
