import Platform
import Testing

@Suite("Offsets from UTC", .timeLimit(.minutes(30)))
struct UTCOffsetTests {
  @Test(
    "an offset has hours and perhaps minutes, with or without UTC or GMT before it",
    arguments: [
      ("+02:00", 7200), ("-0530", -19_800), ("+2", 7200), ("+02", 7200), ("+5:45", 20_700), ("GMT+2", 7200),
      ("UTC-03:30", -12_600), ("UTC", 0), ("GMT", 0), ("Z", 0), ("+00:00", 0), ("+23:59", 86_340),
      ("+24:00", nil), ("+02:60", nil), ("+02:5", nil), ("+", nil), ("+123", nil), ("+1:2:3", nil), ("++2", nil),
      ("02:00", nil), ("CET", nil), ("GMT2", nil), ("", nil),
    ] as [(String, Int?)])
  func seconds(text: String, seconds: Int?) {
    #expect(UTCOffset.seconds(text) == seconds)
  }
}
