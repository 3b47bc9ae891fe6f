import Testing

@testable import StepDetection
@testable import detector_lab

@Suite("Validation", .timeLimit(.minutes(30))) struct ValidationTests {
  /// The cells of the rows of a section.
  private func rows(_ section: String, of page: String) -> [[String]] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0 == "## \(section)" }) else { return [] }
    return lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }.dropFirst(2)
      .map { $0.split(separator: "|").map { $0.trimmed } }
  }

  private func page(_ folders: LabelledFolder..., peers: [PeerCounts] = []) throws -> ValidationPage {
    let recordings = try LabelledRecordings(index: RecordingIndex(folders: folders.map(\.path)))
    var page = ValidationPage(recordings: recordings, macro: nil, peers: peers)
    page.shipped = ValidationPage.Counts(recordings.runs(of: .shipped))
    return page
  }

  @Test(
    "walks, places, frequencies, movements and short bouts have a line each; without a fit the page says that it flatters"
  )
  func page() throws {
    let text = try page(LabelledFolder()).text(dated: "2026-01-02, version 3")
    #expect(text.contains("2026-01-02, version 3. Made by") && text.contains("the figures are optimistic"))
    #expect(rows("Overall", of: text).map { Array($0[..<2]) } == [["nothing", "all"]])
    #expect(
      rows("By position", of: text).map { Array($0[..<2]) } == [["pocket", "1"], ["unknown", ""], ["wrist", "1"]])
    #expect(text.contains("| kind of movement | hours without walking | false steps/h |"), "empty columns are left out")
    #expect(rows("By sampling frequency", of: text).map { $0[0] } == ["15 to 35 Hz"])
    #expect(rows("By kind of movement", of: text).map { $0[0] } == ["brushing", "desk"])
    #expect(text.contains("2 of 2 activities have none"))
    #expect(!text.contains("## Other step counters") && !text.contains("## Slow walks"))
  }

  @Test("several folders are collections in the order in which they were given")
  func collections() throws {
    let text = try page(LabelledFolder(), LabelledFolder()).text(dated: nil)
    #expect(rows("Overall", of: text).map { $0[1] } == ["first collection", "second collection"])
  }

  @Test("tables show what was left out of the fit, as soon as anything was")
  func leftOut() throws {
    var page = try page(LabelledFolder())
    var none = page.shipped.runs[0]
    for i in none.indices { none[i].steps = i == 2 ? [1, 2, 3] : [] }
    page.leftOut = [(.person, ValidationPage.Counts([none, page.shipped.runs[0]]), ValidationPage.Counts([none]))]
    let text = page.text(dated: nil)
    #expect(rows("Overall", of: text).map { $0[0] } == ["the person", "the person, gravity removed", "nothing"])
    #expect(text.contains("fitted without the person (means of 2 fits)") && !text.contains("optimistic"))
    // Half of the fits lose all steps of each walk.
    let errors = rows("By position", of: text).compactMap { $0[1] == "1" ? Double($0[2]) : nil }
    #expect(errors.count == 2 && errors.allSatisfy { $0 > 45 && $0 < 60 }, "\(errors)")
    // Three steps in 20 s, in one of two fits.
    #expect(
      rows("False steps an hour by activity", of: text).map { $0.suffix(2).joined(separator: " ") } == ["0.01 271"])
  }

  @Test("another counter is compared on the recordings that it has counted")
  func peer() throws {
    let folder = try LabelledFolder()
    let name = folder.path.split(separator: "/").last ?? ""
    let steps = try PeerCounts.steps(
      in: "file,steps\n\(name)/0.csv,\(2 * folder.strikes.count)\n\n\(name)/2.csv,0\n", path: "p.csv")
    let text = try page(folder, peers: [PeerCounts(name: "double", steps: steps)]).text(dated: nil)
    let rows = rows("Other step counters", of: text)
    #expect(rows.map { Array($0[..<2]) } == [["double", "2"], ["this one", "2"]])
    #expect(rows.first?[2] == "100.0" && rows.last.flatMap { Double($0[2]) } ?? 100 < 10, "\(rows)")
  }

  @Test("a count that is no number is an error with its line")
  func peerErrors() {
    for line in ["a.csv", "a.csv,many", "a.csv,-1", "a.csv,nan"] {
      #expect(throws: PeerCounts.Failure(path: "p.csv", line: 3)) {
        try PeerCounts.steps(in: "file,steps\nb.csv,1\n\(line)\n", path: "p.csv")
      }
    }
    #expect(PeerCounts.Failure(path: "p.csv", line: 3).description.contains("p.csv, line 3"))
  }

  @Test("a short bout is found by the steps near it, and lost without any")
  func shortBouts() {
    var bouts = ShortBouts()
    let strikes = [1.0, 1.5, 2, 2.5] + [6.0, 6.5, 7, 7.5, 8] + (0..<20).map { 20 + 0.5 * Double($0) }
    bouts.add(strikes: strikes, steps: [1.1, 1.4, 2.9, 4, 25])
    #expect(bouts.found[0].map(\.strikes) == [4, 5] && bouts.found[0].map(\.steps) == [3, 0])
    #expect(bouts.found[1].isEmpty && bouts.found[2].isEmpty)
    #expect(ShortBouts.bouts(of: []).isEmpty)
  }

  @Test("walks slowed down are counted with the gate that is given")
  func slowed() throws {
    let folder = try LabelledFolder()
    let recordings = try LabelledRecordings(index: RecordingIndex(folders: [folder.path])).recordings
    let counts = recordings.map { SlowedCounts(of: $0, models: .shipped) }.reduce(SlowedCounts(), +)
    let all = try #require(counts.tallies["all"])
    #expect(all.map(\.all) == [2, 2, 2] && all.contains { $0.good > 0 })
    var deaf = GateModels.shipped
    for path in [\GateModels.ordinary, \.slow] {
      let model = deaf[keyPath: path]
      deaf[keyPath: path] = WalkingModel(knots: model.knots, slopes: model.slopes, bias: model.bias.map { $0 - 100 })
    }
    let lost = recordings.map { SlowedCounts(of: $0, models: deaf) }.reduce(SlowedCounts(), +)
    #expect(lost.tallies["all"]?.map(\.good) == [0, 0, 0])
  }
}
