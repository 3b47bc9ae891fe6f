import Recordings
import SourceNames
import Testing

@Suite(.timeLimit(.minutes(30))) struct SyntheticWalkSettingsTests {
  private func settings(_ text: String) throws -> [SourceURI.Setting] {
    guard case .synthetic(let settings) = try SourceURI(parsing: "synthetic:" + text) else { return [] }
    return settings
  }

  @Test("a source's name sets every parameter of the walk")
  func allSettings() throws {
    let walk = try SyntheticWalk(
      settings: settings(
        "cadence=95,duration=30,position=pocket,rate=100,seed=7,noise=0.01,jitter=0.1,lost=0.05,range=4,bits=12,"
          + "orientation=10/20/-30,gravityRemoved=true,lead=2,tail=3,bout=20,pause=5,activity=running,stepLength=0.9,"
          + "variability=0.03,drift=0,steps=50,armSwing=20"))
    var expected = SyntheticWalk()
    (expected.cadence, expected.duration, expected.position, expected.rate) = (95, .seconds(30), .pocket, 100)
    (expected.seed, expected.noise, expected.jitter, expected.lost) = (7, 0.01, 0.1, 0.05)
    (expected.range, expected.bits, expected.gravityRemoved) = (4, 12, true)
    expected.orientation = .rotated(roll: 10, pitch: 20, yaw: -30)
    (expected.lead, expected.tail, expected.bout, expected.pause) = (
      .seconds(2), .seconds(3), .seconds(20), .seconds(5)
    )
    (expected.activity, expected.stepLength, expected.variability, expected.drift) = (.running, 0.9, 0.03, 0)
    (expected.stepCount, expected.armSwing) = (50, 20)
    #expect(walk == expected)
  }

  @Test("the settings of a walk create the same walk")
  func roundTrip() throws {
    var walk = try SyntheticWalk(settings: settings("cadence=95,steps=50,orientation=random,bits=12,seed=9,rate=33.3"))
    #expect(try SyntheticWalk(settings: walk.settings) == walk)
    walk = SyntheticWalk()
    #expect(try SyntheticWalk(settings: walk.settings) == walk)
  }

  @Test("without settings, the walk is the default one")
  func noSettings() throws {
    #expect(try SyntheticWalk(settings: []) == SyntheticWalk())
  }

  @Test("an unknown key is refused with a list of the keys")
  func unknownKey() throws {
    let error = #expect(throws: SyntheticWalkError.self) { try SyntheticWalk(settings: settings("speed=3")) }
    let text = "\(try #require(error))"
    #expect(text.contains("'speed'"))
    #expect(SyntheticWalk.settingKeys.allSatisfy { text.contains($0) })
  }

  @Test(
    "an invalid value is refused with the valid ones",
    arguments: [
      "cadence=fast", "cadence=0", "cadence=nan", "cadence=1000", "rate=-50", "rate=inf", "duration=-1", "steps=1.5",
      "steps=0", "seed=-1", "seed=x", "position=hat", "orientation=1/2", "orientation=a/b/c", "orientation=1/2/inf",
      "jitter=0.5", "lost=1", "range=0", "bits=3", "bits=99", "gravityRemoved=perhaps", "activity=swimming",
      "noise=-1", "bout=1", "pause=0", "stepLength=9", "armSwing=90",
    ])
  func badValues(text: String) throws {
    let error = #expect(throws: SyntheticWalkError.self) { try SyntheticWalk(settings: settings(text)) }
    let key = text.prefix { $0 != "=" }
    #expect("\(try #require(error))".hasPrefix("\(text) is invalid for a synthetic walk; \(key) is "))
  }

  @Test("a number of steps is refused for an activity without steps")
  func stepsWithoutGait() {
    #expect(throws: SyntheticWalkError.self) { try SyntheticWalk(settings: settings("activity=typing,steps=10")) }
  }

  @Test("values set in code are checked when the walk is generated")
  func badProperties() {
    var walk = SyntheticWalk()
    walk.rate = .nan
    #expect(throws: SyntheticWalkError.self) { try walk.reader() }
    #expect(throws: SyntheticWalkError.self) { try walk.steps }
    walk = SyntheticWalk()
    walk.program = [.init(.walking, .seconds(-1))]
    #expect(throws: SyntheticWalkError.self) { try walk.footStrikes() }
    walk.program = [.init(.walking, .seconds(10), cadence: 0)]
    #expect(throws: SyntheticWalkError.self) { try walk.footStrikes() }
  }
}
