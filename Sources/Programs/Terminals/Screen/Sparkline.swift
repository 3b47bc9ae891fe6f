/// A curve as characters of eight heights.
package enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")
  private static let ascii = Array("_.,-=*#@")

  /// The curve of these values, from the lowest of them and zero to the largest, as rows from the top.
  /// - Parameters:
  ///   - width: its columns; more values are combined by their mean, fewer are stretched.
  ///   - top: the value at the upper edge; `nil` for the largest.
  package static func rows(
    _ values: [Double], width: Int, height: Int = 1, top: Double? = nil, isUnicode: Bool
  ) -> [String] {
    let shown = resampled(values.filter(\.isFinite), width: width)
    guard !shown.isEmpty, height > 0 else { return [] }
    let low = min(0, shown.min() ?? 0)
    let span = max((top ?? shown.max() ?? 0) - low, .leastNormalMagnitude)
    let glyphs = isUnicode ? blocks : ascii
    return (0..<height).reversed().map { row in
      String(
        shown.map { value -> Character in
          // Eighths of the whole height, at least one, so that a zero is seen as such.
          let eighths = max(1, Int((((value - low) / span) * Double(8 * height)).rounded())) - 8 * row
          return eighths <= 0 ? " " : glyphs[min(eighths, 8) - 1]
        })
    }
  }

  private static func resampled(_ values: [Double], width: Int) -> [Double] {
    guard width > 0, !values.isEmpty else { return [] }
    return (0..<width).map { column in
      let first = min(column * values.count / width, values.count - 1)
      let end = max(first + 1, (column + 1) * values.count / width)
      let part = values[first..<min(end, values.count)]
      return part.reduce(0, +) / Double(part.count)
    }
  }
}
