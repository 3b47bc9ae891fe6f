/// Bars as characters of eight heights.
package enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")
  private static let ascii = Array("_.,-=*#@")

  /// A bar for each value, as rows from the top.
  /// - Parameter top: the value at the upper edge.
  package static func rows(_ values: [Double], height: Int, top: Double, isUnicode: Bool) -> [String] {
    let glyphs = isUnicode ? blocks : ascii
    return (0..<max(0, height)).reversed().map { row in
      String(
        values.map { value -> Character in
          // Eighths of the whole height, at least one, so that a zero is seen as such.
          let eighths = max(1, Int((value / top * Double(8 * height)).rounded())) - 8 * row
          return eighths <= 0 ? " " : glyphs[min(eighths, 8) - 1]
        })
    }
  }
}
