import Testing

@testable import LiveSources

/// Server-sent events according to the HTML standard.
@Suite("EventStreamParser", .timeLimit(.minutes(30)))
struct EventStreamParserTests {
  private func events(_ text: String, cutEvery length: Int) -> [EventStreamParser.Event] {
    var parser = EventStreamParser()
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: length).flatMap {
      parser.take(Array(bytes[$0..<min($0 + length, bytes.count)]))
    }
  }

  @Test("an event is the same wherever its bytes are split", arguments: [1, 2, 3, 5, 1000])
  func cut(length: Int) {
    let text = ": hello\n\nid: 7\ndata: {\"ü\":1}\n\nretry: 2000\nid: 8\r\ndata:two\r\ndata: lines\r\n\r\n"
    #expect(
      events(text, cutEvery: length) == [.init(id: "7", data: "{\"ü\":1}"), .init(id: "8", data: "two\nlines")])
  }

  @Test("a comment, an event without data and a line without a colon are ignored")
  func nothing() {
    #expect(events(":\n\nid: 3\n\ndata\n\nevent: x\n\n", cutEvery: 4).isEmpty)
  }

  @Test("an incomplete event is not returned")
  func open() {
    #expect(events("data: half\n", cutEvery: 100).isEmpty)
  }

  @Test("a line without end does not fill the memory, and what follows it is read")
  func long() {
    let text = "data: " + String(repeating: "x", count: 200_000) + "\n\ndata: y\n\n"
    let found = events(text, cutEvery: 5000)
    #expect(found.count == 2 && found[0].data.utf8.count < 70_000 && found[1].data == "y")
  }

  @Test("an event without an end takes no more memory, and the next one is read")
  func endless() {
    var parser = EventStreamParser()
    let line = Array("data: \(String(repeating: "x", count: 1000))\n".utf8)
    for _ in 0..<20_000 { #expect(parser.take(line) == []) }
    #expect(parser.take(Array("\ndata: y\n\n".utf8)).map(\.data) == ["y"])
  }
}
