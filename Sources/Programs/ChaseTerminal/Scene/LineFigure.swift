import ChaseEngine
import ChaseScenery
import Terminals

/// A walker drawn with characters, for terminals that cannot show two pixels in a cell: without colours a picture of
/// pixels would be a heap of blocks.
struct LineFigure {
  /// The rows; blanks are transparent.
  let rows: [String]

  /// Draws it with its lower left corner at a cell.
  func draw(on grid: inout CellGrid, at column: Int, bottom: Int, _ style: CellStyle) {
    for (index, row) in rows.enumerated() {
      for (offset, glyph) in row.enumerated() where glyph != " " {
        grid.put(String(glyph), at: column + offset, bottom - rows.count + 1 + index, style, keepsPaper: true)
      }
    }
  }

  /// The figure of a walker.
  /// - Parameters:
  ///   - stride: the phase of the walk, in steps; `nil` for one who stands.
  ///   - scale: of the sprites: 0 small, 1 medium, more large.
  static func of(_ state: AppState, stride: Double?, scale: Int) -> LineFigure {
    let set = scale == 0 ? small : scale == 1 ? medium : large
    if state == .completed { return set.cheering }
    guard state == .inProgress, let stride else { return set.standing }
    return Int(stride * 2) & 1 == 0 ? set.striding : set.passing
  }

  private typealias Figures = (
    striding: LineFigure, passing: LineFigure, standing: LineFigure, cheering: LineFigure
  )

  private static let small: Figures = (
    LineFigure(rows: [" o ", "/ \\"]), LineFigure(rows: [" o ", " |\\"]), LineFigure(rows: [" o ", " | "]),
    LineFigure(rows: ["\\o/", "/ \\"])
  )

  private static let medium: Figures = (
    LineFigure(rows: ["   O", "  /|\\", " / | '", "  / \\", "_/   \\_"]),
    LineFigure(rows: ["   O", "   |\\", "   |/", "   |\\", "   | >"]),
    LineFigure(rows: ["   O", "  /|\\", "  \\|/", "  | |", "  | |_"]),
    LineFigure(rows: [" \\ O /", "  \\|/", "   |", "  / \\", "_/   \\_"])
  )

  private static let large: Figures = (
    LineFigure(rows: [
      "     .-.", "    (   )", "     `-'", "     /|\\", "    / | \\", "   /  |  \\_", "      |", "     / \\",
      "    /   \\", "   /     \\", " _/       \\_",
    ]),
    LineFigure(rows: [
      "     .-.", "    (   )", "     `-'", "      |\\", "      | \\", "      |_/", "      |", "      |\\", "      | \\",
      "      | /", "      |_'",
    ]),
    LineFigure(rows: [
      "     .-.", "    (   )", "     `-'", "     /|\\", "    | | |", "    | | |", "      |", "     / \\", "     | |",
      "     | |", "    _| |_",
    ]),
    LineFigure(rows: [
      "  \\  .-.  /", "   \\(   )/", "    \\`-'/", "     \\|/", "      |", "      |", "      |", "     / \\",
      "    /   \\", "   /     \\", " _/       \\_",
    ])
  )
}

extension ChaseScene {
  /// The walkers as lines.
  func drawFigures(on grid: inout CellGrid, rows: Range<Int>, _ layout: Layout) {
    let bottom = { (feet: Int) in min(rows.lowerBound + feet / 2, rows.upperBound - 1) }
    for (index, companion) in lanes.reversed() {
      guard let x = column(of: companion, layout) else { continue }
      let phase = stride.map { $0 + 0.5 * Double(index + 1) }
      LineFigure.of(companion.state, stride: phase, scale: layout.scale).draw(
        on: &grid, at: x, bottom: bottom(feet(of: index, layout)),
        CellStyle(ink: Material.colours[Int(Material.shirts[index % Material.shirts.count].rawValue)]))
    }
    guard state != .caught else { return }
    LineFigure.of(state, stride: stride, scale: layout.scale).draw(
      on: &grid, at: layout.walker, bottom: bottom(layout.feet),
      CellStyle(ink: Material.colours[Int(Material.shirt.rawValue)], isBold: true))
  }
}
