/// A colour of a cell: the terminal's own, or red, green and blue with the nearest of the sixteen ANSI colours.
///
/// The sixteen are given with each colour and not computed, since every terminal defines them in its own way.
package struct Colour: Hashable {
  /// Zero for the terminal's own colour; otherwise 24 bits of RGB below the ANSI number plus one.
  private let bits: UInt32

  /// The terminal's own colour.
  package static let own = Colour(bits: 0)

  private init(bits: UInt32) { self.bits = bits }

  /// A colour as `0xRRGGBB`.
  /// - Parameter ansi: its number among the sixteen colours, 0 to 15.
  package init(_ rgb: UInt32, ansi: UInt32) { bits = rgb & 0xFF_FFFF | (ansi & 15 + 1) << 24 }

  /// Whether it is the terminal's own.
  var isOwn: Bool { bits == 0 }
  /// Its number among the sixteen colours.
  package var ansi: Int { Int(bits >> 24) - 1 }
  /// Red, green and blue, 0 to 255.
  package var components: (red: Int, green: Int, blue: Int) {
    (Int(bits >> 16 & 255), Int(bits >> 8 & 255), Int(bits & 255))
  }

  /// Its number in the palette of xterm with 256 colours: the nearest of its cube of 6×6×6 and its 24 greys.
  var xterm: Int {
    let (red, green, blue) = components
    func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
    func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
      (r - red) * (r - red) + (g - green) * (g - green) + (b - blue) * (b - blue)
    }
    let (r, g, b) = (step(red), step(green), step(blue))
    let grey = min(max(((red + green + blue) / 3 - 3) / 10, 0), 23)
    let isGreyNearer = distance(8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey) < distance(level(r), level(g), level(b))
    return isGreyNearer ? 232 + grey : 16 + 36 * r + 6 * g + b
  }
}

package struct CellStyle: Hashable {
  /// The colour of the character.
  package var ink = Colour.own
  /// The colour behind it.
  package var paper = Colour.own
  package var isBold = false
  package var isFaint = false

  package init(ink: Colour = .own, paper: Colour = .own, isBold: Bool = false, isFaint: Bool = false) {
    (self.ink, self.paper, self.isBold, self.isFaint) = (ink, paper, isBold, isFaint)
  }

  /// The terminal's own.
  package static let plain = CellStyle()
  package static let strong = CellStyle(isBold: true)
  package static let faint = CellStyle(isFaint: true)
  package static let good = CellStyle(ink: Colour(0x2E_A043, ansi: 2))
  package static let warning = CellStyle(ink: Colour(0xD2_9922, ansi: 3))
  package static let bad = CellStyle(ink: Colour(0xD7_3A49, ansi: 1))
}

/// One column of one row of a screen.
package struct Cell: Hashable {
  /// A character of one scalar; ``Cell/rest`` in the second column of a wide one.
  package var glyph: Unicode.Scalar = " "
  package var style = CellStyle.plain

  package init(glyph: Unicode.Scalar = " ", style: CellStyle = .plain) { (self.glyph, self.style) = (glyph, style) }

  /// The second column of a wide character.
  package static let rest: Unicode.Scalar = "\0"
}

/// The cells of a screen. Everything outside of it is clipped.
package struct CellGrid: Hashable {
  package let width: Int
  package let height: Int
  package private(set) var cells: [Cell]

  package init(width: Int, height: Int) {
    (self.width, self.height) = (max(0, width), max(0, height))
    cells = Array(repeating: Cell(), count: self.width * self.height)
  }

  package subscript(column: Int, row: Int) -> Cell {
    get { cells[row * width + column] }
    set { cells[row * width + column] = newValue }
  }

  /// Writes a text from a column on, which may be outside of the screen. A wide character that would exceed either edge
  /// is omitted.
  package mutating func put(_ text: String, at column: Int, _ row: Int, _ style: CellStyle = .plain) {
    var column = column
    for character in text {
      let columns = ScreenText.columns(of: character)
      defer { column += columns }
      guard (0..<height).contains(row), column >= 0, column + columns <= width else { continue }
      for offset in 0..<columns {
        let glyph = offset == 0 ? character.unicodeScalars.first ?? " " : Cell.rest
        set(Cell(glyph: glyph, style: style), at: column + offset, row)
      }
    }
  }

  private mutating func set(_ cell: Cell, at column: Int, _ row: Int) {
    let index = row * width + column
    // The other half of a wide character is not shown without this one.
    if cells[index].glyph == Cell.rest, cell.glyph != Cell.rest, column > 0 { cells[index - 1].glyph = " " }
    if column + 1 < width, cells[index + 1].glyph == Cell.rest { cells[index + 1].glyph = " " }
    cells[index] = cell
  }

  /// The rows as text without trailing blanks, for tests and for terminals without attributes.
  package var lines: [String] {
    (0..<height).map { row in
      var text = String.UnicodeScalarView()
      for cell in cells[row * width..<(row + 1) * width] where cell.glyph != Cell.rest { text.append(cell.glyph) }
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }
}
