import Testing

@testable import LiveSources

@Suite("The output of a board", .timeLimit(.minutes(30)))
struct BoardTextTests {
  @Test(
    "numbers are counted; digits of names and of hexadecimal numbers are not",
    arguments: [
      ("1,2,3", 3), ("-0.5 1e-3 +7", 3), ("x1:5 y2:6", 2), ("0x3f,len:12", 2), ("", 0), ("{\"x\":-1.5,\"y\":2}", 2),
      ("12:30:45.5,1", 4), ("a1b2", 0), ("1.2.3", 1),
    ])
  func numbers(text: String, expected: Int) {
    #expect(BoardText.numbers(in: Array(text.utf8)[...]) == expected)
  }

  private static func text(_ lines: [String]) -> BoardText {
    var text = BoardText()
    text.append(Array(lines.map { $0 + "\r\n" }.joined().utf8))
    return text
  }

  @Test("rows begin where eight lines agree, with their header; a first line that may be partial is skipped")
  func start() {
    let rows = (0..<10).map { "\($0)00,0.01,0.02,1.01" }
    let text = Self.text(["00,0.01,0.02,1.01"] + rows)
    #expect(text.start == "00,0.01,0.02,1.01\r\n".utf8.count)
    #expect(Self.text(Array(rows.prefix(7))).start == nil)
    let headed = Self.text(["rst:0x1", "millis,x,y,z"] + rows)
    #expect(headed.start == "rst:0x1\r\n".utf8.count)
  }

  @Test("an excerpt has no control characters, and a maximum length")
  func excerpt() {
    var text = Self.text(["hello \u{1b}[31mred", String(repeating: "x", count: 500)])
    #expect(text.excerpt.count <= 61)
    text = Self.text(["hello \u{1b}[31mred"])
    #expect(text.excerpt == "hello ?[31mred")
  }
}
