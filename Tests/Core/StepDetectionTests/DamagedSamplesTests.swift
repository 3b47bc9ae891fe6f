import Accelerometry
import Foundation
import Pedometry
import Platform
import Recordings
import StepDetection
import TestSupport
import Testing

/// The steps in some samples, and the damage found in them.
private func screened(_ samples: [AccelerationSample]) -> (steps: [Step], damage: SampleDamage) {
  var counter = WalkCounter(latency: StepDetector.longestRevision)
  let steps = counter.process(samples.span) + counter.finish()
  return (steps, counter.damage)
}

private func walk(
  _ position: SensorPlacement, rate: Double = 50, _ change: (inout SyntheticWalk) -> Void = { _ in }
) throws -> [AccelerationSample] {
  var walk = SyntheticWalk {
    $0.position = position
    $0.rate = rate
    $0.duration = .seconds(60)
    $0.lead = .seconds(3)
    $0.tail = .seconds(3)
  }
  change(&walk)
  return try walk.samples()
}

@Suite("Damaged samples are reported and do not affect others", .timeLimit(.minutes(30)))
struct DamagedSamplesTests {
  @Test("samples of an intact sensor are not damaged", arguments: SyntheticWalk.positions, [25.0, 100, 400])
  func sound(position: SensorPlacement, rate: Double) throws {
    for activity in [SyntheticWalk.Activity.walking, .running, .standing] {
      let samples = try walk(position, rate: rate) {
        $0.activity = activity
        $0.range = 16
      }
      #expect(screened(samples).damage.isEmpty, "\(activity)")
    }
  }

  @Test("a sensor of few bits at rest between two walks is not frozen")
  func coarse() throws {
    var samples = try walk(.pocket) {
      $0.bits = 8
      $0.range = 2
      $0.bout = .seconds(12)
      $0.pause = .seconds(8)
      $0.noise = 0
    }
    // Identical to the last digit, as from such a sensor.
    let quiet = samples.indices.filter { (1_000_000_000...2_500_000_000).contains(samples[$0].nanoseconds) }
    for i in quiet { samples[i].acceleration = samples[quiet[0]].acceleration }
    #expect(screened(samples).damage.frozen.count == 0)
  }

  @Test("a spike at the end has neighbours within 0.3 s", arguments: [(150_000_000, 1), (150_000_001, 0)])
  func neighbours(interval: Int64, count: Int) {
    let samples = (0..<100).map { i in
      AccelerationSample(nanoseconds: Int64(i) * interval, acceleration: [0, 0, i == 98 ? 16 : 1])
    }
    #expect(screened(samples).damage.spikes.count == count)
  }

  @Test("a value that recurs is the end of the range only if it is more frequent than all below it", arguments: [0, 1])
  func highest(nearby: Int) {
    // A hundred different peaks below the recurring one: within a tenth of it, or far from it.
    let first: Float = nearby == 1 ? 3.6 : 2.6
    let peaks = (0..<100).map { first + 0.003 * Float($0) } + [Float](repeating: 3.9, count: 20)
    let samples = (0..<peaks.count * 25).map { i in
      let z = i % 25 == 12 ? peaks[i / 25] : 1
      return AccelerationSample(nanoseconds: Int64(i) * 20_000_000, acceleration: [0, 0, z])
    }
    #expect((screened(samples).damage.saturated.count > 0) == (nearby == 0))
  }

  @Test(
    "spikes of 16 g in one row of a hundred are dropped", arguments: SyntheticWalk.positions, [25.0, 50, 100])
  func spikes(position: SensorPlacement, rate: Double) throws {
    let clean = try walk(position, rate: rate)
    var spoilt = clean
    var random = SplitMix64(seed: 5)
    var count = 0
    for i in spoilt.indices where random.next() % 100 == 0 {
      spoilt[i].acceleration[Int(random.next() % 3)] = random.next() % 2 == 0 ? 16 : -16
      count += 1
    }
    let (found, damage) = screened(spoilt)
    #expect(deviation(found.count, from: screened(clean).steps.count) <= 0.02)
    #expect(Double(damage.spikes.count) > 0.8 * Double(count) && damage.spikes.count <= count)
  }

  @Test("one spike changes no step", arguments: SyntheticWalk.positions)
  func oneSpike(position: SensorPlacement) throws {
    let clean = try walk(position, rate: 100)
    var spoilt = clean
    let middle = clean.count / 2
    spoilt[middle].acceleration = [16, -16, 16]
    let (found, damage) = screened(spoilt)
    #expect(found.count == screened(clean).steps.count)
    #expect(damage.spikes.count == 1 && damage.spikes.first == clean[middle].timestamp)
  }

  @Test("invalid values are dropped, one every second", arguments: [Float.nan, .infinity, 1e30, -1e7])
  func absurd(value: Float) throws {
    for position in SyntheticWalk.positions {
      let clean = try walk(position)
      var spoilt = clean
      for i in stride(from: 10, to: spoilt.count, by: 50) { spoilt[i].acceleration.y = value }
      let (found, damage) = screened(spoilt)
      #expect(abs(found.count - screened(clean).steps.count) <= 1)
      #expect(damage.absurd.count == (clean.count - 10 + 49) / 50 && damage.absurd.first == clean[10].timestamp)
      #expect(damage.spikes.count == 0)
    }
  }

  @Test("a run that overflows ±2 g is reconstructed", arguments: [SensorPlacement.wrist, .lowerBack, .pocket])
  func overflow(position: SensorPlacement) throws {
    let clean = try walk(position, rate: 100) {
      $0.activity = .running
      $0.range = 16
    }
    let spoilt = clean.map { sample in
      var sample = sample
      for lane in 0..<3 {
        let value = sample.acceleration[lane]
        sample.acceleration[lane] = value - 4 * ((value + 2) / 4).rounded(.down)
      }
      return sample
    }
    let (found, damage) = screened(spoilt)
    #expect(deviation(found.count, from: screened(clean).steps.count) <= 0.02)
    let overflowed = zip(clean, spoilt).count { abs($0.acceleration.max() - $1.acceleration.max()) > 1 }
    #expect(overflowed > 50 && Double(damage.overflows.count) > 0.8 * Double(overflowed))
  }

  @Test(
    "a run is not lost where it is clipped at ±2 g", arguments: [SensorPlacement.wrist, .pocket, .lowerBack, .foot],
    [150.0, 165, 180])
  func saturation(position: SensorPlacement, cadence: Double) throws {
    let run = { (range: Double) in
      try walk(position) {
        $0.activity = .running
        $0.cadence = cadence
        $0.duration = .seconds(120)
        $0.range = range
      }
    }
    let (found, damage) = screened(try run(2))
    let expected = 120 / 60 * cadence
    #expect(deviation(found.count, from: Int(expected)) <= (position == .foot ? 0.07 : 0.06))
    #expect(damage.saturated.count > 100)
    #expect(abs(try #require(damage.range) - 2) < 0.01)
  }

  @Test("a sensor that freezes for three seconds loses only these, with a report", arguments: SyntheticWalk.positions)
  func freeze(position: SensorPlacement) throws {
    let clean = try walk(position)
    // The repeated value belongs to motion: a standing foot measures gravity alone.
    let first = try #require(
      (clean.count / 2..<clean.count).first { abs((clean[$0].acceleration * clean[$0].acceleration).sum() - 1) > 0.2 })
    var spoilt = clean
    for i in first..<(first + 150) { spoilt[i].acceleration = clean[first].acceleration }
    let (found, damage) = screened(spoilt)
    let (begin, end) = (clean[first].timestamp, clean[first + 150].timestamp)
    let outside = screened(clean).steps.count { $0.timestamp < begin || $0.timestamp > end }
    // On a foot, the movement after the frozen samples proves a new walk later.
    #expect(abs(found.count - outside) <= (position == .foot ? 6 : 3))
    #expect(damage.frozen.count == 1)
    #expect(abs((try #require(damage.frozen.first) - begin).inSeconds) < 0.3)
    #expect(abs(damage.frozenDuration.inSeconds - 3) < 0.3)
  }

  @Test("the batches change neither steps nor damage")
  func cuts() throws {
    var samples = try walk(.foot, rate: 100) {
      $0.activity = .running
      $0.range = 4
    }
    var random = SplitMix64(seed: 8)
    for i in samples.indices where random.next() % 60 == 0 {
      samples[i].acceleration.x = random.next() % 3 == 0 ? .nan : 16
    }
    let whole = screened(samples)
    #expect(whole.damage.spikes.count > 10 && whole.damage.absurd.count > 10 && whole.damage.saturated.count > 10)
    var counter = WalkCounter(latency: StepDetector.longestRevision)
    var found: [Step] = []
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + Int(random.next() % 41))
      found += counter.process(samples.span.extracting(start..<end))
      start = end
    }
    found += counter.finish()
    #expect(found == whole.steps)
    #expect(counter.damage == whole.damage)
  }

  @Test("a step is reported within the longest delay, whatever is held back")
  func delay() throws {
    let samples = try walk(.foot, rate: 100) {
      $0.activity = .running
      $0.range = 2
    }
    var counter = WalkCounter()
    for sample in samples {
      let one = InlineArray<1, AccelerationSample>(repeating: sample)
      for step in counter.process(one.span) {
        #expect(sample.timestamp - step.timestamp <= StepDetector.longestDelay + .milliseconds(300))
      }
    }
  }
}

@Suite("Samples that are too slow", .timeLimit(.minutes(30)))
struct SlowMotionTests {
  @Test(
    "a loss of more than one step in twenty at a foot is reported", arguments: [100.0, 110, 120, 130, 140],
    [12.5, 16, 20])
  func foot(cadence: Double, rate: Double) throws {
    let sampled = { (rate: Double) in
      try walk(.foot, rate: rate) {
        $0.cadence = cadence
        $0.range = 16
      }
    }
    let (found, damage) = screened(try sampled(rate))
    let isLost = deviation(found.count, from: screened(try sampled(100)).steps.count) > 0.05
    #expect(!isLost || damage.insufficientFrequency != nil)
    if let told = damage.insufficientFrequency { #expect(abs(told - rate) < 0.5) }
  }

  /// Movement that repeats twice a second, with an impact of 10 ms.
  private func stamping(rate: Double) -> [AccelerationSample] {
    (0..<Int(rate * 30)).map { i in
      let time = Double(i) / rate
      let phase = (time * 1.87).truncatingRemainder(dividingBy: 1)
      let impact: Float = phase < 0.05 ? 6 : phase < 0.1 ? -4 : 0
      return AccelerationSample(nanoseconds: Int64(time * 1e9), acceleration: [0.2 * impact, 0, 1 + impact])
    }
  }

  @Test("impacts between the samples are detected up to 25 Hz, and not from 50 Hz on")
  func impacts() {
    #expect([10, 12.5, 16, 20, 25].allSatisfy { screened(stamping(rate: $0)).damage.insufficientFrequency != nil })
    #expect([50, 100].allSatisfy { screened(stamping(rate: $0)).damage.insufficientFrequency == nil })
  }

  @Test("jitter and single samples, as in a live count, do not change that")
  func live() {
    var random = SplitMix64(seed: 3)
    var counter = WalkCounter()
    for var sample in stamping(rate: 20) {
      sample.nanoseconds += Int64(random.next() % 20_000_000)
      let one = InlineArray<1, AccelerationSample>(repeating: sample)
      counter.process(one.span)
    }
    #expect(abs((counter.damage.insufficientFrequency ?? 0) - 20) < 1)
  }

  @Test("only the slow part of a recording counts, not the fast one before it")
  func slower() {
    let fast = stamping(rate: 50)
    let end = fast[fast.count - 1].nanoseconds + 80_000_000
    let slow = stamping(rate: 12.5).map { sample in
      AccelerationSample(nanoseconds: sample.nanoseconds + end, acceleration: sample.acceleration)
    }
    var counter = WalkCounter()
    let samples = fast + slow
    // In batches of 0.1 s of the fast part.
    for start in stride(from: 0, to: samples.count, by: 5) {
      counter.process(Array(samples[start..<min(start + 5, samples.count)]).span)
    }
    counter.finish()
    #expect(counter.damage.insufficientFrequency.map { abs($0 - 12.5) < 0.5 } == true)
  }

  @Test("rest does not hide impacts, and a small smooth movement is none")
  func smallAndStill() {
    let impacts = stamping(rate: 12.5).prefix(150)
    let rest = (150..<3000).map { AccelerationSample(nanoseconds: Int64($0) * 80_000_000, acceleration: [0, 0, 1]) }
    #expect(screened(impacts + rest).damage.insufficientFrequency != nil)
    let small = (0..<600).map { i in
      AccelerationSample(
        nanoseconds: Int64(i) * 100_000_000, acceleration: [0, 0, 1 + 0.16 * sine(2 * .pi * 0.18 * Float(i))])
    }
    #expect(screened(small).damage.insufficientFrequency == nil)
  }

  @Test("smooth movement may be sampled slowly", arguments: [10, 12.5, 16, 25])
  func smooth(rate: Double) {
    let samples = (0..<Int(rate * 30)).map { i in
      let phase = 2 * Float.pi * 1.8 * Float(i) / Float(rate)
      return AccelerationSample(
        nanoseconds: Int64(Double(i) / rate * 1e9), acceleration: [0, 0, 1 + 0.5 * sine(phase)])
    }
    #expect(screened(samples).damage.insufficientFrequency == nil)
  }

  /// A triangle wave of the sine's period, which is smooth enough here.
  private func sine(_ phase: Float) -> Float {
    let turn = (phase / (2 * .pi)).truncatingRemainder(dividingBy: 1)
    let x = turn < 0.5 ? 4 * turn - 1 : 3 - 4 * turn
    return x * (1.5 - 0.5 * x * x)
  }

  /// Forty seconds of an arm that swings, between rests.
  private func swinging(hertz: Double, g: Double, gravity: Float) -> [AccelerationSample] {
    (0..<3000).map { i in
      let time = Double(i) * 0.02
      let isMoving = time > 10 && time < 50
      let swing = isMoving ? g * sin(2 * .pi * hertz * time) : 0
      return AccelerationSample(
        nanoseconds: Int64(i) * 20_000_000, acceleration: [Float(swing), Float(0.1 * swing), gravity])
    }
  }

  @Test("movement that repeats without gravity is counted or reported")
  func uncertain() {
    for hertz in [0.55, 0.8, 0.9] {
      let (steps, damage) = screened(swinging(hertz: hertz, g: 0.5, gravity: 0))
      #expect(steps.count > 50 || damage.uncertain > .seconds(25), "\(hertz) Hz: \(steps.count) steps")
      #expect(damage.uncertain < .seconds(50))
    }
    #expect(screened(swinging(hertz: 0.55, g: 0.5, gravity: 1)).damage.isEmpty)
  }
}
