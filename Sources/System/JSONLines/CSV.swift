/// Cells of CSV lines: RFC 4180.
package enum CSV {
  /// A cell. An apostrophe keeps a spreadsheet from calculating what looks like a formula and is no number.
  package static func quoted(_ text: String) -> String {
    let cell = mayBeFormula(text) && Double(text) == nil ? "'" + text : text
    let isPlain = !cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
    return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }

  /// A line of these cells.
  package static func row(_ cells: [any LineValue]) -> String { cells.map(\.cell).joined(separator: ",") + "\n" }

  /// The text of a cell without the apostrophe of ``quoted(_:)``.
  package static func original(_ cell: String) -> String {
    cell.first == "'" && mayBeFormula(cell.dropFirst()) ? String(cell.dropFirst()) : cell
  }

  /// Whether a spreadsheet would calculate a cell, or take its apostrophes away.
  private static func mayBeFormula(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.first { $0 != "'" }.map { ["=", "+", "-", "@", "\t", "\r"].contains($0) } ?? false
  }

  /// The cells of one line. An unclosed quotation mark extends to the end of the line.
  package static func cells(_ line: some StringProtocol, delimiter: Character = ",") -> [String] {
    var cells: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var previous: UInt8?
    let delimiter = delimiter.asciiValue
    for byte in line.utf8 {
      if byte == UInt8(ascii: "\"") {
        // Two consecutive quotation marks inside quotes are one.
        if !isQuoted, previous == byte { cell.append(byte) }
        isQuoted.toggle()
      } else if byte == delimiter, !isQuoted {
        cells.append(String(decoding: cell, as: UTF8.self))
        cell.removeAll(keepingCapacity: true)
      } else {
        cell.append(byte)
      }
      previous = byte
    }
    return cells + [String(decoding: cell, as: UTF8.self)]
  }
}
