/// A small picture in Scalable Vector Graphics 1.1: a white panel and what is drawn on it.
///
/// The panel and every colour are stated, so the picture reads the same on a light page and on a dark one.
struct SVG {
  /// Colours that keep their contrast on white.
  enum Colour: String {
    case ink = "#1f2933"
    case muted = "#5f6b7a"
    case grid = "#e2e6eb"
    case blue = "#2563a8"
    case orange = "#b8520a"
    case green = "#2e7d4f"
    case red = "#b3261e"
    case shade = "#e6f2ea"
    case white = "#ffffff"
    case none = "none"
  }

  enum Anchor: String {
    case start, middle, end
  }

  let width: Double
  let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  mutating func line(
    from a: (x: Double, y: Double), to b: (x: Double, y: Double), _ colour: Colour, width: Double = 1,
    dashes: String? = nil
  ) {
    elements.append(
      "<line x1=\"\(a.x.short(1))\" y1=\"\(a.y.short(1))\" x2=\"\(b.x.short(1))\" y2=\"\(b.y.short(1))\" "
        + "stroke=\"\(colour.rawValue)\" stroke-width=\"\(width.short(2))\"" + Self.dashed(dashes) + "/>")
  }

  mutating func polyline(
    _ points: [(x: Double, y: Double)], _ colour: Colour, width: Double = 1.5, dashes: String? = nil
  ) {
    let list = points.map { "\($0.x.short(1)),\($0.y.short(1))" }.joined(separator: " ")
    elements.append(
      "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(colour.rawValue)\" stroke-width=\"\(width.short(2))\" "
        + "stroke-linejoin=\"round\"" + Self.dashed(dashes) + "/>")
  }

  mutating func circle(at p: (x: Double, y: Double), radius: Double, fill: Colour, stroke: Colour = .none) {
    elements.append(
      "<circle cx=\"\(p.x.short(1))\" cy=\"\(p.y.short(1))\" r=\"\(radius.short(1))\" fill=\"\(fill.rawValue)\" "
        + "stroke=\"\(stroke.rawValue)\" stroke-width=\"1.5\"/>")
  }

  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: Colour, stroke: Colour = .none, corner: Double = 0
  ) {
    elements.append(
      "<rect x=\"\(x.short(1))\" y=\"\(y.short(1))\" width=\"\(max(0, width).short(1))\" "
        + "height=\"\(max(0, height).short(1))\" rx=\"\(corner.short(1))\" fill=\"\(fill.rawValue)\" "
        + "stroke=\"\(stroke.rawValue)\"/>")
  }

  mutating func text(
    _ text: String, at p: (x: Double, y: Double), _ colour: Colour = .ink, size: Double = 12, anchor: Anchor = .start,
    isBold: Bool = false
  ) {
    elements.append(
      "<text x=\"\(p.x.short(1))\" y=\"\(p.y.short(1))\" fill=\"\(colour.rawValue)\" font-size=\"\(size.short(1))\" "
        + "text-anchor=\"\(anchor.rawValue)\"\(isBold ? " font-weight=\"600\"" : "")>\(Self.escaped(text))</text>")
  }

  /// The whole document.
  /// - Parameters:
  ///   - title: what a tooltip says.
  ///   - description: what somebody hears who does not see it.
  func document(title: String, description: String) -> String {
    let size = "width=\"\(width.short(1))\" height=\"\(height.short(1))\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) viewBox="0 0 \(width.short(1)) \(height.short(1))" role="img" \
      font-family="system-ui, Helvetica, Arial, sans-serif">
      <title>\(Self.escaped(title))</title>
      <desc>\(Self.escaped(description))</desc>
      <rect x="0.5" y="0.5" width="\((width - 1).short(1))" height="\((height - 1).short(1))" rx="8" \
      fill="#ffffff" stroke="#d5dae0"/>
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  private static func dashed(_ pattern: String?) -> String { pattern.map { " stroke-dasharray=\"\($0)\"" } ?? "" }

  /// Text as XML has it.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}
