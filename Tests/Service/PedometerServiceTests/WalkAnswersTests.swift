import Foundation
import History
import Pedometry
import TestSupport
import Testing

@testable import ServiceCore
@testable import StepDetection

@Suite("Walks and what their walker says about them", .timeLimit(.minutes(30)))
struct WalkAnswersTests {
  private let folder: TemporaryDirectory
  private let walks: WalkAnswers
  private static let start = Date(timeIntervalSince1970: 1_795_431_600)

  init() throws {
    folder = try TemporaryDirectory()
    walks = try WalkAnswers(folder: folder.path)
  }

  private static func at(_ minutes: Double) -> Date { start + minutes * 60 }

  private func add(_ from: Double, _ to: Double, _ objection: Objection = .cycling, cadence: Double = 1.5) throws {
    let stretch = UncountedStretch(
      start: .zero, end: .seconds(60 * (to - from)), objection: objection, cadence: cadence)
    try walks.add(stretch, from: Self.at(from), to: Self.at(to), source: "a board", .fixed(0.7))
  }

  private func hour(_ counted: Int = 0) -> HistoryBucket {
    HistoryBucket(
      start: Self.start, end: Self.at(60),
      totals: WalkTotals(steps: counted, distanceTravelled: 0.5 * Double(counted), activeTime: .seconds(counted)))
  }

  private func none(_: Date, _: Date) -> WalkTotals { WalkTotals() }

  @Test("only movement of a minute or more that repeats like steps is asked about, and the same movement once")
  func questions() throws {
    try add(0, 0.9)
    try add(1, 4, .irregular)
    try add(5, 8, cadence: 4)
    try add(10, 20)
    try add(12, 18)
    let all = walks.all(from: Self.start, to: Self.at(60))
    #expect(all.map(\.steps) == [900] && all[0].reason == "cycling" && all[0].answer == nil)
    #expect(walks.corrected(hour(), counted: none) == nil)
    #expect(try WalkAnswers(folder: folder.path).all(from: Self.start, to: Self.at(60)) == all)
  }

  @Test("a walk that is counted by its walker is in each bucket in proportion, until the answer is taken back")
  func counted() throws {
    try add(50, 70)
    try walks.answer(from: Self.at(50), to: Self.at(70), "walk")
    let corrected = try #require(walks.corrected(hour(100), counted: none))
    #expect(corrected.steps == 1000 && corrected.distanceTravelled == 680 && corrected.activeTime == .seconds(700))
    // What another sensor counted meanwhile is there already.
    let twice = walks.corrected(hour(600)) { _, _ in WalkTotals(steps: 500, distanceTravelled: 250) }
    #expect(twice?.steps == 1000)
    try walks.answer(from: Self.at(50), to: Self.at(70), "driving")
    #expect(walks.corrected(hour(100), counted: none) == nil)
    try walks.answer(from: Self.at(50), to: Self.at(70), nil)
    #expect(walks.all(from: Self.start, to: Self.at(60)).map(\.answer) == [nil])
  }

  @Test("the steps of what was no walk are left out, until the answer is taken back")
  func uncounted() throws {
    try walks.answer(from: Self.at(10), to: Self.at(20), "not a walk")
    let asked = { (from: Date, to: Date) in
      #expect(from == Self.at(10) && to == Self.at(20))
      return WalkTotals(steps: 400, distanceTravelled: 200, activeTime: .seconds(400))
    }
    #expect(walks.corrected(hour(1000), counted: asked)?.steps == 600)
    #expect(throws: ServiceRefusal.self) { try walks.answer(from: Self.at(15), to: Self.at(25), "not a walk") }
    try walks.answer(from: Self.at(10), to: Self.at(20), nil)
    #expect(walks.all(from: Self.start, to: Self.at(60)).isEmpty)
  }

  private func said() -> [DoubtfulWalk] { walks.all(from: Self.start, to: Self.at(60)) }

  @Test("a walk has a name and a kind across restarts, and its steps stay as they were counted")
  func names() throws {
    try walks.answer(from: Self.at(10), to: Self.at(20), nil, name: " Round the loch ")
    #expect(said().map(\.answer) == ["walk"])
    try walks.answer(from: Self.at(10), to: Self.at(20), "hike", name: "Round the loch")
    let kept = try WalkAnswers(folder: folder.path).all(from: Self.start, to: Self.at(60))
    #expect(kept.map(\.answer) == ["hike"] && kept.map(\.name) == ["Round the loch"] && kept == said())
    #expect(walks.corrected(hour(1000), counted: none) == nil)
    let line = kept[0].json(DayCalendar(timeZone: .gmt)).object
    #expect(line.hasSuffix(#""answer":"hike","name":"Round the loch"}"#), "\(line)")
    // It went on since.
    try walks.answer(from: Self.at(10), to: Self.at(22), "run")
    #expect(said().map(\.end) == [Self.at(22)] && said().map(\.answer) == ["run"])
    // A walk without a name is what it was before.
    try walks.answer(from: Self.at(10), to: Self.at(22), "walk")
    #expect(said().isEmpty)
  }

  @Test("what is left out does not come back by a name of the walk around it, and is left out once with all of it")
  func parts() throws {
    try walks.answer(from: Self.at(12), to: Self.at(14), "not a walk", name: "the bus")
    #expect(throws: ServiceRefusal.self) { try walks.answer(from: Self.at(10), to: Self.at(20), "run") }
    #expect(said().map(\.answer) == ["not a walk"] && said()[0].name == "the bus")
    try walks.answer(from: Self.at(10), to: Self.at(20), "not a walk")
    #expect(said().count == 1)
    #expect(walks.corrected(hour(1000)) { _, _ in WalkTotals(steps: 400) }?.steps == 600)
  }

  @Test("a run that was not counted counts by its answer, and not when it is left out as a walk later")
  func countedByAnswer() throws {
    try add(10.2, 19.8)
    try walks.answer(from: Self.at(10.2), to: Self.at(19.8), "run")
    #expect(walks.corrected(hour(100), counted: none)?.steps == 964)
    try walks.answer(from: Self.at(10), to: Self.at(20), "not a walk")
    #expect(walks.corrected(hour(100), counted: none)?.steps == 100)
    try walks.answer(from: Self.at(10), to: Self.at(20), nil)
    #expect(walks.corrected(hour(100), counted: none)?.steps == 964)
  }

  @Test("an answer to no question, or one that is none, is refused")
  func refusals() throws {
    func refused(_ from: Double, _ to: Double, _ answer: String?) {
      #expect(throws: ServiceRefusal.self) { try walks.answer(from: Self.at(from), to: Self.at(to), answer) }
    }
    refused(0, 5, "walk")
    refused(0, 5, nil)
    refused(5, 0, "cycling")
    refused(0, 1441, "cycling")
    refused(0, 5, " ")
    refused(0, 5, String(repeating: "a", count: 41))
    for name in ["", "a\u{7}", String(repeating: "a", count: 41)] {
      #expect(throws: ServiceRefusal.self) { try walks.answer(from: Self.at(0), to: Self.at(5), nil, name: name) }
    }
    #expect(walks.all(from: Self.start, to: Self.at(60)).isEmpty)
  }

  @Test("a file that is damaged is not replaced")
  func damage() throws {
    try Data("[".utf8).write(to: URL(filePath: folder.path + "/answers.json"))
    #expect(throws: StateFileError.self) { try WalkAnswers(folder: folder.path) }
  }
}
