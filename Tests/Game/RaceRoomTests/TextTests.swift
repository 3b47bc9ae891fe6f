import FoundationEssentials
import RaceRoom
import Testing

@Suite("Text of a room", .timeLimit(.minutes(30)))
struct TextTests {
  @Test(
    "what would control a terminal is shown as question marks; letters of all scripts and emoji are kept",
    arguments: [
      ("\u{1B}[31mred\u{1B}[0m", "?[31mred?[0m"), ("\u{9B}5mx", "?5mx"), ("one\r\ntwo\tthree", "one??two?three"),
      ("\u{202E}abc\u{202C}", "?abc?"), ("👩‍👩‍👧 שלום Zoë", "👩‍👩‍👧 שלום Zoë"),
    ])
  func display(text: String, shown: String) {
    let message = Message(id: UUID(), user: text, message: text, date: Date())
    #expect(message.displayText == shown && message.displayName == shown)
  }

  @Test(
    "the number of users is a sentence",
    arguments: [(0, "0 people are here"), (1, "1 person is here"), (2, "2 people are here")])
  func users(count: Int, text: String) {
    #expect(ServerStatus(activeUsers: count).text == text)
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
