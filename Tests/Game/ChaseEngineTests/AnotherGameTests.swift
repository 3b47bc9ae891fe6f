import ChaseEngine
import Foundation
import Pedometry
import TestSupport
import Testing

/// A beacon every fifty steps, five in all, before the fog comes in from the sea.
final class BeaconWalk {
  let model: AppModel
  private(set) var lit = 0
  private(set) var story: [String] = []
  private var reporter: ChaseReporter?

  init(pedometer: any Pedometer) throws {
    let fog = try ChaseSettings(velocity: 0.8, headstart: 40)
    model = AppModel(pedometer: pedometer, settings: fog)
    try model.dataModel.setGoal(250)
    reporter = ChaseReporter(model: model) { [weak self] in self?.hear($0) }
  }

  private func hear(_ event: ChaseEvent) {
    switch event {
    case .chase(let frame): lightBeacons(frame.steps / 50)
    case .alert(_, let alert) where alert.severity == .good: story.append(alert.text)
    case .alert(_, .nessie90Percent): story.append("The fog is at your heels.")
    case .alert(_, .dataAlert), .alert(_, .notAuthorized), .alert(_, .noPedometer): story.append("Nothing counts.")
    case .state(_, .completed): story.append("All beacons burn.")
    case .state(_, .caught): story.append("The fog has swallowed you.")
    case .alert, .state: break
    }
  }

  private func lightBeacons(_ due: Int) {
    while lit < due {
      lit += 1
      let kind = Alert.Kind(rawValue: "beacon\(lit)")
      model.alertCenter.postAlert(alert: Alert(kind: kind, text: "Beacon \(lit) burns.", severity: .good))
    }
  }
}

extension BeaconWalk {
  func play(for length: Duration, walking: (Duration) -> Void) throws {
    try model.start()
    let frame = Duration.milliseconds(100)
    while model.appState == .inProgress, model.now < length {
      walking(frame)
      model.advance(to: model.now + frame)
    }
  }
}

@Suite("the article: build another game", .timeLimit(.minutes(30)))
struct AnotherGameTests {
  @Test("a walker who keeps walking lights all beacons")
  func won() throws {
    // given
    let walker = SteadyWalker(cadence: 110, stepLength: 0.7)
    let game = try BeaconWalk(pedometer: walker)
    // when
    try game.play(for: .seconds(300), walking: walker.walk)
    // then
    #expect(game.lit == 5)
    #expect(game.story.filter { $0.hasPrefix("Beacon") }.count == 5)
    #expect(game.story.last == "All beacons burn.")
  }

  @Test("a slow walker ends in the fog")
  func lost() throws {
    // given
    let walker = SteadyWalker(cadence: 30, stepLength: 0.5)
    let game = try BeaconWalk(pedometer: walker)
    // when
    try game.play(for: .seconds(300), walking: walker.walk)
    // then
    #expect(game.lit < 5)
    #expect(game.story.suffix(2) == ["The fog is at your heels.", "The fog has swallowed you."])
  }

  @Test("without a sensor the story reports it and the game does not begin")
  func noSensor() throws {
    // given
    let game = try BeaconWalk(pedometer: NoPedometer())
    // when
    try game.play(for: .seconds(300)) { _ in }
    // then
    #expect(game.story == ["Nothing counts."])
    #expect(game.model.now == .zero)
  }

  @Test("each block of code in the article is in this file, so it compiles and is played")
  func articleIsCompiled() throws {
    // given
    let article = Repository.path("Sources/Game/ChaseEngine/ChaseEngine.docc/AnotherGame.md")
    let text = try String(contentsOfFile: article, encoding: .utf8)
    let code = try String(contentsOfFile: #filePath, encoding: .utf8)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    // then
    #expect(blocks.count == 3)
    for block in blocks { #expect(code.contains(block), "not in this file:\n\(block)") }
  }
}
