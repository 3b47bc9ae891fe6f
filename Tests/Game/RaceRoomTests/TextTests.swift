import RaceRoom
import Testing

@Suite("TerminalText and PercentCoding", .timeLimit(.minutes(30)))
struct TextTests {
  @Test(
    "control sequences of a terminal are removed",
    arguments: [
      ("\u{1B}[31mred\u{1B}[0m", "red"), ("\u{1B}[2J\u{1B}[1;1Htop", "top"), ("\u{9B}5mx", "x"),
      ("\u{1B}]0;title\u{7}x", "x"), ("\u{1B}]52;c;aGk=\u{1B}\\x", "x"), ("\u{1B}Pq#0\u{1B}\\x", "x"),
      ("\u{90}abc\u{9C}x", "x"), ("a\u{8}\u{8}b\0c\u{7F}", "abc"), ("\u{1B}(Bx", "x"), ("\u{1B}cx", "x"),
      ("one\r\ntwo\tthree", "one two three"), ("\u{202E}abc\u{202C}", "abc"), ("\u{1B}[31", ""), ("\u{1B}", ""),
      ("\u{1B}\u{1B}[1mx", "x"), ("👩‍👩‍👧 ‏שלום Zoë", "👩‍👩‍👧 ‏שלום Zoë"),
    ])
  func clean(text: String, shown: String) {
    #expect(TerminalText.clean(text) == shown)
    #expect(Message(message: text).displayText == shown)
  }

  @Test(
    "the number of users is a sentence",
    arguments: [(0, "0 people are here"), (1, "1 person is here"), (2, "2 people are here")])
  func users(count: Int, text: String) {
    #expect(ServerStatus(activeUsers: count).text == text)
  }

  @Test("cleaned text never contains a control character", arguments: 0..<50)
  func neverControls(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    var text = String.UnicodeScalarView()
    for _ in 0..<200 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text.append(Unicode.Scalar(UInt8(truncatingIfNeeded: state >> 33)))
      if state >> 60 == 0 { text.append("\u{1B}") }
    }
    #expect(
      TerminalText.clean(String(text)).unicodeScalars.allSatisfy { $0.value >= 32 && !(127...159).contains($0.value) })
  }

  @Test("T21: encoded text is decoded again", arguments: ["a b", "&=+#?/%", "Zoë", "👩‍👩‍👧", "שלום", "%41", ""])
  func roundTrip(text: String) {
    let encoded = PercentCoding.encode(text)
    #expect(encoded.utf8.allSatisfy { $0 < 128 && !"&=+#?/ ".utf8.contains($0) })
    #expect(PercentCoding.decode(encoded) == text)
    #expect(PercentCoding.query("x=1&user=" + encoded)["user"] == text)
  }

  @Test("invalid codes are not changed")
  func broken() {
    #expect(PercentCoding.decode("%") == "%")
    #expect(PercentCoding.decode("%4") == "%4")
    #expect(PercentCoding.decode("%zz+%+4%-0") == "%zz+%+4%-0")
    #expect(PercentCoding.query("a&b=&c=d=e&a=2") == ["a": "", "b": "", "c": "d=e"])
  }
}
