import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// Nessie, her two ways to pursue, and the defaults: who can win.
@Suite("Nessie")
struct NessieTests {
  @Test("testNessie_whenUpdated_incrementsDistance: by one velocity")
  func incrementsDistance() {
    // given
    let sut = Nessie()
    // when
    sut.incrementDistance()
    // then
    #expect(sut.distance == sut.velocity)
    #expect(sut.distance > 0)
  }

  @Test("she sleeps at first, wakes once, and sleeps where she is")
  func sleep() {
    // given
    let sut = Nessie(pursuer: .constant(velocity: 9.5))
    #expect(sut.isSleeping)
    #expect(sut.nextStroke == nil)
    // when, then
    sut.startSwimming(at: .seconds(5))
    #expect(!sut.isSleeping)
    #expect(sut.nextStroke == .seconds(6))
    sut.startSwimming(at: .seconds(5.5))
    #expect(sut.nextStroke == .seconds(6))
    // when, then
    sut.stopSwimming(at: .seconds(5.75))
    sut.stopSwimming(at: .seconds(5.9))
    #expect(sut.isSleeping)
    #expect(sut.nextStroke == nil)
    sut.startSwimming(at: .seconds(20))
    #expect(sut.nextStroke == .seconds(20.25))
  }
}

@Suite("pursuers")
struct PursuerTests {
  /// Walks to the end of a chase, with steps as long as the walk ratio has them at 1.70 m of height; a cadence for
  /// each second, the last one for all that follow.
  private func chase(
    cadence: (_ second: Int, _ isHunted: Bool) -> Int, goal: Int, settings: ChaseSettings
  ) throws -> AppModel {
    let mock = MockPedometer()
    let model = AppModel(pedometer: mock, settings: settings)
    try model.dataModel.setGoal(goal)
    try model.start()
    var steps = 0.0
    var distance = 0.0
    for second in 1...3600 where model.appState == .inProgress {
      let perMinute = Double(cadence(second, model.dataModel.nessie.isHunting))
      steps += perMinute / 60
      distance += perMinute / 60 * StepLengthModel.walkRatio().length(atCadence: perMinute / 60)
      mock.sendData(WalkSample(steps: Int(steps), distanceTravelled: distance, elapsed: .seconds(second)))
      model.advance(to: .seconds(second))
    }
    return model
  }

  @Test("by default a brisk walker reaches a goal of some hundred steps", arguments: [115, 120], [100, 300, 800])
  func briskWins(cadence: Int, goal: Int) throws {
    let model = try chase(cadence: { _, _ in cadence }, goal: goal, settings: .walking)
    #expect(model.appState == .completed)
  }

  @Test("by default a stroller is caught before 300 steps", arguments: [60, 80, 90, 100])
  func strollerLoses(cadence: Int) throws {
    let model = try chase(cadence: { _, _ in cadence }, goal: 300, settings: .walking)
    #expect(model.appState == .caught)
    #expect(model.dataModel.sentAlerts.suffix(3).contains(.caughtByNessie))
  }

  @Test("by default a brisk walker wins although the sensor is not sure for the first seconds")
  func lateDetection() throws {
    let model = try chase(cadence: { second, _ in second <= 8 ? 0 : 117 }, goal: 300, settings: .walking)
    #expect(model.appState == .completed)
  }

  @Test("by the founding figures nobody gets away on foot", arguments: [115, 150])
  func foundingIsUnwinnable(cadence: Int) throws {
    let model = try chase(cadence: { _, _ in cadence }, goal: 100, settings: .founding)
    #expect(model.appState == .caught)
    #expect(model.now == .seconds(2))
  }

  @Test("an adaptive Nessie keeps the gap while she rests and closes it by a fifth of the pace while she hunts")
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
        WalkSample(steps: second, distanceTravelled: pace * Double(second), elapsed: .seconds(second)))
      model.advance(to: .seconds(second))
      gaps.append(model.dataModel.gap)
    }
    // then
    #expect(abs(gaps[30] - 100) < 1e-6)
    #expect(abs(gaps[90] - (100 - 60 * 0.2 * pace)) < 1e-6)
    #expect(abs(gaps[120] - gaps[90]) < 1e-6)
    #expect(abs(gaps[180] - (100 - 120 * 0.2 * pace)) < 1e-6)
  }

  @Test("an adaptive Nessie catches who keeps an even pace, in the second hunt", arguments: [100, 115, 120])
  func adaptiveCatchesEvenPace(cadence: Int) throws {
    let model = try chase(cadence: { _, _ in cadence }, goal: 5000, settings: .adaptive)
    #expect(model.appState == .caught)
    #expect(model.now > .seconds(90))
    #expect(model.now <= .seconds(30 + 60 + 30 + 60))
  }

  @Test("who is a quarter faster in each hunt gets away from an adaptive Nessie")
  func adaptiveLetsFasterGo() throws {
    let model = try chase(cadence: { _, isHunted in isHunted ? 125 : 100 }, goal: 1500, settings: .adaptive)
    #expect(model.appState == .completed)
  }

  @Test("an adaptive Nessie catches who stands, too")
  func adaptiveCatchesStanding() throws {
    let model = try chase(cadence: { _, _ in 0 }, goal: 100, settings: .adaptive)
    #expect(model.appState == .caught)
    #expect(model.now == .seconds(30 + 20))
  }

  @Test("the speed of a hunt is fixed when it begins; a pause in it neither ends nor prolongs it")
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

  @Test("the sentences of refused settings say what to give")
  func sentences() {
    #expect("\(InvalidChaseSetting.velocity(-1))" == "Nessie cannot swim at -1.0 m/s; give a speed above 0, as 1.25")
    #expect("\(InvalidChaseSetting.headstart(-1))" == "a head start of -1.0 m is none; give 0 m or more, as 20")
  }
}
