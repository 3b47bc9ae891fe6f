/// A small picture in Scalable Vector Graphics 1.1 on a white panel.
///
/// The panel and every colour are specified, and follow the viewer's theme. It uses no external resources.
package struct SVG {
  /// The palette of pictures, reports and the service's page (`page.css`), which keeps its contrast on white.
  package enum Colour: String, CaseIterable {
    case ink = "#17201b"
    case muted = "#52605a"
    /// Lines of a grid, and edges.
    case grid = "#dbe3de"
    case blue = "#2f74c0"
    case orange = "#b8520a"
    case green = "#0b6b4a"
    case red = "#a32118"
    case shade = "#eaf1ed"
    case warm = "#fbf0e6"
    case white = "#ffffff"

    /// The same for a dark panel.
    package var onDark: String {
      switch self {
      case .ink: "#e8eeea"
      case .muted: "#a6b3ac"
      case .grid: "#2c3731"
      case .blue: "#7db4f0"
      case .orange: "#f0a94a"
      case .green: "#6fd6a8"
      case .red: "#ff9d92"
      case .shade: "#202a25"
      case .warm: "#3b2d1f"
      case .white: "#18201c"
      }
    }
  }

  /// The font of pictures, reports and pages.
  package static let font = "system-ui, sans-serif"

  package enum Anchor: String { case start, middle, end }

  package let width: Double
  package let height: Double
  package var elements: [String] = []
  private var patterns: Set<Colour> = []

  package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  package mutating func line(
    from a: (x: Double, y: Double), to b: (x: Double, y: Double), _ colour: Colour, width: Double = 1
  ) {
    elements.append(
      "<line x1=\"\(a.x.short(1))\" y1=\"\(a.y.short(1))\" x2=\"\(b.x.short(1))\" y2=\"\(b.y.short(1))\" "
        + "stroke=\"\(colour.rawValue)\" stroke-width=\"\(width.short(2))\"/>")
  }

  package mutating func polyline(_ points: [(x: Double, y: Double)], _ colour: Colour, width: Double = 1.5) {
    let list = points.map { "\($0.x.short(1)),\($0.y.short(1))" }.joined(separator: " ")
    elements.append(
      "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(colour.rawValue)\" stroke-width=\"\(width.short(2))\" "
        + "stroke-linejoin=\"round\"/>")
  }

  /// A hatched area, distinguishable from a plain one without its colour.
  package mutating func hatch(x: Double, y: Double, width: Double, height: Double, _ colour: Colour) {
    patterns.insert(colour)
    elements.append(
      "<rect x=\"\(x.short(1))\" y=\"\(y.short(1))\" width=\"\(max(0, width).short(1))\" "
        + "height=\"\(max(0, height).short(1))\" fill=\"url(#hatch-\(colour))\"/>")
  }

  package mutating func rectangle(x: Double, y: Double, width: Double, height: Double, fill: Colour) {
    elements.append(
      "<rect x=\"\(x.short(1))\" y=\"\(y.short(1))\" width=\"\(max(0, width).short(1))\" "
        + "height=\"\(max(0, height).short(1))\" fill=\"\(fill.rawValue)\"/>")
  }

  package mutating func text(
    _ text: String, at p: (x: Double, y: Double), _ colour: Colour = .ink, size: Double = 12, anchor: Anchor = .start,
    isBold: Bool = false
  ) {
    elements.append(
      "<text x=\"\(p.x.short(1))\" y=\"\(p.y.short(1))\" fill=\"\(colour.rawValue)\" font-size=\"\(size.short(1))\" "
        + "text-anchor=\"\(anchor.rawValue)\"\(isBold ? " font-weight=\"600\"" : "")>\(Self.escaped(text))</text>")
  }

  /// The whole document.
  /// - Parameters:
  ///   - title: the tooltip.
  ///   - description: a description for screen readers.
  package func document(title: String, description: String) -> String {
    let size = "width=\"\(width.short(1))\" height=\"\(height.short(1))\" style=\"max-width:100%;height:auto\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) viewBox="0 0 \(width.short(1)) \(height.short(1))" role="img" \
      font-family="\(Self.font)">
      <title>\(Self.escaped(title))</title>
      <desc>\(Self.escaped(description))</desc>
      \(Self.darkStyle)\(definitions)<rect x="0.5" y="0.5" width="\((width - 1).short(1))" height="\((height - 1).short(1))" rx="8" \
      fill="\(Colour.white.rawValue)" stroke="\(Colour.grid.rawValue)"/>
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  /// Every colour has a counterpart for dark panels; the attributes remain for viewers without style sheets.
  private static var darkStyle: String {
    let rules = Colour.allCases.map { colour in
      "[fill=\"\(colour.rawValue)\"]{fill:\(colour.onDark)}[stroke=\"\(colour.rawValue)\"]{stroke:\(colour.onDark)}"
    }
    return "<style>@media (prefers-color-scheme: dark) {\(rules.joined())}</style>\n"
  }

  private var definitions: String {
    if patterns.isEmpty { return "" }
    let hatches = Colour.allCases.filter(patterns.contains).map { colour in
      "<pattern id=\"hatch-\(colour)\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
        + "patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"7\" stroke=\"\(colour.rawValue)\" "
        + "stroke-width=\"1.6\" stroke-opacity=\"0.45\"/></pattern>"
    }
    return "<defs>\(hatches.joined())</defs>\n"
  }

  package static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars += character.unicodeScalars.map { isAllowed($0) ? $0 : "\u{FFFD}" }
      }
    }
  }

  /// XML 1.0 allows no control characters except tabs and line breaks, even if escaped.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
    default: false
    }
  }
}
