import Testing

@testable import Terminals

@Suite("ScreenText", .timeLimit(.minutes(30)))
struct ScreenTextTests {
  @Test(
    "numbers have the requested decimals",
    arguments: [
      (1.25, 2, "1.25"), (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (-12.34, 1, "-12.3"), (99.96, 1, "100.0"), (3, 0, "3"),
      (1.005e3, 2, "1005.00"), (.nan, 1, "-"), (.infinity, 0, "-"), (1e18, 1, "-"),
    ])
  func numbers(value: Double, digits: Int, text: String) {
    #expect(ScreenText.number(value, digits: digits) == text)
  }

  @Test(
    "times are minutes and seconds, and hours if there are any",
    arguments: [(0.0, "0:00"), (9.99, "0:09"), (75, "1:15"), (3599, "59:59"), (3600, "1:00:00"), (36_061, "10:01:01")])
  func times(seconds: Double, text: String) {
    #expect(ScreenText.time(.seconds(seconds)) == text)
  }

  @Test(
    "control characters in names become question marks, and others are kept",
    arguments: [
      ("we \u{1B}[31m\n.csv", "we ?[31m?.csv"), ("a\r\nb\tc\u{7F}", "a??b?c?"), ("\u{9B}31m", "?31m"),
      ("a\u{202E}vsc.b", "a?vsc.b"), ("Spaziergänge 散步 👩‍🦯.csv", "Spaziergänge 散步 👩‍🦯.csv"),
    ])
  func names(text: String, shown: String) { #expect(ScreenText.printable(text) == shown) }

  @Test("the middle of long names is omitted")
  func longNames() {
    let whole = String(repeating: "a", count: 200)
    #expect(ScreenText.printable(whole) == whole)
    let cut = ScreenText.printable(whole + "b.csv")
    #expect(cut.count == 200 && cut.hasPrefix("aaa") && cut.hasSuffix("ab.csv") && cut.contains("a…a"))
  }

  @Test("several lines stay lines")
  func printableLines() { #expect(ScreenText.printableLines("a\u{1B}[2J\nb\r\n") == "a?[2J\nb?\n") }

  @Test("a time before zero is zero")
  func negativeTime() { #expect(ScreenText.time(.seconds(-5)) == "0:00") }

  @Test("words are kept whole if they fit, and split if they are longer than a line")
  func wrapping() {
    #expect(ScreenText.wrapped("to be or not to be", width: 6) == ["to be", "or not", "to be"])
    #expect(ScreenText.wrapped("a /sys/bus/iio b", width: 5) == ["a", "/sys/", "bus/i", "io b"])
    #expect(ScreenText.wrapped("   ", width: 5) == [])
    #expect(ScreenText.wrapped("  to be or", width: 7) == ["  to be", "  or"])
    #expect(ScreenText.wrapped("a b", width: 0) == [])
  }
}
