/// Digits that are several rows high.
///
/// With Unicode each is a picture of 3×5 pixels, two pixels in a cell; in ASCII each is made of seven segments.
package enum BigDigits {
  package static let height = 3

  package static func columns(_ text: String) -> Int { max(0, text.reduce(0) { $0 + columns(of: $1) + 1 } - 1) }

  /// Draws digits, points, colons, slashes and blanks; anything else is blank.
  package static func draw(
    _ text: String, on grid: inout CellGrid, at column: Int, _ row: Int, _ style: CellStyle, isUnicode: Bool
  ) {
    var column = column
    for character in text {
      let lines = isUnicode ? pixels(of: character) : segments[character] ?? []
      for (index, line) in lines.enumerated() {
        for (offset, glyph) in line.enumerated() where glyph != " " {
          grid.put(String(glyph), at: column + offset, row + index, style)
        }
      }
      column += columns(of: character) + 1
    }
  }

  private static func columns(of character: Character) -> Int { ".: ".contains(character) ? 1 : 3 }

  /// The picture of a character, as rows of cells.
  private static func pixels(of character: Character) -> [String] {
    guard let picture = pictures[character] else { return [] }
    let width = columns(of: character)
    let isSet = { (x: Int, y: Int) in y < 5 && picture[y] & 1 << (width - 1 - x) != 0 }
    return (0..<height).map { row in
      String(
        (0..<width).map { x -> Character in
          switch (isSet(x, 2 * row), isSet(x, 2 * row + 1)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
    }
  }

  /// Five rows of bits each.
  private static let pictures: [Character: [Int]] = [
    "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7], "4": [5, 5, 7, 1, 1],
    "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 1, 1], "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
    "-": [0, 0, 7, 0, 0], ".": [0, 0, 0, 0, 1], ":": [0, 1, 0, 1, 0], " ": [0, 0, 0, 0, 0],
  ]

  private static let segments: [Character: [String]] = [
    "0": [" _ ", "| |", "|_|"], "1": ["   ", "  |", "  |"], "2": [" _ ", " _|", "|_ "], "3": [" _ ", " _|", " _|"],
    "4": ["   ", "|_|", "  |"], "5": [" _ ", "|_ ", " _|"], "6": [" _ ", "|_ ", "|_|"], "7": [" _ ", "  |", "  |"],
    "8": [" _ ", "|_|", "|_|"], "9": [" _ ", "|_|", " _|"], "-": ["   ", " _ ", "   "], ".": [" ", " ", "."],
    ":": [" ", ".", "."],
  ]
}
