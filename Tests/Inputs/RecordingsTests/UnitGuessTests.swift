import Accelerometry
import Testing

@testable import Recordings

@Suite("Guessing units", .timeLimit(.minutes(30)))
struct UnitGuessTests {
  /// Seconds of 50 samples: a mean vector, and motion of this root mean square around it.
  private func evidence(_ seconds: [(mean: Double, motion: Double)]) -> UnitEvidence {
    var evidence = UnitEvidence()
    for (index, second) in seconds.enumerated() {
      for row in 0..<50 {
        let motion = row % 2 == 0 ? second.motion : -second.motion
        evidence.add(
          nanoseconds: Int64(index) * 1_000_000_000 + Int64(row) * 20_000_000,
          acceleration: SIMD3(Float(second.mean), Float(motion), 0))
      }
    }
    evidence.endStretch()
    return evidence
  }

  @Test("a second is summarised by the length of its mean vector and the motion around it")
  func seconds() {
    let seconds = evidence([(1, 0.25), (2, 0.5)]).seconds
    #expect(seconds.map(\.samples) == [50, 50])
    #expect(seconds.map { ($0.mean * 100).rounded() } == [100, 200])
    #expect(seconds.map { ($0.motion * 100).rounded() } == [25, 50])
  }

  @Test("a pause and a clock change start another second, and a short remainder at the end is ignored")
  func broken() {
    var evidence = UnitEvidence()
    for time in [0, 300, 600, 5000, 5300, 5600, 100, 400, 700, 1100] {
      evidence.add(nanoseconds: Int64(time) * 1_000_000, acceleration: [1, 0, 0])
    }
    evidence.endStretch()
    #expect(evidence.seconds.map(\.samples) == [3, 3, 3])
  }

  @Test(
    "a few samples far from their second's median do not affect the guess", arguments: [500, 1e6, 1e30] as [Float])
  func spikes(size: Float) throws {
    var evidence = UnitEvidence()
    for row in 0..<250 {
      let spikes = row % 50 == 7 || row == 20
      evidence.add(
        nanoseconds: Int64(row) * 20_000_000, acceleration: [spikes ? size : 1, row % 2 == 0 ? 0.25 : -0.25, 0])
    }
    evidence.endStretch()
    #expect(evidence.seconds.allSatisfy { abs($0.mean - 1) < 0.01 && abs($0.motion - 0.25) < 0.01 })
    let guess = UnitGuess(evidence, isLinear: false)
    #expect(guess.unit == .g && !guess.gravityRemoved && guess.doubt == nil)
  }

  @Test("where only a part of a recording lacks gravity, the doubt does not call one g too little")
  func interrupted() {
    let seconds = (0..<60).map { (mean: $0 % 3 == 0 ? 0.0 : 1.0, motion: $0 % 3 == 0 ? 0.0 : 0.3) }
    let guess = UnitGuess(evidence(seconds), isLinear: false)
    let sentence = "(the mean acceleration of a second is 1 or more in half of it, and 0 or less in a fifth)"
    #expect(guess.gravityRemoved && guess.doubt?.contains(sentence) == true, "\(guess.doubt ?? "")")
    let linear = UnitGuess(evidence((0..<60).map { _ in (mean: 0.02, motion: 0.5) }), isLinear: false)
    #expect(
      linear.doubt?.hasPrefix("gravity seems to be removed (the mean acceleration of a second is 0.02), ") == true)
  }

  @Test("motion in a third of a second counts, however still the rest is")
  func bursts() {
    var evidence = UnitEvidence()
    for row in 0..<500 {
      let height: Float = row % 50 < 17 ? (row % 2 == 0 ? 12 : -12) : 0.05
      evidence.add(nanoseconds: Int64(row) * 20_000_000, acceleration: [height, 0, 0])
    }
    evidence.endStretch()
    #expect(evidence.motion > 6)
    #expect(UnitGuess(evidence, isLinear: false).unit == .metresPerSecondSquared)
  }

  @Test("a foot with impacts of 8 to 16 g is in g", arguments: [8, 12, 16] as [Float])
  func impacts(height: Float) {
    var evidence = UnitEvidence()
    for row in 0..<2000 {
      // A stride per second: an impact of 40 ms, a swing, a stance.
      let phase = row % 100
      let x: Float = phase < 4 ? height : phase < 40 ? (phase % 2 == 0 ? 3 : -1.5) : 1
      evidence.add(nanoseconds: Int64(row) * 10_000_000, acceleration: [x, 0.1, 0])
    }
    evidence.endStretch()
    let guess = UnitGuess(evidence, isLinear: false)
    #expect(guess.unit == .g && !guess.gravityRemoved)
  }

  @Test(
    "gravity shows the unit, however strong the motion, and doubt is reported",
    arguments: [
      (1.0, AccelerationUnit.g, false), (1.4, .g, false), (9.81, .metresPerSecondSquared, false),
      (12, .metresPerSecondSquared, false), (1000, .milliG, false), (1024, .milliG, false),
      (256, .raw(countsPerG: 256), true), (4100, .raw(countsPerG: 4096), true),
      (16_000, .raw(countsPerG: 16_384), true), (64, .raw(countsPerG: 64), true), (0.6, .g, true), (2.5, .g, true),
      (20, .metresPerSecondSquared, true), (60_000, .raw(countsPerG: 65_536), true),
    ], [0.01, 0.3, 1.8])
  func gravity(_ row: (size: Double, unit: AccelerationUnit, isDoubtful: Bool), motion: Double) {
    let guess = UnitGuess(
      evidence((0..<20).map { _ in (row.size, row.size * motion) }), isLinear: false)
    #expect(guess.unit == row.unit)
    #expect((guess.doubt != nil) == row.isDoubtful)
    #expect(!guess.gravityRemoved && !guess.isAbsurd && guess.question == nil)
  }

  @Test("after a few seconds of strong motion, gravity is reported as doubtful and the search continues")
  func weak() {
    let few = UnitGuess(evidence((0..<5).map { _ in (1, 2.5) }), isLinear: false)
    #expect(few.unit == .g && few.question == .gravity && few.doubt?.contains("\(RecordingOption.unit)") == true)
    let many = UnitGuess(evidence((0..<20).map { _ in (1, 2.5) }), isLinear: false)
    #expect(many.unit == .g && many.question == nil && many.doubt == nil)
    let hard = UnitGuess(evidence((0..<20).map { _ in (1, 3.6) }), isLinear: false)
    #expect(hard.unit == .g && hard.question == nil && hard.doubt?.contains("\(RecordingOption.unit)") == true)
  }

  @Test(
    "without gravity, the motion of the seconds with more motion shows the unit",
    arguments: [
      (0.3, AccelerationUnit.g), (1.5, .g), (2.2, .metresPerSecondSquared), (12, .metresPerSecondSquared),
      (300, .milliG), (2000, .milliG),
    ])
  func motion(motion: Double, unit: AccelerationUnit) {
    let quiet = (0..<40).map { _ in (mean: 0.01 * motion, motion: 0.01 * motion) }
    let walk = (0..<10).map { _ in (mean: 0.1 * motion, motion: motion) }
    for isLinear in [false, true] {
      let guess = UnitGuess(evidence(quiet + walk), isLinear: isLinear)
      #expect(guess.unit == unit && guess.gravityRemoved)
      #expect(guess.question == nil)
      #expect((UnitGuess(evidence(walk), isLinear: isLinear).question == .motion) == (unit == .g))
      #expect(guess.doubt?.contains("gravity") == !isLinear)
      #expect(guess.doubt?.hasSuffix("state it with \(RecordingOption.unit)") == true)
    }
  }

  @Test("without motion and gravity there is no evidence, and that is reported")
  func stillness() {
    let guess = UnitGuess(evidence((0..<20).map { _ in (0.02, 0.03) }), isLinear: false)
    #expect(guess.unit == .g && guess.gravityRemoved && guess.question == .motion)
    #expect(guess.doubt?.contains("too little motion") == true)
  }

  @Test(
    "a magnitude that fits no unit is absurd, with gravity and without",
    arguments: [(1e5, 10.0), (1e30, 1e29), (0, 4e3)])
  func absurd(mean: Double, motion: Double) {
    #expect(UnitGuess(evidence([(mean, motion), (mean, motion), (mean, motion)]), isLinear: false).isAbsurd)
  }

  @Test("one second suffices for gravity with little motion, but not for possible motion in m/s²")
  func clear() {
    #expect(UnitGuess.isClear(evidence([(1, 0.4)])))
    #expect(!UnitGuess.isClear(evidence([(1, 0.8)])))
    #expect(UnitGuess.isClear(evidence([(9.8, 12)])))
    #expect(!UnitGuess.isClear(evidence([(0.1, 0.01)])))
    #expect(!UnitGuess.isClear(evidence([(4096, 1)])))
  }

  /// An arm that boxes: it turns so much that hardly anything of gravity is left in a second.
  private let boxing = (0..<40).map { _ in (mean: 0.3, motion: 2.4) }

  private func scaled(_ seconds: [(mean: Double, motion: Double)], by size: Double) -> UnitEvidence {
    evidence(seconds.map { ($0.mean * size, $0.motion * size) })
  }

  @Test(
    "a second of rest among movement without a mean shows gravity, and the unit",
    arguments: [
      (1, AccelerationUnit.g), (9.81, .metresPerSecondSquared), (1000, .milliG), (16_384, .raw(countsPerG: 16_384)),
      (256, .raw(countsPerG: 256)),
    ])
  func restInMovement(size: Double, unit: AccelerationUnit) {
    let guess = UnitGuess(scaled(boxing + [(1, 0.02)] + boxing, by: size), isLinear: false)
    #expect(guess.unit == unit && !guess.gravityRemoved && guess.question == nil)
    let isRaw = if case .raw = unit { true } else { false }
    #expect((guess.doubt != nil) == isRaw)
  }

  @Test("half a second of rest in a recording of a few seconds is enough")
  func shortRest() {
    var evidence = UnitEvidence()
    for row in 0..<200 {
      let isRest = (125..<150).contains(row)
      evidence.add(
        nanoseconds: Int64(row) * 20_000_000,
        acceleration: [isRest ? 1 : 0.3, isRest ? 0.02 : row % 2 == 0 ? 2.4 : -2.4, 0])
    }
    evidence.endStretch()
    let guess = UnitGuess(evidence, isLinear: false)
    #expect(guess.unit == .g && !guess.gravityRemoved)
  }

  @Test("movement without a rest, and without a mean, is in m/s² without gravity, as before")
  func alwaysMoving() {
    let guess = UnitGuess(evidence(boxing), isLinear: false)
    #expect(guess.unit == .metresPerSecondSquared && guess.gravityRemoved && guess.question == nil)
    #expect(UnitGuess(evidence(Array(boxing.prefix(5))), isLinear: false).question == .rest)
  }

  @Test(
    "a rest is no gravity if another second is as still without it, and if the movement is too strong for it",
    arguments: [[(1, 0.02), (0.01, 0.02)], [(1, 0.02), (2, 20), (2, 20), (2, 20)], [(0.5, 0.02)], [(3, 0.02)]]
      as [[(mean: Double, motion: Double)]])
  func noGravityAtRest(others: [(mean: Double, motion: Double)]) {
    let guess = UnitGuess(evidence(boxing + others), isLinear: false)
    #expect(guess.unit == .metresPerSecondSquared && guess.gravityRemoved)
  }

  @Test("a stated unit in which a rest is one g has gravity")
  func statedUnit() {
    let seen = evidence(boxing + [(1, 0.02)])
    #expect(!UnitGuess.lacksGravity(seen, unit: .g))
    #expect(UnitGuess.lacksGravity(seen, unit: .metresPerSecondSquared))
  }

  @Test("no samples still give a guess")
  func nothing() { #expect(UnitGuess(UnitEvidence(), isLinear: false).unit == .g) }

  @Test(
    "the typical interval between samples shows the unit of timestamps",
    arguments: [
      ([0, 1, 2, 3], -2, TimestampFormat.seconds), ([0, 20, 40, 61], 0, .milliseconds),
      ([0, 10_000, 20_000], 0, .microseconds),
      ([5_000_000_000_000, 5_000_010_000_000, 5_000_020_000_000], 0, .nanoseconds), ([7, 8, 8, 10], 0, .milliseconds),
      ([1_700_000_000, 1_700_000_000, 1_700_000_000, 1_700_000_000, 1_700_000_001], 0, .seconds),
      ([1_700_000_000_000, 1_700_000_000_040, 1_700_000_000_080], 0, .milliseconds),
    ])
  func time(mantissas: [UInt64], exponent: Int, format: TimestampFormat) {
    let guess = TimeGuess(numbers: mantissas.map { DecimalNumber(isNegative: false, mantissa: $0, exponent: exponent) })
    #expect(guess.format == format)
    #expect(guess.doubt == nil)
    #expect(guess.isAbsolute == (mantissas[0] >= 1_700_000_000 && mantissas[0] != 5_000_000_000_000))
    #expect(guess.isWholeSeconds == (mantissas[0] == 1_700_000_000))
  }

  /// Integer times.
  private func times(_ values: [UInt64]) -> TimeGuess {
    TimeGuess(numbers: values.map { DecimalNumber(isNegative: false, mantissa: $0, exponent: 0) })
  }

  @Test("Unix seconds stay seconds, however low the rate", arguments: [1, 2, 5, 10, 60, 600] as [UInt64])
  func slowUnixTime(step: UInt64) {
    let guess = times((0..<40).map { 1_700_000_000 + $0 * step })
    #expect(guess.format == .seconds && guess.isAbsolute && guess.isImplausible)
    #expect(guess.period == Int64(step) * 1_000_000_000)
  }

  @Test("microseconds since the start may have ten digits")
  func microseconds() {
    #expect(times((0..<40).map { 1_700_000_000 + $0 * 10_000 }).format == .microseconds)
    #expect(times((0..<40).map { 1_700_000_000 + $0 * 1_000 }).format == .microseconds)
  }

  @Test("times that rise by exactly 1 from 0 or 1 are a counter; others that do are doubtful milliseconds")
  func counter() {
    for first in [0, 1] as [UInt64] { #expect(times((first..<first + 40).map { $0 }).isCounter) }
    let late = times((5000..<5040).map { $0 })
    #expect(!late.isCounter && late.format == .milliseconds && late.doubt?.contains("\(RecordingOption.rate)") == true)
    let gap = times((0..<40).map { $0 < 20 ? $0 : $0 + 3 })
    #expect(!gap.isCounter && gap.doubt?.contains("rise by 1") == true)
    // Sampling a millisecond clock a thousand times a second reads some milliseconds twice and misses others.
    let jittered = times((0..<40).map { $0 % 7 == 3 ? $0 - 1 : $0 })
    #expect(!jittered.isCounter && jittered.format == .milliseconds && jittered.doubt == nil)
    for step in [2, 5, 10, 20] as [UInt64] {
      let plain = times((0..<40).map { $0 * step })
      #expect(!plain.isCounter && plain.format == .milliseconds && plain.doubt == nil)
    }
  }

  @Test("an unlikely rate is doubtful")
  func unlikely() {
    let guess = TimeGuess(numbers: (0..<10).map { DecimalNumber(isNegative: false, mantissa: $0 * 3, exponent: 0) })
    #expect(guess.format == .milliseconds && guess.doubt == nil)
    let slow = TimeGuess(numbers: (0..<10).map { DecimalNumber(isNegative: false, mantissa: $0 * 6, exponent: -1) })
    #expect(slow.format == .seconds)
    #expect(slow.doubt?.contains("guessed") == true)
  }

  @Test("a rate too low to count steps or too high for any sensor is implausible")
  func implausible() {
    let guess = { (step: Int64) in
      TimeGuess(nanoseconds: (0..<10).map { $0 * step }, format: .nanoseconds).isImplausible
    }
    #expect(guess(1_000_000_000) && guess(250_000_000) && !guess(200_000_000))
    #expect(!guess(10_000) && guess(9_000))
  }

  @Test("timestamps that contradict their column's name are read as a plausible unit, and that is reported")
  func misnamed() {
    let every = { (step: UInt64) in (0..<10).map { DecimalNumber(isNegative: false, mantissa: $0 * step, exponent: 0) }
    }
    let guess = TimeGuess(numbers: every(20), stated: .nanoseconds)
    #expect(guess.format == .milliseconds && guess.period == 20_000_000)
    #expect(guess.doubt?.contains("named nanoseconds, which gives 50000000 samples a second") == true)
    let right = TimeGuess(numbers: every(20), stated: .milliseconds)
    #expect(right.format == .milliseconds && right.doubt == nil)
    let minutes = TimeGuess(numbers: every(60), stated: .seconds)
    #expect(minutes.format == .seconds && minutes.isImplausible)
  }
}
