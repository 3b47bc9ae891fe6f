import Terminals

/// The most important figures of a chase in large digits, for windows that have room for them.
struct LargeFigures {
  private let figures: [(figure: ChaseScreen.Figure, words: String)]
  private let scale: Int

  /// The figures of a screen of this size; `nil` if it is too small.
  init?(of screen: ChaseScreen, width: Int, height: Int) {
    guard let scale = Self.scale(width: width, height: height) else { return nil }
    (figures, self.scale) = (screen.largeFigures, scale)
  }

  /// The edge of a pixel of the digits; `nil` if the window is too small for them.
  static func scale(width: Int, height: Int) -> Int? {
    if width >= 200, height >= 60 { return 2 }
    return width >= 120 && height >= 40 ? 1 : nil
  }

  /// The rows: labels, digits, words, and a blank one.
  var rows: Int { BigDigits.height(scale: scale) + 3 }

  /// Draws them side by side over the width of a screen.
  func draw(on grid: inout CellGrid, row: Int, isUnicode: Bool) {
    for (index, (figure, words)) in figures.enumerated() {
      let column = 1 + index * (grid.width / figures.count)
      grid.put(figure.label, at: column, row, .faint)
      BigDigits.draw(
        figure.value, on: &grid, at: column, row + 1, figure.style, isUnicode: isUnicode, scale: scale)
      grid.put(words, at: column, row + 1 + BigDigits.height(scale: scale), .faint)
    }
  }
}
