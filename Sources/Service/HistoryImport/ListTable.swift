import Foundation
import History
import JSONLines
import Platform

/// The lines of a list of steps, with dates as `2026-05-06` and numbers without separators.
struct ListTable {
  struct Row {
    /// From 1.
    var line: Int
    var cells: [String]
  }

  let columns: ListFormat.Columns
  private(set) var rows: [Row] = []
  /// How cells were read, and which lines were not, one sentence each.
  private(set) var notices: [String] = []

  /// What a line below the days has in front that sums them up.
  private static let sums = [
    "sum", "total", "average", "avg", "mean", "median", "min", "max", "minimum", "maximum", "grand total", "summe",
    "gesamt", "durchschnitt", "mittel", "mittelwert", "schnitt", "ø", "somme", "moyenne", "suma", "promedio", "media",
    "somma", "totale", "totaal", "gemiddelde", "合計", "平均",
  ]

  /// The text of a list: UTF-8, UTF-16 with a byte order mark, or Windows-1252.
  static func text(_ bytes: Data) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return String(data: bytes.prefix(bytes.count / 2 * 2), encoding: .utf16) ?? ""
    }
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    return String(validating: bytes, as: UTF8.self) ?? String(data: bytes, encoding: .windowsCP1252)
      ?? String(decoding: bytes, as: UTF8.self)
  }

  /// Refuses a list that would take much more memory than its bytes.
  /// - Throws: ``ImportFailure``.
  static func check(_ bytes: [UInt8], _ path: String) throws {
    var (lines, cells, start) = (1, 0, 0)
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case 0x0A, 0x0D:
        lines += 1
        start = place
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"): cells += 1
      default: break
      }
      if place - start > InputLimits.token { throw ImportFailure.longLine(path, lines) }
    }
    guard lines <= InputLimits.lines, cells <= InputLimits.cells else {
      throw ImportFailure(
        at: path,
        "a list of more than \(InputLimits.lines) lines or \(InputLimits.cells) cells; "
          + "give a part of it at a time, such as a year")
    }
  }

  static func isList(_ head: Data, of path: String) -> Bool {
    // The last line may be cut within a character.
    let end = head.lastIndex(of: 0x0A).map { head[...$0] }
    return heading(lines(text(head.count < longestHead ? head : end ?? head)), of: path) != nil
  }

  private static let mostNames = 8

  /// The bytes of a file that are looked at for the names of columns.
  static let longestHead = 4096

  /// - Returns: `nil` if the text has no names of columns.
  /// - Throws: ``ImportFailure``.
  init?(_ path: String, _ text: String, now: Date) throws {
    let lines = Self.lines(text)
    guard let heading = Self.heading(lines, of: path) else { return nil }
    columns = heading.columns
    readRows(lines[(heading.line + 1)...], heading.delimiter)
    rows = columns.format.rows(rows, CSV.cells(lines[heading.line], delimiter: heading.delimiter), day: columns.day)
    readNumbers()
    try readDates(path, now: now)
    leaveOutSums()
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  /// The names of the columns, below the title of the list or other tables.
  private static func heading(_ lines: [Substring], of path: String) -> (
    line: Int, columns: ListFormat.Columns, delimiter: Character
  )? {
    for line in lines.indices.prefix(linesAboveNames) {
      for delimiter in [",", ";", "\t", "|"] as [Character] where lines[line].contains(delimiter) {
        if let columns = ListFormat.columns(CSV.cells(lines[line], delimiter: delimiter), of: path) {
          return (line, columns, delimiter)
        }
      }
    }
    return nil
  }

  private static let linesAboveNames = 40

  /// Whether a number stands where a row has its day or its time.
  private func isDay(_ row: Row) -> Bool {
    guard let place = columns.day ?? columns.begin, place < row.cells.count else { return false }
    return row.cells[place].contains(where: \.isNumber)
  }

  private mutating func readRows(_ lines: ArraySlice<Substring>, _ delimiter: Character) {
    var gap: Int?
    for (index, line) in zip(lines.indices, lines) {
      let cells = CSV.cells(line, delimiter: delimiter).map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.contains(where: { !$0.isEmpty }) else {
        gap = gap ?? (rows.isEmpty ? nil : index + 1)
        continue
      }
      // A blank line and a title are in front of another table, or of the next part of this one.
      if gap != nil, cells.dropFirst().allSatisfy(\.isEmpty), !cells[0].contains(where: \.isNumber) {
        let next = lines[(index + 1)...].first { $0.contains { !$0.isWhitespace && $0 != delimiter } }
        let below = Row(line: 0, cells: next.map { CSV.cells($0, delimiter: delimiter) } ?? [])
        guard !isDay(below) else {
          gap = nil
          continue
        }
        notices.append("another table, '\(cells[0].prefix(40))', begins in line \(index + 1) and was not read")
        return
      }
      rows.append(Row(line: index + 1, cells: cells))
    }
  }

  // MARK: Numbers

  /// Takes separators of thousands out of the steps if one explains all of them, and decimals that are zero.
  private mutating func readNumbers() {
    // An average below the days may have decimals.
    let cells = rows.filter { isDay($0) }.compactMap { columns.count < $0.cells.count ? $0.cells[columns.count] : nil }
    let strange = cells.filter { !$0.isEmpty && Int($0) == nil }
    guard !strange.isEmpty else { return }
    let digits = cells.filter { $0.contains(where: \.isNumber) }
    // `812.000` has three decimals if every number has them.
    let haveDecimals = digits.allSatisfy { Self.withoutZeros($0) != nil && Int($0) == nil }
    let separators = haveDecimals ? [] : [",", ".", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}"] as [Character]
    if let separator = separators.first(where: { separator in digits.allSatisfy { Self.isGrouped($0, by: separator) } }
    ),
      let example = strange.first(where: { $0.contains(separator) })
    {
      let plain = example.filter { $0 != separator }
      changeCounts { $0.filter { $0 != separator } }
      notices.append("numbers of steps such as \(example) were read as \(plain)")
    } else if digits.allSatisfy({ Self.withoutZeros($0) != nil }) {
      changeCounts { Self.withoutZeros($0) ?? $0 }
    }
  }

  private mutating func changeCounts(_ change: (String) -> String) {
    for index in rows.indices where columns.count < rows[index].cells.count {
      rows[index].cells[columns.count] = change(rows[index].cells[columns.count])
    }
  }

  /// Whether a number has no other separators than those of thousands, or none at all.
  private static func isGrouped(_ cell: String, by separator: Character) -> Bool {
    let groups = cell.split(separator: separator, omittingEmptySubsequences: false)
    guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }) else { return false }
    return groups.count == 1
      || groups[0].count <= 3 && groups[0].first != "0" && groups.dropFirst().allSatisfy { $0.count == 3 }
  }

  /// The number in front of `.0`, as tables with gaps are written.
  private static func withoutZeros(_ cell: String) -> String? {
    let parts = cell.split(separator: /[.,]/, omittingEmptySubsequences: false)
    guard parts.count <= 2, Int(parts[0]) != nil, parts.count == 1 || parts[1].allSatisfy({ $0 == "0" }) else {
      return nil
    }
    return String(parts[0])
  }

  // MARK: Dates

  private mutating func readDates(_ path: String, now: Date) throws {
    let places = columns.times
    // A template has the days to come as well.
    let walked = rows.filter { columns.count < $0.cells.count && !$0.cells[columns.count].isEmpty }
    let cells = walked.flatMap { row in places.compactMap { $0 < row.cells.count ? row.cells[$0] : nil } }
    do {
      let dates = try ListDates(
        cells.filter { $0.contains(where: \.isNumber) }, now: now, likely: columns.format.order,
        haveEnds: columns.end != nil || columns.areMinutes)
      for index in rows.indices {
        for place in places where place < rows[index].cells.count {
          rows[index].cells[place] = dates.plain(rows[index].cells[place])
        }
      }
      if let example = dates.example, let order = dates.order {
        notices.append("dates such as \(example.written) were read as \(order.name): \(example.read)")
      }
    } catch let ambiguity as ListDates.Ambiguity {
      let row = rows.first { $0.cells.contains(ambiguity.cell) }
      throw ImportFailure(
        at: "\(path):\(row?.line ?? 1)",
        "'\(ambiguity.cell)' may be \(ambiguity.readings.joined(separator: " or ")), and no other line shows the"
          + " order of day and month; give a list that has a day after the 12th as well, or dates such as 2026-05-06")
    }
  }

  /// Leaves out lines below the days that have their sum or average.
  private mutating func leaveOutSums() {
    let counts = columns.count
    func cell(_ row: Row, _ place: Int) -> String { place < row.cells.count ? row.cells[place] : "" }
    guard let last = rows.lastIndex(where: { isDay($0) }) else { return }
    let steps = rows[...last].filter { isDay($0) }.compactMap { Int(cell($0, counts)) }
    let sum = steps.reduce(0.0) { $0 + Double($1) }
    func sumsUp(_ row: Row) -> Bool {
      let names = row.cells.prefix(counts).map {
        $0.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: " :"))
      }
      if names.contains(where: Self.sums.contains) { return true }
      guard let value = Int(cell(row, counts)).map(Double.init), steps.count > 1 else { return false }
      return value == sum || abs(value - sum / Double(steps.count)) <= 1
    }
    let found = rows.indices.filter {
      !isDay(rows[$0]) && (sumsUp(rows[$0]) || $0 > last && cell(rows[$0], counts).isEmpty)
    }
    guard !found.isEmpty else { return }
    let names = found.prefix(Self.mostNames).map {
      "line \(rows[$0].line)" + (rows[$0].cells.first { !$0.isEmpty }.map { " ('\($0.prefix(40))')" } ?? "")
    }
    notices.append(
      "lines that are no days were not added: \(names.joined(separator: ", "))"
        + (found.count > names.count ? " and \(found.count - names.count) more" : ""))
    let left = Set(found)
    rows = rows.indices.filter { !left.contains($0) }.map { rows[$0] }
  }
}
