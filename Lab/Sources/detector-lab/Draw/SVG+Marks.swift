@testable import Drawing

/// Marks that only the pictures of the articles have.
extension SVG {
  mutating func line(
    from a: (x: Double, y: Double), to b: (x: Double, y: Double), _ colour: Colour, width: Double = 1, dashes: String?
  ) {
    polyline([a, b], colour, width: width, dashes: dashes)
  }

  mutating func polyline(
    _ points: [(x: Double, y: Double)], _ colour: Colour, width: Double = 1.5, dashes: String?
  ) {
    elements.append(
      "<polyline points=\"\(Self.list(points))\" fill=\"none\" stroke=\"\(colour.rawValue)\" "
        + "stroke-width=\"\(width.short(2))\" stroke-linejoin=\"round\" stroke-dasharray=\"\(dashes ?? "none")\"/>")
  }

  /// An area inside a closed line.
  mutating func polygon(_ points: [(x: Double, y: Double)], fill: Colour) {
    elements.append("<polygon points=\"\(Self.list(points))\" fill=\"\(fill.rawValue)\"/>")
  }

  mutating func circle(at p: (x: Double, y: Double), radius: Double, fill: Colour, stroke: Colour? = nil) {
    elements.append(
      "<circle cx=\"\(p.x.short(1))\" cy=\"\(p.y.short(1))\" r=\"\(radius.short(1))\" fill=\"\(fill.rawValue)\" "
        + "stroke=\"\(stroke?.rawValue ?? "none")\" stroke-width=\"1.5\"/>")
  }

  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: Colour, stroke: Colour? = nil, corner: Double
  ) {
    elements.append(
      "<rect x=\"\(x.short(1))\" y=\"\(y.short(1))\" width=\"\(max(0, width).short(1))\" "
        + "height=\"\(max(0, height).short(1))\" rx=\"\(corner.short(1))\" fill=\"\(fill.rawValue)\" "
        + "stroke=\"\(stroke?.rawValue ?? "none")\"/>")
  }

  private static func list(_ points: [(x: Double, y: Double)]) -> String {
    points.map { "\($0.x.short(1)),\($0.y.short(1))" }.joined(separator: " ")
  }
}
