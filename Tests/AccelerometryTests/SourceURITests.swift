import Accelerometry
import Testing

@Suite("The name of a source", .timeLimit(.minutes(10)))
struct SourceURITests {
  @Test(
    "is parsed by its scheme; everything else is a path",
    arguments: [
      ("-", SourceURI.standardInput), ("iio:device0", .iio("device0")), ("iio:iio:device0", .iio("device0")),
      ("evdev:/dev/input/event5", .evdev(path: "/dev/input/event5")), ("counter:device1", .counter("device1")),
      ("walk.csv", .file(path: "walk.csv")), ("file:walk.csv", .file(path: "walk.csv")),
      ("10:30.csv", .file(path: "10:30.csv")), ("C:dump.csv", .file(path: "C:dump.csv")),
      ("synthetic:", .synthetic([])),
      (
        "synthetic:cadence=110,duration=60",
        .synthetic([.init(key: "cadence", value: "110"), .init(key: "duration", value: "60")])
      ),
    ])
  func reads(text: String, expected: SourceURI) throws {
    #expect(try SourceURI(parsing: text) == expected)
  }

  @Test(
    "is refused with the reason if it is invalid",
    arguments: [
      ("", SourceURI.ParsingError.empty), ("iio:", .missingName(scheme: "iio")),
      ("file:", .missingName(scheme: "file")), ("synthetic:cadence", .settingWithoutValue("cadence")),
    ])
  func refuses(text: String, reason: SourceURI.ParsingError) {
    #expect(throws: reason) { try SourceURI(parsing: text) }
  }

  @Test(
    "parses its own description",
    arguments: [
      "-", "iio:device0", "evdev:/dev/input/event5", "counter:device0", "a b.csv", "file:iio:device0",
      "synthetic:seed=1",
    ])
  func roundTrip(text: String) throws {
    #expect(try SourceURI(parsing: text).description == text)
  }

  @Test("states in each refusal what to write instead")
  func remedies() {
    #expect("\(SourceURI.ParsingError.missingName(scheme: "evdev"))".contains("evdev:/dev/input/event5"))
    #expect("\(SourceURI.ParsingError.settingWithoutValue("seed"))".contains("key=value"))
  }
}
