/// Cells of a CSV: RFC 4180.
package enum CSV {
  package static func quoted(_ cell: String) -> String {
    let isPlain = !cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
    return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }
}
