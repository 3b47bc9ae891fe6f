/// Dumps of a data base in SQL: the rows of the first table with axes, from `INSERT INTO accel (ts, x, y, z) VALUES (…), (…);` in one
/// line or in many. The names are those of the statement, or of `CREATE TABLE`.
final class SQLAdapter: TextAdapter {
  /// The statement up to its first row, or as far as it may matter.
  private var statement: [UInt8] = []
  /// The fields of a row in parentheses.
  private var row: [[UInt8]] = []
  private var depth = 0
  private var quote: UInt8?
  private var isEscaped = false
  private var isComment = false
  private var isInserting = false
  private var isUsed = false
  private var names: [String: [String]] = [:]
  /// The table that the rows are of, if they are used; `nil` in other statements.
  private var table: String?
  /// Whether the line of the output has a row.
  private var hasRow = false

  private static let longestStatement = 1 << 14

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A)
    guard
      lines.contains(where: { line in
        let start = String(decoding: line.prefix(64), as: UTF8.self).uppercased()
        return start.hasPrefix("INSERT INTO ") || start.hasPrefix("INSERT IGNORE INTO ")
      })
    else { return nil }
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    for byte in input { take(byte, into: &output) }
    if isLast, hasRow { output.append(0x0A) }
  }

  private func take(_ byte: UInt8, into output: inout [UInt8]) {
    if byte == 0x0A {
      // Lines keep their numbers.
      output.append(0x0A)
      (hasRow, isComment) = (false, false)
    }
    if isComment { return }
    if let mark = quote {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
        return
      } else if byte == mark {
        quote = nil
      }
      keep(byte)
      return
    }
    if "'\"`".utf8.contains(byte) {
      quote = byte
      return keep(byte)
    }
    if byte == UInt8(ascii: "-"), depth == 0, statement.last == byte {
      (isComment, statement) = (true, statement.dropLast())
      return
    }
    switch byte {
    case UInt8(ascii: "("):
      depth += 1
      if depth == 1, !isInserting, endsWithValues { begin(into: &output) }
      if depth == 1, isInserting { row = [[]] } else { keep(byte) }
    case UInt8(ascii: ")"):
      depth = max(0, depth - 1)
      if depth == 0, isInserting { end(into: &output) } else { keep(byte) }
    case UInt8(ascii: ",") where isInserting && depth == 1: row.append([])
    case UInt8(ascii: ";") where depth == 0:
      if !isInserting { create() }
      statement.removeAll()
      isInserting = false
    default: keep(byte)
    }
  }

  private func keep(_ byte: UInt8) {
    if isInserting {
      if depth > 0, !row.isEmpty, row[row.count - 1].count < Self.longestStatement { row[row.count - 1].append(byte) }
    } else if statement.count < Self.longestStatement {
      statement.append(byte)
    }
  }

  private var endsWithValues: Bool {
    let end = statement.reversed().drop { $0 <= 0x20 }.prefix(6).reversed()
    return String(decoding: end, as: UTF8.self).uppercased() == "VALUES"
  }

  /// Takes the table and the columns of `INSERT INTO`, and writes the names before the first row.
  private func begin(into output: inout [UInt8]) {
    isInserting = true
    let words = Self.words(statement)
    statement.removeAll()
    guard let into = words.firstIndex(where: { $0.uppercased() == "INTO" }), into + 1 < words.count else {
      isUsed = false
      return
    }
    let name = words[into + 1]
    if let open = words.firstIndex(of: "("), let close = words.firstIndex(of: ")"), open < close {
      names[name] = words[open + 1..<close].filter { $0 != "," }
    }
    if table == nil, ColumnLayout(names: names[name] ?? [], isRising: { _ in true }) != nil {
      table = name
      if hasRow { output.append(0x0A) }
      output += Array((names[name] ?? []).joined(separator: ",").utf8)
      hasRow = true
    }
    isUsed = table == name
  }

  /// Writes a row.
  private func end(into output: inout [UInt8]) {
    guard isUsed else { return }
    if hasRow { output.append(0x0A) }
    hasRow = true
    for (index, field) in row.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      let text = field.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
      let isText = text.first == UInt8(ascii: "'")
      let plain = isText ? Array(text.dropFirst().dropLast()) : Array(text)
      if String(decoding: plain, as: UTF8.self) != "NULL" { output += plain.filter { $0 != UInt8(ascii: ",") } }
    }
  }

  /// Takes the columns of `CREATE TABLE`.
  private func create() {
    let words = Self.words(statement)
    guard words.first?.uppercased() == "CREATE", let open = words.firstIndex(of: "("), open > 0 else { return }
    var (columns, depth, isFirst) = ([String](), 0, true)
    for word in words[open...] {
      switch word {
      case "(": depth += 1
      case ")": depth -= 1
      case ",": if depth == 1 { isFirst = true }
      default:
        if depth == 1, isFirst {
          isFirst = false
          if !Self.clauses.contains(word.uppercased()) { columns.append(word) }
        }
      }
    }
    names[words[open - 1]] = columns
  }

  private static let clauses: Set = ["PRIMARY", "KEY", "UNIQUE", "CONSTRAINT", "INDEX", "FOREIGN", "CHECK"]

  /// The words of a statement without quotes, and its parentheses and commas.
  private static func words(_ statement: [UInt8]) -> [String] {
    var (words, word): ([String], [UInt8]) = ([], [])
    func close() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll()
    }
    for byte in statement {
      if "(),".utf8.contains(byte) {
        close()
        words.append(String(decoding: [byte], as: UTF8.self))
      } else if byte <= 0x20 || "'\"`".utf8.contains(byte) {
        close()
      } else {
        word.append(byte)
      }
    }
    close()
    return words
  }
}
