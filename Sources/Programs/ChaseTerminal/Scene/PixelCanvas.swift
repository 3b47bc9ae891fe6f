import ChaseScenery
import Terminals

extension Material {
  /// The colours of a terminal in the order of the cases; their values are in ChaseScenery.
  static let colours: [Colour] = allCases.map { Colour($0.colour.rgb, ansi: $0.colour.ansi) }
}

/// A picture of square pixels, two in each cell of a terminal: the upper and the lower half.
struct PixelCanvas {
  let width: Int
  /// Twice the number of rows.
  let height: Int
  private var pixels: [Material]

  /// A picture of the sky's first colour.
  init(width: Int, rows: Int) {
    (self.width, height) = (max(0, width), max(0, rows) * 2)
    pixels = Array(repeating: .sky0, count: self.width * height)
  }

  /// A pixel; those outside of the picture are clipped.
  subscript(x: Int, y: Int) -> Material {
    get { pixels[y * width + x] }
    set { if x >= 0, x < width, y >= 0, y < height { pixels[y * width + x] = newValue } }
  }

  mutating func fill(rows: Range<Int>, _ material: Material) {
    let rows = rows.clamped(to: 0..<height)
    for index in rows.lowerBound * width..<rows.upperBound * width { pixels[index] = material }
  }

  mutating func fill(column: Int, rows: Range<Int>, _ material: Material) {
    guard column >= 0, column < width else { return }
    for y in rows.clamped(to: 0..<height) { pixels[y * width + column] = material }
  }

  /// Draws a sprite with its lower left corner at a pixel, each of its pixels as a square of `scale`.
  /// - Parameter above: rows from this one on are not drawn, as for a swimmer below the water.
  mutating func draw(_ sprite: Sprite, x: Int, bottom: Int, scale: Int = 1, above: Int = .max) {
    let top = bottom - sprite.height * scale + 1
    for row in 0..<sprite.height * scale where top + row < above {
      for column in 0..<sprite.width * scale {
        if let material = sprite.pixels[row / scale * sprite.width + column / scale] {
          self[x + column, top + row] = material
        }
      }
    }
  }

  /// Draws the upper half of an ellipse that stands on a row.
  mutating func drawHump(centre: Int, bottom: Int, radius: Int, height: Int, edge: Material, _ material: Material) {
    guard radius > 0, height > 0 else { return }
    for dx in -radius...radius {
      let share = Double(dx) / (Double(radius) + 0.5)
      let tall = Int((Double(height) * (1 - share * share).squareRoot()).rounded())
      guard tall > 0 else { continue }
      fill(column: centre + dx, rows: bottom - tall + 1..<bottom + 1, material)
      if height > 3 { self[centre + dx, bottom - tall + 1] = edge }
    }
  }

  /// Puts the picture on the screen, its top left cell at the first column of a row.
  func show(on grid: inout CellGrid, row first: Int, style: ScreenStyle) {
    for row in 0..<height / 2 where first + row < grid.height {
      for x in 0..<min(width, grid.width) {
        let (top, bottom) = (pixels[2 * row * width + x], pixels[(2 * row + 1) * width + x])
        grid[x, first + row] =
          style.hasPixels ? Self.halves(top, bottom) : Self.glyph(top, bottom, style)
      }
    }
  }

  /// Two colours in one cell.
  private static func halves(_ top: Material, _ bottom: Material) -> Cell {
    let (ink, paper) = (Material.colours[Int(top.rawValue)], Material.colours[Int(bottom.rawValue)])
    return ink == paper
      ? Cell(glyph: " ", style: CellStyle(paper: paper)) : Cell(glyph: "▀", style: CellStyle(ink: ink, paper: paper))
  }

  /// A shape or a texture in one colour or none.
  private static func glyph(_ top: Material, _ bottom: Material, _ style: ScreenStyle) -> Cell {
    let shown = bottom.isFigure || !top.isFigure ? bottom : top
    let glyph: Unicode.Scalar =
      switch (top.isFigure, bottom.isFigure) {
      case (true, true): style.isUnicode ? "█" : "#"
      case (true, false): bottom == .eye || bottom == .pupil ? "o" : style.isUnicode ? "▀" : "\""
      case (false, true): top == .eye || top == .pupil ? "o" : style.isUnicode ? "▄" : "m"
      case (false, false):
        top == .eye || bottom == .eye
          ? "o"
          : [Material.glint, .foam, .star].contains(top)
            ? top.texture(isUnicode: style.isUnicode) : bottom.texture(isUnicode: style.isUnicode)
      }
    if glyph == " " { return Cell() }
    return Cell(glyph: glyph, style: CellStyle(ink: Material.colours[Int(shown.rawValue)]))
  }
}
