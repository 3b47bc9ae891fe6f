/// A model of a terminal's screen: supports the part of ECMA-48 that a well-behaved full-screen program needs, and
/// records everything else.
public struct ScreenModel: Sendable, CustomStringConvertible {
  /// A character and its appearance.
  public struct Cell: Sendable, Hashable {
    public var character: Character = " "
    public var pen = Pen()

    /// The second column of a wide character.
    static let rest: Character = "\0"
  }

  /// Colours as SGR parameters, such as `38;5;29`; empty for the terminal's own.
  public struct Pen: Sendable, Hashable {
    public var ink = ""
    public var paper = ""
    public var isBold = false
    public var isFaint = false

    /// The terminal's own.
    public init() {}
  }

  /// Columns.
  public private(set) var width: Int
  /// Rows.
  public private(set) var height: Int
  /// Whether the alternate screen is active.
  public private(set) var isAlternate = false
  /// Whether the cursor is visible.
  public private(set) var hasCursor = true
  /// Whether a full line continues in the next one.
  public private(set) var wraps = true
  /// Unsupported sequences, and output outside of the screen. After a change of the size, a program may still draw for the
  /// former one until it clears the screen.
  public private(set) var unexpectedOutput: [String] = []
  /// Whether any colour or weight was used.
  public private(set) var hasAttributes = false
  /// The appearance of the next character.
  public private(set) var pen = Pen()
  /// Whether a frame is being drawn (synchronized output): what is there now is only a part of it.
  public private(set) var isDrawing = false
  /// How often the whole screen was cleared.
  public private(set) var clearings = 0

  /// The rows.
  public private(set) var cells: [[Cell]] = []
  private var mainCells: [[Cell]] = []
  private var (row, column) = (0, 0)
  private var mainCursor = (row: 0, column: 0)
  /// The cursor is after the last column, where it stays until the next character.
  private var isPastEnd = false
  private var waiting: [UInt8] = []
  /// The size before the last change, until the program clears the screen.
  private var formerSize: (width: Int, height: Int)?

  /// An empty screen.
  public init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    cells = Self.blank(width, height)
  }

  public var description: String { lines.joined(separator: "\n") }

  /// The lines without trailing blanks; as many as there are rows.
  public var lines: [String] {
    cells.map { line in
      var text = String(line.map(\.character).filter { $0 != Cell.rest })
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// Changes the size; the contents are kept as far as they fit.
  public mutating func resize(width: Int, height: Int) {
    func fitted(_ cells: [[Cell]]) -> [[Cell]] {
      (0..<height).map { row in
        let line = row < cells.count ? cells[row] : []
        return Array(line.prefix(width)) + Array(repeating: Cell(), count: max(0, width - line.count))
      }
    }
    cells = fitted(cells)
    mainCells = fitted(mainCells)
    formerSize = (self.width, self.height)
    (self.width, self.height) = (width, height)
    (row, column, isPastEnd) = (min(row, height - 1), min(column, width - 1), false)
  }

  /// Processes a program's output. An incomplete sequence or character waits for its rest.
  public mutating func write(_ bytes: some Sequence<UInt8>) {
    waiting += bytes
    while let first = waiting.first {
      guard let length = Self.length(of: waiting) else { return }
      let token = Array(waiting.prefix(length))
      waiting.removeFirst(length)
      first == 0x1B ? obey(token) : put(token)
    }
  }

  /// The length of the first sequence or character; `nil` if it is incomplete.
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
    case _ where token[0] < 0x20: unexpectedOutput.append("control \(token[0])")
    default:
      for character in String(decoding: token, as: UTF8.self) { put(character) }
    }
  }

  private mutating func put(_ character: Character) {
    if isPastEnd, wraps {
      column = 0
      feedLine()
    }
    cells[row][column] = Cell(character: character, pen: pen)
    if Self.isWide(character), column < width - 1 {
      column += 1
      cells[row][column] = Cell(character: Cell.rest, pen: pen)
    }
    isPastEnd = column == width - 1
    column = min(column + 1, width - 1)
  }

  /// The scripts and pictures that tests use; not the whole table of Unicode.
  private static func isWide(_ character: Character) -> Bool {
    guard let value = character.unicodeScalars.first?.value else { return false }
    return (0x1100...0x115F).contains(value) || (0x2E80...0xA4CF).contains(value) || (0xAC00...0xD7A3).contains(value)
      || (0xFF01...0xFF60).contains(value) || (0x1F300...0x1FAFF).contains(value)
  }

  /// Erased cells have the colour behind the text.
  private var blank: Cell {
    var cell = Cell()
    cell.pen.paper = pen.paper
    return cell
  }

  /// Select graphic rendition (ECMA-48, 8.3.117).
  private mutating func select(_ numbers: [Int]) {
    var rest = numbers.isEmpty ? [0] : numbers
    while !rest.isEmpty {
      let number = rest.removeFirst()
      switch number {
      case 0: pen = Pen()
      case 1: pen.isBold = true
      case 2: pen.isFaint = true
      case 22: (pen.isBold, pen.isFaint) = (false, false)
      case 30...37, 90...97: pen.ink = "\(number)"
      case 39: pen.ink = ""
      case 40...47, 100...107: pen.paper = "\(number)"
      case 49: pen.paper = ""
      case 38, 48:
        let count = rest.first == 5 ? 2 : 4
        let text = ([number] + rest.prefix(count)).map(String.init).joined(separator: ";")
        rest.removeFirst(min(count, rest.count))
        if number == 38 { pen.ink = text } else { pen.paper = text }
      default: unexpectedOutput.append("SGR \(number)")
      }
    }
  }

  private mutating func feedLine() {
    isPastEnd = false
    if row < height - 1 {
      row += 1
    } else {
      cells.removeFirst()
      cells.append(Array(repeating: Cell(), count: width))
      if isAlternate { unexpectedOutput.append("scrolled") }
    }
  }

  private mutating func obey(_ token: [UInt8]) {
    let text = String(decoding: token.dropFirst(2), as: UTF8.self)
    let numbers = text.dropLast().split(separator: ";").map { Int($0) ?? 0 }
    switch (text, text.last) {
    case ("?25h", _), ("?25l", _): hasCursor = text.hasSuffix("h")
    case ("?7h", _), ("?7l", _): wraps = text.hasSuffix("h")
    case ("?2026h", _), ("?2026l", _): isDrawing = text.hasSuffix("h")
    case ("?1049h", _), ("?1049l", _): show(alternate: text.hasSuffix("h"))
    case (_, "m"):
      hasAttributes = hasAttributes || numbers.contains { $0 != 0 }
      select(numbers)
    case ("2J", _):
      cells = Array(repeating: Array(repeating: blank, count: width), count: height)
      clearings += 1
      formerSize = nil
    // Also if the cursor waits after the last column: then the last character is erased, as in xterm.
    case ("K", _): for index in column..<width { cells[row][index] = blank }
    case ("J", _):
      for index in column..<width { cells[row][index] = blank }
      for index in row + 1..<max(row + 1, height) { cells[index] = Array(repeating: blank, count: width) }
    case (_, "A"): move(to: row - (numbers.first ?? 1), column)
    case (_, "B"): move(to: row + (numbers.first ?? 1), column)
    case (_, "C"): move(to: row, column + (numbers.first ?? 1))
    case (_, "H"):
      move(to: (numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
    default: unexpectedOutput.append("ESC " + String(decoding: token.dropFirst(), as: UTF8.self))
    }
  }

  private mutating func move(to row: Int, _ column: Int) {
    let (right, bottom) = (max(width, formerSize?.width ?? 0), max(height, formerSize?.height ?? 0))
    if !(0..<bottom).contains(row) || column >= right { unexpectedOutput.append("cursor at \(row + 1);\(column + 1)") }
    (self.row, self.column, isPastEnd) = (min(max(row, 0), height - 1), min(column, width - 1), false)
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

  private static func blank(_ width: Int, _ height: Int) -> [[Cell]] {
    Array(repeating: Array(repeating: Cell(), count: width), count: height)
  }
}
