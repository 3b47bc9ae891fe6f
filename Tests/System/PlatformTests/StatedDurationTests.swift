import Platform
import Testing

@Suite("Durations that others state", .timeLimit(.minutes(30)))
struct StatedDurationTests {
  @Test("seconds of either sign are kept", arguments: [0, 1.5, -3, 800_000_000.25, 1e12])
  func kept(_ seconds: Double) { #expect(Duration(stated: seconds) == .seconds(seconds)) }

  @Test(
    "what is not a number, or longer than any time, is no duration",
    arguments: [Double.nan, .infinity, -.infinity, 1e13, -1e13, 1e300, -1e300])
  func refused(_ seconds: Double) { #expect(Duration(stated: seconds) == nil) }
}
