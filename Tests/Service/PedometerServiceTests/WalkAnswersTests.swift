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
    #expect(corrected.steps == 1000 && corrected.distanceTravelled == 680 && corrected.activeTime == 700)
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
    #expect(walks.all(from: Self.start, to: Self.at(60)).isEmpty)
  }

  @Test("a file that is damaged is not replaced")
  func damage() throws {
    try Data("[".utf8).write(to: URL(filePath: folder.path + "/answers.json"))
    #expect(throws: StateFileError.self) { try WalkAnswers(folder: folder.path) }
  }
}
