/// Dumps of a data base in SQL: the rows of the first table with axes, from `INSERT INTO accel (ts, x, y, z) VALUES (…), (…);` in one
/// line or in many, or from the lines behind `COPY accel (ts, x, y, z) FROM stdin;`. The names are those of the statement, or of
/// `CREATE TABLE`.
final class SQLAdapter: TextAdapter {
  /// The statement up to its first row, or as far as it may matter.
  private var statement: [UInt8] = []
  /// The fields of a row in parentheses.
  private var row: [[UInt8]] = []
  private var depth = 0
  private var quote: UInt8?
  private var isEscaped = false
  private var comment: Comment?
  private var last: UInt8 = 0
  private var isInserting = false
  /// A line behind `COPY`; `nil` elsewhere.
  private var copied: [UInt8]?
  private var isUsed = false
  private var names: [String: [String]] = [:]
  /// The table that the rows are of, if they are used; `nil` in other statements.
  private var table: String?
  /// Whether the line of the output has a row.
  private var hasRow = false

  /// A comment to the end of its line, or to the mark that closes it.
  private enum Comment { case line, block }

  /// MySQL, which quotes names with a grave accent, escapes within texts; elsewhere a backslash is a character.
  private let hasEscapes: Bool

  private static let longestStatement = 1 << 14

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A)
    guard
      lines.contains(where: { line in
        let start = String(decoding: line.prefix(64), as: UTF8.self).uppercased()
        return start.hasPrefix("INSERT INTO ") || start.hasPrefix("INSERT IGNORE INTO ")
          || start.hasPrefix("COPY ") && Self.namesAxes(line, head)
            && String(decoding: line.suffix(16), as: UTF8.self).uppercased().contains("FROM STDIN;")
      })
    else { return nil }
    hasEscapes = head.contains(UInt8(ascii: "`"))
  }

  /// Whether `COPY` names three axes, or a table may. Otherwise its rows are read by their positions.
  private static func namesAxes(_ line: ArraySlice<UInt8>, _ head: [UInt8]) -> Bool {
    let words = words(Array(line))
    guard let open = words.firstIndex(of: "("), let close = words.lastIndex(of: ")"), open < close else {
      return head.firstRange(of: "CREATE TABLE".utf8) != nil
    }
    return ColumnLayout(names: words[open + 1..<close].filter { $0 != "," }, isRising: { _ in true }) != nil
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    for byte in input { take(byte, into: &output) }
    if isLast, !(copied ?? []).isEmpty { endCopied(into: &output) }
    if isLast, hasRow { output.append(0x0A) }
  }

  private func take(_ byte: UInt8, into output: inout [UInt8]) {
    if copied != nil, byte != 0x0A {
      if copied?.count ?? 0 < Self.longestStatement { copied?.append(byte) }
      return
    }
    if byte == 0x0A {
      if copied != nil { endCopied(into: &output) }
      // Lines keep their numbers.
      output.append(0x0A)
      hasRow = false
      if comment == .line { comment = nil }
    }
    let before = last
    last = byte
    if let comment {
      if comment == .block, before == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { (self.comment, last) = (nil, 0) }
      return
    }
    if let mark = quote {
      if isEscaped {
        isEscaped = false
      } else if hasEscapes, byte == UInt8(ascii: "\\") {
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
    if before == UInt8(ascii: "-") && byte == before || before == UInt8(ascii: "/") && byte == UInt8(ascii: "*") {
      takeBack(before)
      (comment, last) = (byte == before ? .line : .block, 0)
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
      if !isInserting { create(into: &output) }
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

  /// Removes the first character of a comment's mark.
  private func takeBack(_ byte: UInt8) {
    if isInserting {
      if row.last?.last == byte { row[row.count - 1].removeLast() }
    } else if statement.last == byte {
      statement.removeLast()
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
    use(words, from: into + 1, into: &output)
  }

  /// Uses the rows of a statement, or does not, and writes the names before the first. The name of the table begins at `place`.
  private func use(_ words: [String], from place: Int, into output: inout [UInt8]) {
    let name = Self.name(words[place...])
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

  /// Writes a line behind `COPY`, or ends these lines.
  private func endCopied(into output: inout [UInt8]) {
    let line = copied?.last == 0x0D ? copied?.dropLast() : copied?[...]
    guard let line, !line.elementsEqual("\\.".utf8) else {
      copied = nil
      return
    }
    copied = []
    if line.isEmpty { return }
    row = line.split(separator: 0x09, omittingEmptySubsequences: false).map {
      $0.elementsEqual("\\N".utf8) ? [] : Array($0)
    }
    end(into: &output)
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

  /// Takes the columns of `CREATE TABLE`, or begins the lines of `COPY`.
  private func create(into output: inout [UInt8]) {
    let words = Self.words(statement)
    if words.first?.uppercased() == "COPY", words.last?.uppercased() == "STDIN", words.count > 2 {
      use(words, from: 1, into: &output)
      copied = []
    }
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
    let before = words[..<open].lastIndex { $0.uppercased() == "TABLE" || $0.uppercased() == "EXISTS" }
    names[Self.name(words[(before.map { $0 + 1 } ?? open - 1)...])] = columns
  }

  /// The name of a table at the beginning of these words, with that of its schema: `"public"."accel"` is three words.
  private static func name(_ words: ArraySlice<String>) -> String {
    var name = ""
    for word in words where word != "(" {
      if !name.isEmpty, !name.hasSuffix("."), !word.hasPrefix(".") { break }
      name += word
    }
    return name
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
