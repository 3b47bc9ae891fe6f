/// A picture of a few rows below the text of a terminal, redrawn in place: only the cells that changed, without the
/// alternate screen.
///
/// It is a pure value that gives bytes. Between two pictures the cursor waits after the text of the last row, so that
/// a shell continues below it. The picture must be narrower than the terminal.
package struct InPlaceScreen {
  private let encoder: ScreenEncoder
  /// The picture on the terminal; `nil` if there is none.
  private var shown: CellGrid?

  /// No picture yet.
  package init(depth: ColourDepth) { encoder = ScreenEncoder(depth: depth, isInPlace: true) }

  /// The bytes that show a picture. One of another height replaces the former one.
  package mutating func bytes(showing grid: CellGrid) -> [UInt8] {
    guard grid.height > 0 else { return erasing() }
    var bytes: [UInt8] = []
    if let shown, (shown.width, shown.height) != (grid.width, grid.height) { bytes = erasing() }
    if shown == nil { bytes += Array(("\r\u{1B}[J" + String(repeating: "\n", count: grid.height - 1)).utf8) }
    bytes += encoder.bytes(from: shown ?? CellGrid(width: grid.width, height: grid.height), to: grid)
    shown = grid
    return bytes.isEmpty ? [] : ScreenEncoder.frame(of: bytes)
  }

  /// The bytes that erase the picture; the cursor is then where its first row was.
  package mutating func erasing() -> [UInt8] {
    guard let rows = shown?.height else { return [] }
    shown = nil
    return Array(("\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\u{1B}[J").utf8)
  }

  /// Forgets the picture: it stays, and the next one is drawn below it.
  package mutating func abandon() { shown = nil }
}
