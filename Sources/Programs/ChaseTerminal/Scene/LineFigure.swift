import ChaseEngine
import ChaseScenery
import Terminals

/// Walkers drawn with characters, for terminals that cannot show two pixels in a cell: without colours a picture of
/// pixels would be a heap of blocks.
enum LineFigure {
  /// The rows of a walker; blanks are transparent.
  /// - Parameters:
  ///   - stride: the phase of the walk, in steps; `nil` for one who stands.
  ///   - scale: of the sprites: 0 small, 1 medium, more large.
  static func rows(of state: AppState, stride: Double?, scale: Int) -> [String] {
    let set = scale == 0 ? small : scale == 1 ? medium : large
    if state == .completed { return set.cheering }
    guard state == .inProgress, let stride else { return set.standing }
    return Int(stride * 2) & 1 == 0 ? set.striding : set.passing
  }

  private typealias Figures = (striding: [String], passing: [String], standing: [String], cheering: [String])

  private static let small: Figures = (
    [" o ", "/ \\"], [" o ", " |\\"], [" o ", " | "],
    ["\\o/", "/ \\"]
  )

  private static let medium: Figures = (
    ["   O", "  /|\\", " / | '", "  / \\", "_/   \\_"],
    ["   O", "   |\\", "   |/", "   |\\", "   | >"],
    ["   O", "  /|\\", "  \\|/", "  | |", "  | |_"],
    [" \\ O /", "  \\|/", "   |", "  / \\", "_/   \\_"]
  )

  private static let large: Figures = (
    [
      "     .-.", "    (   )", "     `-'", "     /|\\", "    / | \\", "   /  |  \\_", "      |", "     / \\",
      "    /   \\", "   /     \\", " _/       \\_",
    ],
    [
      "     .-.", "    (   )", "     `-'", "      |\\", "      | \\", "      |_/", "      |", "      |\\", "      | \\",
      "      | /", "      |_'",
    ],
    [
      "     .-.", "    (   )", "     `-'", "     /|\\", "    | | |", "    | | |", "      |", "     / \\", "     | |",
      "     | |", "    _| |_",
    ],
    [
      "  \\  .-.  /", "   \\(   )/", "    \\`-'/", "     \\|/", "      |", "      |", "      |", "     / \\",
      "    /   \\", "   /     \\", " _/       \\_",
    ]
  )
}

extension ChaseScene {
  /// The walkers as lines.
  func drawFigures(on grid: inout CellGrid, rows: Range<Int>, _ layout: Layout) {
    func draw(_ figure: [String], at column: Int, feet: Int, _ material: Material, isBold: Bool = false) {
      let style = CellStyle(ink: Material.colours[Int(material.rawValue)], isBold: isBold)
      let bottom = min(rows.lowerBound + feet / 2, rows.upperBound - 1)
      for (index, row) in figure.enumerated() {
        for (offset, glyph) in row.enumerated() where glyph != " " {
          grid.put(String(glyph), at: column + offset, bottom - figure.count + 1 + index, style, keepsPaper: true)
        }
      }
    }
    for (index, companion) in lanes.reversed() {
      guard let x = column(of: companion, layout) else { continue }
      let phase = stride.map { $0 + 0.5 * Double(index + 1) }
      draw(
        LineFigure.rows(of: companion.state, stride: phase, scale: layout.scale), at: x, feet: feet(of: index, layout),
        Material.shirts[index % Material.shirts.count])
    }
    guard state != .caught else { return }
    draw(
      LineFigure.rows(of: state, stride: stride, scale: layout.scale), at: layout.walker, feet: layout.feet, .shirt,
      isBold: true)
  }
}
