/// Lines with which programs print a table whose rows are not all shown.
///
/// Python, R and Julia print the first and the last rows of a long table, and a mark in the place of the others.
enum AbridgedTable {
  /// What lines below or above the rows contain.
  private static let sentences = ["max.print", "only showing top ", "rows not shown"]
  /// The same behind a number of rows: `5990 rows omitted`.
  private static let counted = [" rows omitted", " more rows"]
  private static let marks: Set = ["...", "..", "\u{2026}", "\u{22EE}", "\u{B7}"]
  private static let longest = 4096

  /// Whether a line says that rows are missing in its place. Ask only about lines that are no rows.
  static func isMark(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    guard line.count <= longest else { return false }
    let letters = line.count { bytes[$0] | 0x20 &- 0x61 < 26 || bytes[$0] &- 0x30 <= 9 }
    if letters > 0 {
      let text = bytes.extracting(line)
      // Logs have many lines that are no rows.
      guard text.firstPlace(of: "max.print") != nil || text.firstPlace(of: "rows") != nil else { return false }
      if let count = text.firstPlace(of: "rows ("), text.firstPlace(of: " shown)") ?? 0 > count { return true }
      let isCounted = counted.contains { sentence in
        text.firstPlace(of: sentence).map { $0 > 0 && text[$0 - 1] &- 0x30 <= 9 } ?? false
      }
      return isCounted || sentences.contains { text.firstPlace(of: $0) != nil }
    }
    let text = String(decoding: line.map { bytes[$0] }, as: UTF8.self)
    let words = text.split { " \t|\u{2502}\u{2506},;".contains($0) }
    // A line of a log may have points, but not in the place of each column.
    return words.count > 2 && words.allSatisfy { marks.contains(String($0)) }
  }
}
