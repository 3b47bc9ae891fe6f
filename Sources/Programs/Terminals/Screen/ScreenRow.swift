/// One row of text on a screen: pieces in columns.
package struct ScreenRow {
  private var pieces: [(column: Int, text: String, style: CellStyle)] = []
  /// The number of columns up to the end of the last piece.
  package private(set) var width = 0

  package init() {}

  package init(_ text: String, _ style: CellStyle = .plain) { put(text, at: 0, style) }

  package mutating func put(_ text: String, at column: Int, _ style: CellStyle = .plain) {
    pieces.append((column, text, style))
    width = max(width, column + ScreenText.columns(text))
  }

  /// Adds a text after the last one.
  package mutating func append(_ text: String, _ style: CellStyle = .plain) { put(text, at: width, style) }

  package func draw(on grid: inout CellGrid, row: Int) {
    for piece in pieces { grid.put(piece.text, at: piece.column, row, piece.style) }
  }
}
