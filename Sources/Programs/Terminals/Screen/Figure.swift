/// A figure on a screen: its label, its value, and words after it, such as a unit or what it is a part of.
package struct Figure {
  package var label: String
  package var value: String
  package var words: String
  package var style: CellStyle

  package init(_ label: String, _ value: String, _ words: String = "", _ style: CellStyle = .plain) {
    (self.label, self.value, self.words, self.style) = (label, value, words, style)
  }

  private static let labelWidth = 9
  private static let gutter = 2

  /// The figures side by side in a row.
  private static func columns(_ width: Int) -> Int { min(max(1, width / 26), 4) }

  /// The characters of a value in rows of a width.
  package static func room(_ width: Int) -> Int {
    columns(width) == 1 ? width - 1 - labelWidth : width / columns(width) - labelWidth - gutter
  }

  /// The figures in columns, the most important first; words that do not fit are left out.
  package static func rows(_ figures: [Figure], width: Int, atMost most: Int) -> [ScreenRow] {
    let columns = columns(width)
    let count = min((figures.count + columns - 1) / columns, most)
    return (0..<max(0, count)).map { index in
      var row = ScreenRow()
      for (column, figure) in figures.dropFirst(index * columns).prefix(columns).enumerated() {
        let place = 1 + column * (width / columns)
        let whole = figure.words.isEmpty ? figure.value : "\(figure.value) \(figure.words)"
        row.put(figure.label, at: place, .faint)
        row.put(whole.count <= room(width) ? whole : figure.value, at: place + labelWidth, figure.style)
      }
      return row
    }
  }

  /// How many of them fit side by side in large digits, the same width for each.
  package static func fitting(_ figures: [Figure], width: Int) -> Int {
    let widths = figures.map { max(BigDigits.columns($0.value), $0.label.count, $0.words.count) + gutter }
    return (1...max(1, widths.count)).last { count in widths.prefix(count).allSatisfy { $0 <= width / count } } ?? 1
  }

  /// Draws figures side by side in large digits, each below its label and above its words.
  package static func drawLarge(_ figures: [Figure], on grid: inout CellGrid, row: Int, isUnicode: Bool) {
    for (index, figure) in figures.enumerated() {
      let column = 1 + index * (grid.width / figures.count)
      grid.put(figure.label, at: column, row, .faint)
      BigDigits.draw(figure.value, on: &grid, at: column, row + 1, figure.style, isUnicode: isUnicode)
      grid.put(figure.words, at: column, row + 1 + BigDigits.height, .faint)
    }
  }
}
