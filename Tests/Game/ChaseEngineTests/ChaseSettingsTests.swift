import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The rules, and who can win by them.
@Suite("ChaseSettings", .timeLimit(.minutes(30)))
struct ChaseSettingsTests {
  @Test("by default a brisk walker reaches a goal of some hundred steps", arguments: [115, 120], [100, 300, 800])
  func briskWins(cadence: Int, goal: Int) throws {
    let model = try playChase(cadence: { _ in cadence }, goal: goal, settings: .walking)
    #expect(model.appState == .completed)
  }

  @Test("by default a slow walker is caught before 300 steps", arguments: [60, 80, 90, 100])
  func strollerLoses(cadence: Int) throws {
    let model = try playChase(cadence: { _ in cadence }, goal: 300, settings: .walking)
    #expect(model.appState == .caught)
    #expect(model.dataModel.sentAlerts.suffix(3).contains(.caughtByNessie))
  }

  @Test("by default a brisk walker wins even if the sensor confirms the first steps late")
  func lateDetection() throws {
    let model = try playChase(cadence: { second in second <= 8 ? 0 : 117 }, goal: 300, settings: .walking)
    #expect(model.appState == .completed)
  }

  @Test("with the founding figures walkers cannot win", arguments: [115, 150])
  func foundingIsUnwinnable(cadence: Int) throws {
    let model = try playChase(cadence: { _ in cadence }, goal: 100, settings: .founding)
    #expect(model.appState == .caught)
    #expect(model.now == .seconds(2))
  }

  @Test("the sentences of refused settings state valid values")
  func sentences() {
    #expect(
      "\(InvalidChaseSetting.velocity(-1))" == "Nessie cannot swim at -1.0 m/s; give a speed above 0, such as 1.25")
    #expect("\(InvalidChaseSetting.headstart(-1))" == "a head start of -1.0 m is invalid; give 0 m or more, such as 20")
  }
}
