/// What a terminal shows: understands as much of ECMA-48 as a well-behaved full-screen program needs, and keeps a list of
/// everything else.
public struct ScreenModel: Sendable {
  /// Columns.
  public private(set) var width: Int
  /// Rows.
  public private(set) var height: Int
  /// Whether the second screen is shown.
  public private(set) var isAlternate = false
  /// Whether the cursor is shown.
  public private(set) var hasCursor = true
  /// Whether a line that is full goes on in the next one.
  public private(set) var wraps = true
  /// Sequences that were not understood, and what was written outside of the screen.
  public private(set) var oddities: [String] = []
  /// Whether any colour or weight was asked for.
  public private(set) var hasAttributes = false
  /// How often the whole screen was cleared.
  public private(set) var clearings = 0

  private var cells: [[Character]] = []
  private var mainCells: [[Character]] = []
  private var (row, column) = (0, 0)
  private var mainCursor = (row: 0, column: 0)
  /// The cursor stands behind the last column, which is where it is until the next character.
  private var isPastEnd = false
  private var waiting: [UInt8] = []

  /// A blank screen.
  public init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    cells = Self.blank(width, height)
  }

  /// The lines, without blanks at their ends; as many as there are rows.
  public var lines: [String] {
    cells.map { line in
      var text = String(line)
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// The terminal has another size now; what was there is kept as far as it fits.
  public mutating func resize(width: Int, height: Int) {
    func fitted(_ cells: [[Character]]) -> [[Character]] {
      (0..<height).map { row in
        let line = row < cells.count ? cells[row] : []
        return Array(line.prefix(width)) + Array(repeating: " ", count: max(0, width - line.count))
      }
    }
    cells = fitted(cells)
    mainCells = fitted(mainCells)
    (self.width, self.height) = (width, height)
    (row, column, isPastEnd) = (min(row, height - 1), min(column, width - 1), false)
  }

  /// Takes what a program writes. A sequence or character that is torn apart waits for its rest.
  public mutating func write(_ bytes: some Sequence<UInt8>) {
    waiting += bytes
    while let first = waiting.first {
      guard let length = Self.length(of: waiting) else { return }
      let token = Array(waiting.prefix(length))
      waiting.removeFirst(length)
      first == 0x1B ? obey(token) : put(token)
    }
  }

  /// How long the sequence or character at the beginning is; `nil` when it is not complete.
  private static func length(of bytes: [UInt8]) -> Int? {
    switch bytes[0] {
    case 0x1B:
      guard bytes.count > 1 else { return nil }
      guard bytes[1] == UInt8(ascii: "[") else { return 2 }
      return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    case ..<0x80: return 1
    case let lead:
      let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
      return bytes.count >= length ? length : nil
    }
  }

  private mutating func put(_ token: [UInt8]) {
    switch token {
    case [0x0D]: (column, isPastEnd) = (0, false)
    case [0x0A]: feedLine()
    case _ where token[0] < 0x20: oddities.append("control \(token[0])")
    default:
      for character in String(decoding: token, as: UTF8.self) { put(character) }
    }
  }

  private mutating func put(_ character: Character) {
    if isPastEnd, wraps {
      column = 0
      feedLine()
    }
    cells[row][column] = character
    isPastEnd = column == width - 1
    column = min(column + 1, width - 1)
  }

  private mutating func feedLine() {
    isPastEnd = false
    if row < height - 1 {
      row += 1
    } else {
      cells.removeFirst()
      cells.append(Array(repeating: " ", count: width))
      if isAlternate { oddities.append("scrolled") }
    }
  }

  private mutating func obey(_ token: [UInt8]) {
    let text = String(decoding: token.dropFirst(2), as: UTF8.self)
    let numbers = text.dropLast().split(separator: ";").map { Int($0) ?? 0 }
    switch (text, text.last) {
    case ("?25h", _), ("?25l", _): hasCursor = text.hasSuffix("h")
    case ("?7h", _), ("?7l", _): wraps = text.hasSuffix("h")
    case ("?1049h", _), ("?1049l", _): show(alternate: text.hasSuffix("h"))
    case (_, "m"): hasAttributes = hasAttributes || numbers.contains { $0 != 0 }
    case ("2J", _):
      cells = Self.blank(width, height)
      clearings += 1
    // Also where the cursor waits behind the last column: then the last character goes, as on xterm.
    case ("K", _): for index in column..<width { cells[row][index] = " " }
    case (_, "H"):
      (row, column, isPastEnd) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1, false)
      if row >= height || column >= width {
        oddities.append("cursor at \(row + 1);\(column + 1)")
        (row, column) = (min(row, height - 1), min(column, width - 1))
      }
    default: oddities.append("ESC " + String(decoding: token.dropFirst(), as: UTF8.self))
    }
  }

  private mutating func show(alternate: Bool) {
    guard alternate != isAlternate else { return }
    isAlternate = alternate
    if alternate {
      mainCells = cells
      mainCursor = (row, column)
      cells = Self.blank(width, height)
    } else {
      cells = mainCells
      (row, column, isPastEnd) = (min(mainCursor.row, height - 1), min(mainCursor.column, width - 1), false)
    }
  }

  private static func blank(_ width: Int, _ height: Int) -> [[Character]] {
    Array(repeating: Array(repeating: " ", count: width), count: height)
  }
}
