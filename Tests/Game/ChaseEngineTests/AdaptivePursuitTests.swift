import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// Hunts and rests.
@Suite("AdaptivePursuit", .timeLimit(.minutes(30)))
struct AdaptivePursuitTests {
  @Test("an adaptive Nessie keeps the gap in a rest and closes it by a fifth of the speed in a hunt")
  func adaptiveGap() throws {
    // given: 100 steps/min for ever
    let pace = 100.0 / 60 * StepLengthModel.walkRatio().length(atCadence: 100.0 / 60)
    let settings = try ChaseSettings(pursuer: .adaptive, headstart: 100)
    var gaps: [Double] = [100]
    let mock = MockPedometer()
    let model = AppModel(pedometer: mock, settings: settings)
    try model.dataModel.setGoal(10_000)
    try model.start()
    // when
    for second in 1...180 {
      mock.sendData(
        WalkTotals(steps: second, distanceTravelled: pace * Double(second), elapsed: .seconds(second)))
      model.advance(to: .seconds(second))
      gaps.append(model.dataModel.gap)
    }
    // then
    #expect(abs(gaps[30] - 100) < 1e-6)
    #expect(abs(gaps[90] - (100 - 60 * 0.2 * pace)) < 1e-6)
    #expect(abs(gaps[120] - gaps[90]) < 1e-6)
    #expect(abs(gaps[180] - (100 - 120 * 0.2 * pace)) < 1e-6)
  }

  @Test("an adaptive Nessie catches a walker with an even speed, in the second hunt", arguments: [100, 115, 120])
  func adaptiveCatchesEvenPace(cadence: Int) throws {
    let model = try playChase(cadence: { _, _ in cadence }, goal: 5000, settings: .adaptive)
    #expect(model.appState == .caught)
    #expect(model.now > .seconds(90))
    #expect(model.now <= .seconds(30 + 60 + 30 + 60))
  }

  @Test("a walker who is a quarter faster in each hunt escapes an adaptive Nessie")
  func adaptiveLetsFasterGo() throws {
    let model = try playChase(cadence: { _, isHunted in isHunted ? 125 : 100 }, goal: 1500, settings: .adaptive)
    #expect(model.appState == .completed)
  }

  @Test("an adaptive Nessie also catches a standing walker")
  func adaptiveCatchesStanding() throws {
    let model = try playChase(cadence: { _, _ in 0 }, goal: 100, settings: .adaptive)
    #expect(model.appState == .caught)
    #expect(model.now == .seconds(30 + 20))
  }

  @Test("the speed of a hunt is fixed at its beginning; a pause neither ends nor extends it")
  func huntSurvivesPause() throws {
    // given: a chase with a hunt from 30 s to 90 s
    let settings = try ChaseSettings(pursuer: .adaptive, headstart: 1000)
    let walker = SteadyWalker(cadence: 120, stepLength: 0.75)
    let model = AppModel(pedometer: walker, settings: settings)
    try model.dataModel.setGoal(10_000)
    try model.start()
    walker.walk(for: .seconds(50))
    model.advance(to: .seconds(50))
    let speed = model.dataModel.nessie.velocity
    #expect(abs(speed - 1.8) < 1e-9)
    // when: a pause of 100 s, then the walker stands
    try model.pause()
    model.advance(to: .seconds(150))
    try model.start()
    model.advance(to: .seconds(190))
    // then
    #expect(model.dataModel.nessie.velocity == speed)
    #expect(model.dataModel.nessie.isHunting)
    model.advance(to: .seconds(191))
    #expect(!model.dataModel.nessie.isHunting)
  }
}
