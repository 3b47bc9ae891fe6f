import Accelerometry

/// Takes a line of words and numbers apart: each number with the words in front of it and the unit behind it.
struct LineItems {
  /// A number with the text before and after it.
  struct Item: Equatable {
    var words: [String]
    var text: Range<Int>
    var unit: AccelerationUnit?
    var unitOfTime: String?
    /// Whether it is a time of day, possibly with a date.
    var isClock = false
  }

  /// The first numbers of a line and their names.
  static func of(_ line: [UInt8], most: Int) -> [Item] {
    var all = LineItems(line)
    while all.place < line.count, all.items.count < most { all.takeNext() }
    return all.items
  }

  private let line: [UInt8]
  private var items: [Item] = []
  private var place = 0
  /// The words since the last number.
  private var words: [String] = []
  private var word: [UInt8] = []
  /// Whether the word stands behind an equals sign.
  private var isValue = false
  /// The unit in brackets in front of numbers.
  private var unit: AccelerationUnit?

  private static let truths: Set = ["t", "true", "f", "false"]
  private static let longestTime = 48

  private init(_ line: [UInt8]) { self.line = line }

  private func isDigit(_ place: Int) -> Bool { place < line.count && line[place] &- 0x30 <= 9 }
  private func isPoint(_ place: Int) -> Bool { place < line.count && line[place] == UInt8(ascii: ".") }

  private mutating func takeNext() {
    let byte = line[place]
    if "[(".utf8.contains(byte), takeBrackets() { return }
    let isSigned = "-+".utf8.contains(byte) && (isDigit(place + 1) || isPoint(place + 1) && isDigit(place + 2))
    if word.isEmpty, isDigit(place) || isSigned || isPoint(place) && isDigit(place + 1) { return takeNumber() }
    let isLetter = byte | 0x20 &- 0x61 < 26 || byte >= 0x80 || byte == UInt8(ascii: "_")
    if isLetter || (!word.isEmpty && isDigit(place)) {
      if word.isEmpty { isValue = place > 0 && line[place - 1] == UInt8(ascii: "=") }
      word.append(byte)
    } else {
      endWord()
    }
    place += 1
  }

  private mutating func endWord() {
    defer { word.removeAll() }
    guard !word.isEmpty else { return }
    let text = String(decoding: word, as: UTF8.self)
    // True and false are not numbers, so the name in front of them is dropped, too.
    if isValue, Self.truths.contains(text.lowercased()) { _ = words.popLast() } else { words.append(text) }
  }

  /// Takes brackets with a time or a unit of acceleration in them.
  private mutating func takeBrackets() -> Bool {
    if line[place] == UInt8(ascii: "["), let time = timeInBrackets() {
      endWord()
      items.append(Item(words: words, text: time, isClock: true))
      words.removeAll()
      place = time.upperBound + 1
      return true
    }
    guard let end = line[place...].prefix(ColumnName.longestUnit).firstIndex(where: { "])".utf8.contains($0) }),
      let unit = ColumnName.unit(inBrackets: String(decoding: line[(place + 1)..<end], as: UTF8.self))
    else { return false }
    endWord()
    (self.unit, place) = (unit, end + 1)
    return true
  }

  private func timeInBrackets() -> Range<Int>? {
    guard let end = line[place...].prefix(Self.longestTime).firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let inner = place + 1..<end
    if DateTimeText.parseDateAndTime(line.span, inner) != nil { return inner }
    // Unix time behind a level, as ROS writes it: `[INFO] [1777882500.020]: x: …`.
    let isNumber = { (range: Range<Int>) in
      line[range].allSatisfy { $0 &- 0x30 <= 9 || $0 == 0x2E } && line[range].count { $0 == 0x2E } == 1
    }
    if inner.count > 10, isPoint(place + 11), isNumber(inner) { return inner }
    // Seconds since boot in front of a line, as the kernel writes them: `[  123.456789] lis3: x=…`.
    guard place == 0, let first = inner.first(where: { line[$0] != 0x20 }), isNumber(first..<end), end + 1 < line.count,
      line[end + 1] == 0x20
    else { return nil }
    return first..<end
  }

  private mutating func takeNumber() {
    let start = place
    let date = isDigit(place) ? DateTimeText.lengthOfMoment(line[place...]) : nil
    place += date ?? 1
    while date == nil, place < line.count {
      let isExponent = line[place] | 0x20 == UInt8(ascii: "e") && (isDigit(place + 1) || isDigit(place + 2))
      let isColon = line[place] == UInt8(ascii: ":") && isDigit(place + 1) && place - start <= 10
      guard isDigit(place) || isPoint(place) || isColon || isExponent else { break }
      place += isExponent ? 2 : 1
    }
    var item = Item(words: words, text: start..<place, unit: unit)
    item.isClock = date != nil || line[start..<place].contains(UInt8(ascii: ":"))
    words.removeAll()
    takeUnit(&item)
    items.append(item)
  }

  /// Takes the unit directly after a number, which is not the name of the next one.
  private mutating func takeUnit(_ item: inout Item) {
    let start: Int = line[place...].firstIndex { $0 != 0x20 } ?? line.count
    // A longer word is not a unit. Without the limit, numbers without blanks between them would take quadratic time.
    let word = line[start...].prefix(ColumnName.longestUnit).prefix { !" ,;})]\t\r".utf8.contains($0) }
    let text = String(decoding: word, as: UTF8.self)
    let isAttached = start == place
    if let known = ColumnName.unit(inBrackets: text) {
      item.unit = known
    } else if isAttached, ["ns", "us", "ms"].contains(text) {
      item.unitOfTime = text
    } else if !(text.first == "°" || ["rad/s", "dps", "degC"].contains(text)
      // An integer of InfluxDB's line protocol, or a constant of C: `0.12f`.
      || isAttached && ["i", "u", "f", "F"].contains(text))
    {
      return
    }
    place = word.endIndex
  }
}
