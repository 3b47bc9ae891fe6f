import Testing

@testable import Terminals

@Suite("KeyParser", .timeLimit(.minutes(30)))
struct KeyParserTests {
  private func keys(_ chunks: String...) -> [Key] {
    var parser = KeyParser()
    return chunks.flatMap { parser.keys(in: Array($0.utf8)) }
  }

  @Test("letters, digits, enter of either kind, backspace of either kind, and control keys")
  func plain() {
    #expect(keys("a7 ") == [.character("a"), .character("7"), .character(" ")])
    #expect(keys("\r\n\u{7F}\u{8}") == [.enter, .enter, .backspace, .backspace])
    #expect(keys("\u{3}\u{1A}\u{C}") == [.interrupt, .suspend, .redraw])
  }

  @Test("arrows, function keys and bracketed paste give no keys")
  func sequences() {
    #expect(
      keys("\u{1B}[A\u{1B}[1;5Cx\u{1B}OPy\u{1B}[200~q\u{1B}[201~") == [
        .character("x"), .character("y"), .character("q"),
      ])
  }

  @Test("ESC alone is a key; a sequence interrupted after it leaves no letters")
  func escape() {
    #expect(keys("\u{1B}") == [.escape])
    #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
    #expect(keys("\u{1B}d") == [.escape, .character("d")])
    #expect(keys("\u{1B}", "[D", "d") == [.escape, .character("d")])
    #expect(keys("\u{1B}[", "1;", "5Dq") == [.character("q")])
  }

  @Test("a character of several bytes is one key, also in pieces")
  func beyondASCII() {
    #expect(keys("ä€😀g") == [.character("ä"), .character("€"), .character("😀"), .character("g")])
    var parser = KeyParser()
    #expect(parser.keys(in: [0xE2, 0x82]).isEmpty && parser.keys(in: [0xAC]) == [.character("€")])
  }

  @Test("other control characters and invalid bytes are not keys")
  func others() {
    #expect(keys("\u{1}\u{0}\u{85}g") == [.character("g")])
    var parser = KeyParser()
    #expect(parser.keys(in: [0xFF, 0x80, 0x67]) == [.character("g")])
  }
}
