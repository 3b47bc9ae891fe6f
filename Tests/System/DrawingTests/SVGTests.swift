import Foundation
import TestSupport
import Testing

@testable import Drawing

@Suite("Pictures", .timeLimit(.minutes(30))) struct SVGTests {
  @Test("a document states its size, its panel, its title, and a description")
  func document() {
    var svg = SVG(width: 100, height: 50.5)
    svg.line(from: (1, 2.04), to: (3.26, 4), .blue)
    svg.polyline([(0, 0), (10, 5.55)], .red)
    let text = svg.document(title: "a < b", description: "\"quoted\" & more")
    #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50.5\""))
    #expect(text.contains("<title>a &lt; b</title>"))
    #expect(text.contains("<desc>&quot;quoted&quot; &amp; more</desc>"))
    #expect(text.contains("<line x1=\"1\" y1=\"2\" x2=\"3.3\" y2=\"4\" stroke=\"#2f74c0\""))
    #expect(text.contains("points=\"0,0 10,5.6\"") || text.contains("points=\"0,0 10,5.5\""))
    #expect(text.contains("fill=\"#ffffff\" stroke=\"#dbe3de\""))
    #expect(text.hasSuffix("</svg>\n"))
  }

  @Test("text in a picture is escaped")
  func escaping() {
    var svg = SVG(width: 10, height: 10)
    svg.text("</text><script>", at: (0, 0))
    #expect(!svg.document(title: "", description: "").contains("<script>"))
  }

  @Test(
    "numbers have the requested decimals",
    arguments: [
      (1.005, 1, "1.0", "1"), (-0.04, 1, "0.0", "0"), (-12.345, 2, "-12.35", "-12.35"), (0.1, 3, "0.100", "0.1"),
      (20, 0, "20", "20"), (.infinity, 2, "inf", "inf"),
    ])
  func decimals(value: Double, decimals: Int, fixed: String, short: String) {
    #expect(value.fixed(decimals) == fixed)
    #expect(value.short(decimals) == short)
  }

  @Test("characters that XML does not allow are replaced")
  func controlCharacters() {
    #expect(SVG.escaped("a\u{1}b\u{1B}[0m\t\u{FFFE}é") == "a\u{FFFD}b\u{FFFD}[0m\t\u{FFFD}é")
  }

  @Test("a picture that follows the theme has a dark version of each colour, and no external resources")
  func theme() {
    var svg = SVG(width: 100, height: 50)
    svg.hatch(x: 0, y: 0, width: 10, height: 10, .orange)
    svg.text("x", at: (0, 0), .muted)
    let text = svg.document(title: "", description: "")
    #expect(text.contains("@media (prefers-color-scheme: dark)"))
    for colour in SVG.Colour.allCases {
      #expect(text.contains("[fill=\"\(colour.rawValue)\"]{fill:#"), "\(colour)")
    }
    #expect(text.contains("<pattern id=\"hatch-orange\"") && text.contains("url(#hatch-orange)"))
    #expect(text.replacing("http://www.w3.org/2000/svg", with: "").contains("http") == false)
  }

  @Test("the service's page has the colours of pictures and reports, in both themes")
  func page() throws {
    let style = try String(
      contentsOfFile: Repository.path("Sources/Service/ServiceHTTP/Public/page.css"), encoding: .utf8)
    let themes = style.components(separatedBy: "prefers-color-scheme: dark")
    try #require(themes.count > 1)
    let names: [(String, SVG.Colour)] = [
      ("text", .ink), ("faint", .muted), ("line", .grid), ("card", .white), ("soft", .shade), ("good", .green),
      ("bad", .red), ("blue", .blue), ("now", .orange),
    ]
    for (name, colour) in names {
      #expect(themes[0].contains("--\(name): \(colour.rawValue);"), "\(name)")
      #expect(themes[1].contains("--\(name): \(colour.onDark);"), "\(name)")
    }
  }
}
