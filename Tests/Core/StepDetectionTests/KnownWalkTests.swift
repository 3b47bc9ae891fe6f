import Accelerometry
import Pedometry
import Recordings
import TestSupport
import Testing

@testable import StepDetection

@Suite("Known and learned walks", .timeLimit(.minutes(30)))
struct KnownWalkTests {
  /// A gate for which nothing is walking, by so much.
  private static func strictGate(_ least: Float = -8) -> GateModels {
    var models = GateModels.shipped
    let all: [WritableKeyPath<GateModels, WalkingModel>] = [
      \.ordinary, \.withoutGravity, \.slow, \.slowWithoutGravity,
    ]
    for model in all {
      let shipped = models[keyPath: model]
      models[keyPath: model] = WalkingModel(
        knots: shipped.knots, slopes: [Float](repeating: 0, count: shipped.slopes.count),
        bias: [least] + [Float](repeating: 20, count: WalkingModel.parts - 1))
    }
    return models
  }

  private func steps(
    in samples: [AccelerationSample], _ recognition: WalkRecognition, models: GateModels? = nil
  ) -> [Step] {
    var detector = StepDetector(latency: StepDetector.longestRevision, recognition: recognition)
    if let models { detector.models = models }
    var steps: [Step] = []
    detector.process(samples.span, into: &steps)
    detector.finish(into: &steps)
    return steps
  }

  private func walk(_ change: (inout SyntheticWalk) -> Void = { _ in }) throws -> [AccelerationSample] {
    try SyntheticWalk {
      $0.duration = .seconds(60)
      $0.position = .pocket
      change(&$0)
    }.samples()
  }

  private func learned(from samples: [AccelerationSample]) throws -> WalkProfile {
    var learner = WalkLearner()
    learner.process(samples.span)
    learner.finish()
    return try learner.profile()
  }

  @Test(
    "a known walk is counted, whatever the gate says of it", arguments: [SensorPlacement.wrist, .pocket, .lowerBack])
  func known(position: SensorPlacement) throws {
    let samples = try walk { $0.position = position }
    #expect(steps(in: samples, .gate, models: Self.strictGate()).isEmpty)
    let counted = steps(in: samples, .known, models: Self.strictGate())
    #expect(deviation(counted.count, from: try SyntheticWalk { $0.duration = .seconds(60) }.steps.count) < 0.03)
  }

  @Test("standing before and after a known walk is not counted, nor a pause in it")
  func edges() throws {
    let samples = try walk {
      $0.lead = .seconds(15)
      $0.tail = .seconds(15)
      $0.bout = .seconds(20)
      $0.pause = .seconds(10)
      $0.noise = 0.01
    }
    let truth = try SyntheticWalk {
      $0.duration = .seconds(60)
      $0.lead = .seconds(15)
      $0.tail = .seconds(15)
      $0.bout = .seconds(20)
      $0.pause = .seconds(10)
    }.steps
    let counted = steps(in: samples, .known).map(\.timestamp)
    #expect(deviation(counted.count, from: truth.count) < 0.06)
    let (first, last) = (try #require(counted.first), try #require(counted.last))
    #expect(first > .seconds(14) && last < .seconds(76.5))
  }

  @Test("some seconds of movement that is weak beside that of a known walk are none of its steps")
  func weakMovement() throws {
    let strong = try walk { $0.duration = .seconds(30) }
    let weak = strong.map { sample in
      AccelerationSample(
        nanoseconds: sample.nanoseconds + 30_000_000_000,
        acceleration: [0, 0, 1] + 0.2 * (sample.acceleration - strong[0].acceleration))
    }
    let counted = steps(in: strong + weak[..<300], .known)
    #expect(counted.count > 50 && counted.allSatisfy { $0.timestamp < .seconds(31) })
    // On its own it is the walk.
    #expect(steps(in: weak, .known).count > 45)
  }

  @Test("rest is no walk, even if the recording is said to be one")
  func rest() throws {
    #expect(steps(in: try walk { $0.activity = .standing }, .known).isEmpty)
  }

  @Test("the confidence in a known walk is 1")
  func confidence() throws {
    var counter = WalkCounter(recognition: .known)
    counter.explains = true
    let samples = try walk()
    let found = counter.process(samples.span) + counter.finish()
    #expect(!found.isEmpty && found.allSatisfy { $0.confidence == 1 })
  }

  @Test("what resembles a learned walk is counted, and nothing else is")
  func resembling() throws {
    let models = Self.strictGate(-3)
    let profile = try learned(from: walk { $0.seed = 1 })
    let other = try walk { $0.seed = 2 }
    #expect(steps(in: other, .gate, models: models).isEmpty)
    #expect(deviation(steps(in: other, .learned(profile), models: models).count, from: 110) < 0.06)
    let different = try walk {
      $0.activity = .brushingTeeth
      $0.position = .wrist
    }
    #expect(steps(in: different, .learned(profile), models: models).isEmpty)
    // Of samples without gravity it says nothing.
    let linear = try walk { $0.gravityRemoved = true }
    #expect(steps(in: linear, .learned(profile), models: models).isEmpty)
    #expect(try learned(from: linear).lacksGravity)
  }

  @Test("a profile takes no step from anyone, and changes nothing where the gate has no objection")
  func harmless() throws {
    let profile = try learned(from: walk())
    for samples in [try walk(), try walk { $0.activity = .running }] {
      let usual = steps(in: samples, .gate).count
      #expect(steps(in: samples, .learned(profile)).count >= usual)
    }
  }

  @Test("a profile has at most 24 examples, and is the same for the same recording in any pieces", arguments: [1, 997])
  func examples(size: Int) throws {
    let samples = try walk()
    var learner = WalkLearner()
    for start in stride(from: 0, to: samples.count, by: size) {
      learner.process(samples[start..<min(start + size, samples.count)].span)
    }
    learner.finish()
    let profile = try learner.profile()
    #expect(profile.examples.count == 24 && profile.examples[0].count == 48 && !profile.lacksGravity)
    #expect(profile == (try learned(from: samples)))
    #expect(deviation(learner.steps, from: 110) < 0.05 && learner.walked > .seconds(45))
    let another = try learned(from: walk { $0.seed = 9 })
    #expect(profile.fingerprint.utf8.count == 16 && profile.fingerprint != another.fingerprint)
  }

  @Test("too short a walk, rest and noise cannot be learned")
  func refusals() throws {
    #expect(throws: WalkLearner.Refusal.tooShort) { try learned(from: walk { $0.duration = .seconds(12) }) }
    #expect(throws: WalkLearner.Refusal.tooShort) {
      try learned(from: walk { $0.activity = .standing })
    }
    #expect(WalkProfile(examples: []) == nil)
    #expect(WalkProfile(examples: [[1, 2, 3]]) == nil)
    let row = [Float](repeating: 0.5, count: 48)
    #expect(WalkProfile(examples: [row]) != nil)
    #expect(WalkProfile(examples: [row, Array(row[..<20])]) == nil)
    #expect(WalkProfile(examples: [row, [.nan] + row[1...]]) == nil)
  }
}
