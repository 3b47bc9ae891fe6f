import Testing

@testable import Terminals

@Suite("The terminal's surroundings", .timeLimit(.minutes(30)))
struct TerminalTests {
  @Test(
    "LC_ALL decides about UTF-8, otherwise LC_CTYPE, otherwise LANG; an empty one does not count",
    arguments: [
      ([:], false), (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8"], true), (["LANG": "de_DE"], false),
      (["LANG": "C.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "en_GB.UTF-8"], true),
      (["LANG": "C.UTF-8", "LC_ALL": "", "LC_CTYPE": ""], true), (["LC_ALL": "POSIX", "LC_CTYPE": "C.UTF-8"], false),
    ])
  func utf8(_ variables: [String: String], _ isUTF8: Bool) {
    #expect(ProcessEnvironment(variables).isUTF8 == isUTF8)
  }

  @Test(
    "distances are in miles where the locale's roads have them",
    arguments: [
      ([:], false), (["LANG": "en_US.UTF-8"], true), (["LANG": "en_US.UTF-8", "LC_MEASUREMENT": "de_DE.UTF-8"], false),
      (["LANG": "de_DE", "LC_MEASUREMENT": "en_GB"], true), (["LC_ALL": "C", "LC_MEASUREMENT": "en_US"], false),
      (["LANG": "us"], false),
    ])
  func miles(_ variables: [String: String], _ readsMiles: Bool) {
    #expect(ProcessEnvironment(variables).readsMiles == readsMiles)
  }

  @Test("colours are used unless NO_COLOR is set to something", arguments: [(nil, true), ("", true), ("1", false)])
  func colour(_ value: String?, _ isWelcome: Bool) {
    #expect(ProcessEnvironment(value.map { ["NO_COLOR": $0] } ?? [:]).allowsColour == isWelcome)
  }

  @Test(
    "the number of colours follows NO_COLOR, COLORTERM and TERM",
    arguments: [
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColourDepth.direct),
      (["TERM": "xterm-direct"], .direct), (["TERM": "screen-256color"], .palette), (["TERM": "linux"], .sixteen),
      (["TERM": "vt100"], .none), (["TERM": "xterm-256color", "COLORTERM": "24bit", "NO_COLOR": "1"], .none),
      ([:], .none),
    ])
  func depth(_ variables: [String: String], _ depth: ColourDepth) {
    #expect(ProcessEnvironment(variables).colourDepth == depth)
  }
}
