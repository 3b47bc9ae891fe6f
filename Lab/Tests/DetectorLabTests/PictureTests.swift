import Testing

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
}
