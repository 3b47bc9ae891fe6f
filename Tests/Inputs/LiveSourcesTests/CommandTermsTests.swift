import LiveSources
import Recordings
import Testing

@Suite("Messages in the terms of the command line", .timeLimit(.minutes(30)))
struct CommandTermsTests {
  @Test(
    "Every option that a message of Recordings can name becomes the one to type", arguments: RecordingOption.allCases)
  func options(option: RecordingOption) {
    let message = CommandTerms.translate("state it with \(option), or not; then \(option)")
    #expect(message == "state it with \(option.commandOption), or not; then \(option.commandOption)")
    #expect(option.commandOption.hasPrefix("--"))
  }

  @Test("A name that begins with another one is replaced as a whole")
  func prefixes() {
    #expect(
      CommandTerms.translate("\(RecordingOption.timeAndAxes) or \(RecordingOption.columns)")
        == "--columns t,x,y,z or --columns")
  }

  @Test("Counts of an input device become --units raw=COUNTS, and other text stays")
  func others() {
    #expect(CommandTerms.translate("with SensorOptions.countsPerG") == "with --units raw=COUNTS")
    #expect(CommandTerms.translate("SensorOptions.use is fine") == "SensorOptions.use is fine")
  }

  @Test("A refusal of a recording names the option to type")
  func refusal() {
    let failure = SourceFailure(RecordingError.noTimestamps(path: "walk.csv", line: 1))
    #expect(failure.message.contains("--rate HZ") && !failure.message.contains("RecordingOptions"))
  }
}
