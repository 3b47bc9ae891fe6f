import ChaseEngine
import Testing

@testable import PedometerCommands

@Suite("ChaseScript", .timeLimit(.minutes(30)))
struct ChaseScriptTests {
  @Test("the lead is said every 30 s of a chase, and again in the next one")
  func lead() {
    func frame(_ seconds: Int, _ gap: Double, _ state: AppState = .inProgress) -> ChaseFrame {
      ChaseFrame(
        time: .zero, state: state, steps: 0, goal: 1, distance: 0, nessieDistance: 0, gap: gap, runner: 0, nessie: 0,
        elapsed: .seconds(seconds))
    }
    var script = ChaseScript()
    #expect(script.sentence(at: frame(29, 20)) == nil)
    #expect(script.sentence(at: frame(30, 19.6)) == "Nessie is 20 metres behind you.")
    #expect(script.sentence(at: frame(59, 9)) == nil)
    #expect(script.sentence(at: frame(61, 1.2)) == "Nessie is 1 metre behind you.")
    #expect(script.sentence(at: frame(95, 1, .paused)) == nil)
    #expect(script.sentence(at: frame(30, 3)) == "Nessie is 3 metres behind you.")
  }
}
