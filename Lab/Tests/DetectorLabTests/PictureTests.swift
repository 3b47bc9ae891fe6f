import Testing

@testable import Drawing
@testable import detector_lab

@Suite("The article's pictures", .timeLimit(.minutes(30))) struct PictureTests {
  @Test(
    "every picture is reproducible and small, and contains only valid numbers",
    arguments: DrawCommand.pictures.map(\.name))
  func pictures(name: String) throws {
    let picture = try #require(DrawCommand.pictures.first { $0.name == name })
    let text = try picture.draw()
    #expect(try picture.draw() == text)
    #expect(text.utf8.count < 60_000)
    #expect(text.contains("<circle") && text.contains("<polyline"))
    #expect(!text.contains("nan") && !text.contains("inf\"") && !text.contains(/="-?[0-9.]+e/))
  }

  @Test("a chart maps its ranges to its edges, and clips curves to its frame")
  func chart() {
    let chart = Chart(x: 10...20, y: -1...1, left: 50, top: 30, width: 200, height: 100)
    #expect(chart.point(10, -1) == (x: 50, y: 130))
    #expect(chart.point(20, 1) == (x: 250, y: 30))
    var svg = SVG(width: 300, height: 200)
    chart.curve([(9, 0), (10, 5), (15, 0), (21, 0)], on: &svg, .ink)
    #expect(svg.document(title: "", description: "").contains("points=\"50,30 150,80\""))
  }
}
