/// The number of colours of a terminal.
package enum ColourDepth: CaseIterable {
  /// No attributes at all, as with NO_COLOR and on terminals that may lack them.
  case none
  /// The sixteen colours of ECMA-48 and aixterm.
  case sixteen
  /// The palette of xterm.
  case palette
  /// Red, green and blue.
  case direct
}

/// The bytes that turn one picture on a terminal into another: only the cells that changed.
///
/// The pen is the terminal's own before and after.
struct ScreenEncoder {
  let depth: ColourDepth
  /// Whether the picture is a part of the screen: the cursor moves relative to its place, which is in the last row
  /// before and after, there after the text. The former picture must be known.
  var isInPlace = false

  /// The bytes.
  /// - Parameters:
  ///   - old: the picture on the terminal; `nil` if unknown, which clears it. Also cleared if the sizes differ.
  ///   - new: the next one.
  func bytes(from old: CellGrid?, to new: CellGrid) -> [UInt8] {
    var run = Run(depth: depth, row: isInPlace ? new.height - 1 : nil)
    var base = CellGrid(width: new.width, height: new.height)
    if let old, (old.width, old.height) == (new.width, new.height) {
      base = old
    } else {
      run.add("\u{1B}[0m\u{1B}[2J")
    }
    for row in 0..<new.height { encode(row: row, from: base, to: new, in: &run) }
    run.finish()
    if isInPlace, !run.bytes.isEmpty { run.move(to: Self.end(of: new), new.height - 1) }
    return run.bytes
  }

  /// The bytes as one frame: a terminal with synchronized output (private mode 2026) shows all of them at once, so that no
  /// half-drawn picture is seen, however they are divided on their way. Others ignore the mode.
  static func frame(of bytes: [UInt8]) -> [UInt8] { Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8) }

  /// The column after the text of the last row.
  private static func end(of grid: CellGrid) -> Int {
    let row = grid.cells.suffix(grid.width)
    let last = row.lastIndex { $0.glyph != " " }.map { $0 - row.startIndex + 1 } ?? 0
    return min(last, grid.width - 1)
  }

  private func encode(row: Int, from old: CellGrid, to new: CellGrid, in run: inout Run) {
    let first = row * new.width
    var column = 0
    /// The column of the cursor in this row; `nil` if it is elsewhere.
    var cursor: Int?
    while column < new.width {
      guard differs(old.cells[first + column], new.cells[first + column]) else {
        column += 1
        continue
      }
      // A wide character is written from its first column.
      if new.cells[first + column].glyph == Cell.rest, column > 0 { column -= 1 }
      if cursor != column { run.move(to: column, row) }
      let isBlank = new.cells[(first + column)..<(first + new.width)].allSatisfy { $0 == Cell() }
      if isBlank, new.width - column > 3 {
        run.eraseLine()
        return
      }
      run.put(new.cells[first + column])
      let isWide = column + 1 < new.width && new.cells[first + column + 1].glyph == Cell.rest
      // Terminals disagree about the width of such characters, so the cursor is placed again.
      cursor = isWide ? nil : column + 1
      column += isWide ? 2 : 1
    }
  }

  /// Whether they look different with these colours.
  private func differs(_ a: Cell, _ b: Cell) -> Bool {
    a != b && (a.glyph != b.glyph || Pen(a.style, depth) != Pen(b.style, depth))
  }
}

/// A style as a terminal with few colours shows it.
private struct Pen: Hashable {
  /// −1 for the terminal's own colour.
  var ink = -1
  var paper = -1
  var isBold = false
  var isFaint = false

  init() {}

  init(_ style: CellStyle, _ depth: ColourDepth) {
    if depth == .none { return }
    ink = Self.number(style.ink, depth)
    paper = Self.number(style.paper, depth)
    (isBold, isFaint) = (style.isBold, style.isFaint)
  }

  private static func number(_ colour: Colour, _ depth: ColourDepth) -> Int {
    if colour.isOwn { return -1 }
    switch depth {
    case .none: return -1
    case .sixteen: return colour.ansi
    case .palette: return colour.xterm
    case .direct:
      let (red, green, blue) = colour.components
      return red << 16 | green << 8 | blue
    }
  }
}

/// The bytes of one picture and the state of the pen.
private struct Run {
  let depth: ColourDepth
  var bytes: [UInt8] = []
  private var pen = Pen()
  /// The last style, whose pen is ``pen``: most cells have the style of their neighbour.
  private var style = CellStyle.plain
  /// The row of the cursor for relative moves; `nil` for absolute ones.
  private var row: Int?

  init(depth: ColourDepth, row: Int? = nil) { (self.depth, self.row) = (depth, row) }

  mutating func add(_ text: String) { bytes += text.utf8 }

  mutating func move(to column: Int, _ row: Int) {
    guard let from = self.row else { return add("\u{1B}[\(row + 1);\(column + 1)H") }
    self.row = row
    add("\r")
    if row != from { add("\u{1B}[\(abs(row - from))\(row < from ? "A" : "B")") }
    if column > 0 { add("\u{1B}[\(column)C") }
  }

  /// Erases the rest of the row; the erased cells get the colour of the pen.
  mutating func eraseLine() {
    use(.plain)
    add("\u{1B}[K")
  }

  mutating func put(_ cell: Cell) {
    if cell.style != style { use(cell.style) }
    bytes += UTF8.encode(cell.glyph == Cell.rest ? " " : cell.glyph)!
  }

  mutating func finish() { use(.plain) }

  /// Changes the pen by as few parameters as possible (ECMA-48, 8.3.117).
  private mutating func use(_ next: CellStyle) {
    style = next
    let wanted = Pen(next, depth)
    guard wanted != pen else { return }
    defer { pen = wanted }
    if wanted == Pen() { return add("\u{1B}[0m") }
    var parameters: [String] = []
    if pen.isBold && !wanted.isBold || pen.isFaint && !wanted.isFaint {
      parameters.append("22")
      (pen.isBold, pen.isFaint) = (false, false)
    }
    if wanted.isBold, !pen.isBold { parameters.append("1") }
    if wanted.isFaint, !pen.isFaint { parameters.append("2") }
    if wanted.ink != pen.ink { parameters.append(colour(wanted.ink, 30)) }
    if wanted.paper != pen.paper { parameters.append(colour(wanted.paper, 40)) }
    add("\u{1B}[" + parameters.joined(separator: ";") + "m")
  }

  private func colour(_ number: Int, _ base: Int) -> String {
    if number < 0 { return "\(base + 9)" }
    return switch depth {
    case .none: "\(base + 9)"
    case .sixteen: "\(number < 8 ? base + number : base + 52 + number)"
    case .palette: "\(base + 8);5;\(number)"
    case .direct: "\(base + 8);2;\(number >> 16);\(number >> 8 & 255);\(number & 255)"
    }
  }
}
