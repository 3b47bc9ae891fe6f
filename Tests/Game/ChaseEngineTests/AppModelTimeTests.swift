import ChaseEngine
import Pedometry
import Platform
import TestSupport
import Testing

/// Time in the chase: strokes at whole seconds, updates at their times, independent of how often the owner calls.
@Suite("AppModel: time", .timeLimit(.minutes(30)))
struct AppModelTimeTests {
  /// A part of a chase in progress: the sensor's data, by time since the start of its session, and the user's action at
  /// the end.
  struct Stretch {
    var updates: [WalkTotals]
    var length: Duration
    var isPausedAfterwards: Bool
  }

  /// A random walk with pauses, the same for the same seed.
  static func walk(seed: UInt64) -> [Stretch] {
    var random = SplitMix64(seed: seed)
    return (0..<4).map { index in
      var updates: [WalkTotals] = []
      var elapsed = Duration.zero
      for step in 1...Int.random(in: 10...60, using: &random) {
        elapsed += .milliseconds(Int.random(in: 1...9, using: &random) * 125)
        updates.append(WalkTotals(steps: step, distanceTravelled: Double(step) * 0.75, elapsed: elapsed))
      }
      let rest = Duration.milliseconds(Int.random(in: 0...3000, using: &random))
      return Stretch(updates: updates, length: elapsed + rest, isPausedAfterwards: index < 3)
    }
  }

  /// Plays a walk. `cut` gives the longest advance of each call; `isEager` delivers all updates of a part at once.
  static func play(
    _ walk: [Stretch], settings: ChaseSettings, isEager: Bool, cut: () -> Duration
  ) throws -> [ChaseEvent] {
    let mock = MockPedometer()
    let model = AppModel(pedometer: mock, settings: settings)
    let log = EventLog(model)
    try model.dataModel.setGoal(120)
    for stretch in walk where [.notStarted, .paused].contains(model.appState) {
      try model.start()
      let beginning = model.now
      var updates = stretch.updates[...]
      while model.now < beginning + stretch.length {
        let target = min(model.now + cut(), beginning + stretch.length)
        while let update = updates.first, isEager || beginning + update.elapsed <= target {
          mock.sendData(updates.removeFirst())
        }
        model.advance(to: target)
      }
      if stretch.isPausedAfterwards, model.appState == .inProgress {
        try model.pause()
        model.advance(to: model.now + .seconds(2.5))
      }
    }
    return log.events
  }

  @Test(
    "the same walk gives the same events, however often the owner advances the time",
    arguments: [ChaseSettings.walking, .founding])
  func rhythm(settings: ChaseSettings) throws {
    for seed in UInt64(1)...12 {
      let walk = Self.walk(seed: seed)
      let once = try Self.play(walk, settings: settings, isEager: true) { .seconds(3600) }
      #expect(once.count > 3)
      let inFrames = try Self.play(walk, settings: settings, isEager: false) { .milliseconds(16) }
      #expect(inFrames == once, "seed \(seed), 16 ms")
      var random = SplitMix64(seed: seed &+ 99)
      let atRandom = try Self.play(walk, settings: settings, isEager: false) {
        .milliseconds(Int.random(in: 1...2500, using: &random))
      }
      #expect(atRandom == once, "seed \(seed), at random")
    }
  }

  @Test("a second advance to the same time, or to an earlier one, has no effect")
  func idempotent() throws {
    // given
    let chase = try Chase.inProgress()
    chase.model.advance(to: .seconds(3))
    let log = EventLog(chase.model)
    // when
    chase.model.advance(to: .seconds(3))
    chase.model.advance(to: .seconds(1))
    chase.model.advance(to: .seconds(-1))
    // then
    #expect(log.events == [])
    #expect(chase.model.now == .seconds(3))
  }

  @Test("strokes are at whole seconds of the chase: none at 0.999 s, one at 1 s")
  func wholeSeconds() throws {
    // given
    let chase = try Chase.inProgress()
    // when, then
    chase.model.advance(to: .milliseconds(999))
    #expect(chase.model.dataModel.nessie.distance == 0)
    chase.model.advance(to: .seconds(1))
    #expect(chase.model.dataModel.nessie.distance == 1.25)
    chase.model.advance(to: .milliseconds(4500))
    #expect(chase.model.dataModel.nessie.distance == 5)
  }

  @Test("a pause holds up Nessie, and the updates of that time")
  func waitsWhilePaused() throws {
    // given
    let chase = try Chase.inProgress()
    chase.wait(seconds: 4)
    try chase.model.pause()
    // when
    chase.wait(seconds: 3600)
    // then
    #expect(chase.model.dataModel.nessie.distance == 5)
    #expect(chase.model.appState == .paused)
    // when
    try chase.model.start()
    chase.wait(seconds: 1)
    // then
    #expect(chase.model.dataModel.nessie.distance == 6.25)
  }

  @Test("pausing within each second does not stop Nessie")
  func pausesDoNotCheat() throws {
    // given
    let chase = try Chase.inProgress()
    // when: ten times 0.9 s of chase
    for _ in 1...10 {
      chase.wait(seconds: 0.9)
      try chase.model.pause()
      chase.wait(seconds: 5)
      try chase.model.start()
    }
    // then
    #expect(chase.model.dataModel.nessie.distance == 9 * 1.25)
  }

  @Test("an update counts at its time: not earlier, and before the stroke of a later second")
  func samplesByTime() throws {
    // given
    let chase = try Chase.inProgress()
    let log = EventLog(chase.model)
    chase.pedometer.sendData(WalkTotals(steps: 1, distanceTravelled: 0.7, elapsed: .seconds(1.5)))
    chase.pedometer.sendData(WalkTotals(steps: 2, distanceTravelled: 1.4, elapsed: .seconds(2)))
    // when
    chase.model.advance(to: .seconds(1.2))
    // then
    #expect(chase.model.dataModel.steps == 0)
    // when
    chase.model.advance(to: .seconds(3))
    // then: simultaneous events are reported once
    #expect(log.frames.map(\.time) == [.seconds(1), .seconds(1.5), .seconds(2), .seconds(3)])
    #expect(log.frames.map(\.steps) == [0, 1, 2, 2])
    #expect(log.frames.map(\.nessieDistance) == [1.25, 1.25, 2.5, 3.75])
  }

  @Test("a late update counts at once and is not lost")
  func lateSample() throws {
    // given
    let chase = try Chase.inProgress()
    chase.wait(seconds: 5)
    let log = EventLog(chase.model)
    // when
    chase.pedometer.sendData(WalkTotals(steps: 6, distanceTravelled: 4, elapsed: .seconds(2)))
    chase.wait(seconds: 0)
    // then
    #expect(log.frames.map(\.steps) == [6])
    #expect(log.frames.map(\.time) == [.seconds(5)])
  }

  @Test("by arrival, a sensor's fast clock delays nothing")
  func arrival() throws {
    // given
    let mock = MockPedometer()
    let model = AppModel(pedometer: mock, updateTiming: .arrival)
    try model.dataModel.setGoal(100)
    try model.start()
    // when
    mock.sendData(WalkTotals(steps: 6, distanceTravelled: 4, elapsed: .seconds(3600)))
    model.advance(to: .milliseconds(20))
    // then
    #expect(model.dataModel.steps == 6)
  }

  @Test("an error waits for the updates delivered before it, which count")
  func errorAfterSamples() throws {
    // given
    let chase = try Chase.inProgress(goal: 4)
    let log = EventLog(chase.model)
    chase.pedometer.sendData(WalkTotals(steps: 2, distanceTravelled: 1.4, elapsed: .seconds(2)))
    chase.pedometer.sendEvent(PedometerError.sensorLost(reason: "the recording has ended"))
    // when
    chase.model.advance(to: .seconds(1))
    // then
    #expect(chase.model.appState == .inProgress)
    // when
    chase.model.advance(to: .seconds(10))
    // then
    #expect(log.alerts == [.milestone25Percent, .milestone50Percent, .dataAlert])
    #expect(log.states == [.paused])
    #expect(log.events.last?.time == .seconds(2))
    #expect(chase.model.dataModel.steps == 2)
  }

  @Test("goal and catch at the same instant: caught, and no good news")
  func tie() throws {
    // given: the founding Nessie is at 19 m after 2 s; the walker's last update of that instant takes him to 9 m
    let chase = try Chase.inProgress(goal: 100, settings: .founding)
    let log = EventLog(chase.model)
    chase.pedometer.sendData(WalkTotals(steps: 20, distanceTravelled: 9, elapsed: .milliseconds(500)))
    chase.pedometer.sendData(WalkTotals(steps: 100, distanceTravelled: 9, elapsed: .seconds(2)))
    // when
    chase.model.advance(to: .seconds(5))
    // then
    #expect(chase.model.appState == .caught)
    #expect(!log.alerts.contains(.goalComplete))
    #expect(log.events.last == .state(time: .seconds(2), .caught))
  }

  @Test("updates that are queued when the user pauses still count")
  func pauseTakesInFirst() throws {
    // given
    let chase = try Chase.inProgress()
    chase.pedometer.sendData(MockData(steps: 12, distanceTravelled: 9))
    // when
    try chase.model.pause()
    // then
    #expect(chase.model.dataModel.steps == 12)
  }

  @Test("updates of a paused session do not delay those of the next one")
  func pendingInputsAreDropped() throws {
    // given
    let chase = try Chase.inProgress()
    chase.pedometer.sendData(WalkTotals(steps: 900, distanceTravelled: 600, elapsed: .seconds(1000)))
    chase.wait(seconds: 1)
    try chase.model.pause()
    try chase.model.start()
    // when
    chase.pedometer.sendData(WalkTotals(steps: 3, distanceTravelled: 2, elapsed: .seconds(1)))
    chase.wait(seconds: 1)
    // then
    #expect(chase.model.dataModel.steps == 3)
  }

  @Test("a listener may pause, restart or advance the time while the time advances")
  func reentrancy() throws {
    // given
    let chase = try Chase.inProgress(goal: 8)
    let log = EventLog(chase.model)
    let token = chase.model.alertCenter.listenForAlerts { center in
      if center.topAlert == .milestone50Percent { chase.model.restart() }
      chase.model.advance(to: .seconds(7))
      center.clearAlerts()
    }
    // when
    chase.pedometer.sendData(WalkTotals(steps: 8, distanceTravelled: 5, elapsed: .seconds(2)))
    chase.model.advance(to: .seconds(3))
    // then: the restart in the middle of the announcements ends them
    #expect(log.alerts == [.milestone25Percent, .milestone50Percent])
    #expect(chase.model.appState == .notStarted)
    #expect(chase.model.now == .seconds(7))
    token.cancel()
  }

  @Test("replacing the pedometer during a chase stops the old one and continues with the new one")
  func exchange() throws {
    // given
    let chase = try Chase.inProgress()
    chase.send(steps: 10, distance: 7)
    let other = MockPedometer()
    // when
    chase.model.pedometer = other
    other.sendData(MockData(steps: 5, distanceTravelled: 3))
    chase.send(steps: 20, distance: 14)
    // then
    #expect(!chase.pedometer.isRunning)
    #expect(other.isRunning)
    #expect(chase.model.dataModel.steps == 15)
  }

  @Test("the owner is woken for each delivery")
  func wake() throws {
    // given
    let mock = MockPedometer()
    let calls = MockPedometer()
    let model = AppModel(pedometer: mock, wake: { calls.pause() })
    try model.dataModel.setGoal(10)
    try model.start()
    // when
    mock.sendData(MockData(steps: 1, distanceTravelled: 1))
    mock.sendEvent(nil)
    mock.sendEvent(MockPedometer.dataError)
    // then: the start of the sensor wakes nobody
    #expect(calls.pauseCalled == 2)
  }
}
