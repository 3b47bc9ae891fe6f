import Accelerometry
import Pedometry
import Platform
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("A count does not depend on", .timeLimit(.minutes(30)))
struct InvarianceTests {
  private func walk(_ position: SensorPlacement, seed: UInt64, rate: Double = 50) -> SyntheticWalk {
    SyntheticWalk {
      $0.position = position
      $0.seed = seed
      $0.rate = rate
      $0.duration = .seconds(40)
      $0.lead = .seconds(4)
      $0.tail = .seconds(4)
    }
  }

  @Test("the batches of a recording", arguments: SyntheticWalk.positions, [12.5, 18, 50])
  func cuts(position: SensorPlacement, rate: Double) throws {
    let seed = UInt64(rate)
    let samples = try walk(position, seed: seed, rate: rate).samples()
    let whole = steps(in: samples)
    var random = SplitMix64(seed: seed)
    var detector = StepDetector()
    var found: [Step] = []
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + Int(random.next() % 97))
      detector.process(samples.span.extracting(start..<end), into: &found)
      start = end
    }
    detector.finish(into: &found)
    #expect(found == whole)
  }

  @Test(
    "how the sensor is turned: the same steps, to the millisecond", arguments: SyntheticWalk.positions, [UInt64(3), 4])
  func orientation(position: SensorPlacement, seed: UInt64) throws {
    let straight = walk(position, seed: seed)
    var turned = straight
    turned.orientation = .random
    // Without quantisation and noise, since only the rotation is tested.
    let fine = { (walk: SyntheticWalk) in
      SyntheticWalk {
        $0 = walk
        $0.bits = 24
        $0.noise = 0
      }
    }
    let (a, b) = (try steps(in: fine(straight)), try steps(in: fine(turned)))
    #expect(a.count == b.count)
    #expect(zip(a, b).allSatisfy { abs(($0.timestamp - $1.timestamp).inSeconds) < 0.001 })
  }

  @Test("a scale error of 10 %: within 1.5 %", arguments: SyntheticWalk.positions, [Float(0.9), 1.1])
  func scale(position: SensorPlacement, factor: Float) throws {
    let samples = try walk(position, seed: 5).samples()
    let scaled = samples.map { AccelerationSample(nanoseconds: $0.nanoseconds, acceleration: $0.acceleration * factor) }
    #expect(deviation(steps(in: scaled).count, from: steps(in: samples).count) <= 0.015)
  }

  @Test("the start of the clock: 60 years later changes no step")
  func origin() throws {
    let samples = try walk(.wrist, seed: 6).samples()
    let offset: Int64 = 1_900_000_000_000_000_000
    let later = samples.map { AccelerationSample(nanoseconds: $0.nanoseconds + offset, acceleration: $0.acceleration) }
    #expect(steps(in: later).map { $0.timestamp - .nanoseconds(offset) } == steps(in: samples).map(\.timestamp))
  }

  @Test("the sampling frequency, 12.5 to 200 Hz: within 1 % (median) and 4 % (worst)")
  func rate() throws {
    var deviations: [Double] = []
    for position in SyntheticWalk.positions {
      for seed in 1...2 {
        let counts = try [12.5, 25, 50, 100, 200].map { rate in
          try steps(in: walk(position, seed: UInt64(seed), rate: rate)).count
        }
        deviations += counts.map { deviation($0, from: counts[3]) }
      }
    }
    deviations.sort()
    #expect(deviations[deviations.count / 2] <= 0.01)
    #expect(try #require(deviations.last) <= 0.04)
  }

  private func amplitudes(_ samples: [AccelerationSample]) -> [Float] {
    var detector = StepDetector()
    detector.observations = []
    var steps: [Step] = []
    detector.process(samples.span, into: &steps)
    detector.finish(into: &steps)
    return (detector.observations ?? []).map(\.features.amplitude)
  }

  @Test(
    "averaging by a slow sensor: the same amplitude within 6 %, and as many steps within 2 %",
    arguments: [SensorPlacement.wrist, .pocket, .lowerBack], [100.0, 125])
  func averaging(position: SensorPlacement, cadence: Double) throws {
    var fine = walk(position, seed: 7, rate: 200)
    fine.cadence = cadence
    let samples = try fine.samples()
    let slow = samples.averaged(over: 16)
    let (seen, seenSlowly) = (amplitudes(samples).reduce(0, +), amplitudes(slow).reduce(0, +))
    #expect(abs(seenSlowly / seen - 1) < 0.06)
    #expect(deviation(steps(in: slow).count, from: steps(in: samples).count) <= 0.02)
  }

  // MARK: Counts of recordings, with the longest latency

  @Test(
    "its first sample held for up to 0.69 s before it: the same counts to a step, within two if it begins in a walk")
  func phase() throws {
    for walk in SyntheticWalk.assorted {
      let counts = { (lead: Duration, holds: [Double]) in
        let samples = try walk.with { $0.lead = lead }.samples()
        return holds.map { offlineCount(samples.held(for: $0)) }
      }
      let standing = try counts(.seconds(4), [0, 0.23, 0.46, 0.69])
      #expect(try #require(standing.max()) - #require(standing.min()) <= 1, "\(walk.position)")
      let walking = try counts(.zero, [0.23, 0.46, 0.69])
      #expect(Set(walking).count == 1, "\(walk.position)")
      #expect(abs(try counts(.zero, [0])[0] - walking[0]) <= 2, "\(walk.position)")
    }
  }

  @Test("its first sample, where it begins within a run: a quarter of a step on average")
  func beginningInARun() throws {
    var differences: [Int] = []
    for position in SyntheticWalk.positions {
      let samples = try walk(position, seed: 8).with { ($0.cadence, $0.activity) = (165, .running) }.samples()
      for piece in 0..<12 {
        let begin = Duration.milliseconds(10_000 + 110 * piece)
        var moving = samples.filter { $0.timestamp >= begin && $0.timestamp < begin + .seconds(5) }
        // With a sample lost after it, the first one is alone for longer than a rest must last.
        if piece.isMultiple(of: 2) { moving.removeSubrange(1..<9) }
        let count = offlineCount(moving)
        moving[0].acceleration = moving.reduce(.zero) { $0 + $1.acceleration } / Float(moving.count)
        differences.append(abs(offlineCount(moving) - count))
      }
    }
    #expect(differences.reduce(0, +) <= differences.count / 4, "\(differences)")
  }

  @Test("a bump in a slow, gentle walk: it does not begin anew")
  func bump() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let samples = try walk(.lowerBack, seed: seed).with { ($0.cadence, $0.noise) = (70, 0) }.samples()
      let gentle = samples.map {
        AccelerationSample(
          nanoseconds: $0.nanoseconds,
          acceleration: samples[0].acceleration + ($0.acceleration - samples[0].acceleration) * 0.2)
      }
      var bumped = gentle
      for i in bumped.indices where (28_000..<28_060).contains(bumped[i].nanoseconds / 1_000_000) {
        bumped[i].acceleration.x += 0.06
      }
      let count = offlineCount(gentle)
      #expect(count > 30 && abs(offlineCount(bumped) - count) <= 2, "\(seed): \(offlineCount(bumped)) of \(count)")
    }
  }

  @Test(
    "when the sensor was switched on, standing still or asleep for a minute: counts within 2 % (95th percentile)",
    arguments: [Duration.seconds(4), .seconds(60)])
  func beginning(lead: Duration) throws {
    var changes = CountChanges()
    for walk in SyntheticWalk.assorted {
      let samples = try walk.with { $0.lead = lead }.samples()
      changes.add(
        rangeOf: [0, 0.23, 0.46, 0.69].map { cut in
          offlineCount(samples.filter { $0.timestamp.inSeconds >= cut })
        })
    }
    #expect(changes.percentile95 <= 0.02)
    #expect(changes.worst <= 0.04)
  }

  @Test("noise of a sensor at rest before a walk: the cells of the walk lie as without it")
  func noiseAtRest() throws {
    var differences: [Int] = []
    for walk in SyntheticWalk.assorted {
      let samples = try walk.with { ($0.lead, $0.noise, $0.duration) = (.seconds(3), 0, .seconds(20)) }.samples()
      for seed in 1...4 as ClosedRange<UInt64> {
        var random = SplitMix64(seed: seed)
        var noisy = samples
        for i in noisy.indices where noisy[i].timestamp < .milliseconds(2_900) {
          let (x, y) = random.gaussianPair()
          noisy[i].acceleration += SIMD3(Float(x), Float(y), Float(random.gaussian())) * 0.006
        }
        differences.append(abs(offlineCount(noisy) - offlineCount(samples)))
      }
    }
    #expect(differences.reduce(0, +) <= differences.count / 20, "\(differences)")
  }

  @Test("a rest of a minute in the middle: what follows is counted as it is alone, to a step")
  func rest() throws {
    for walk in SyntheticWalk.assorted {
      let samples = try walk.with { ($0.lead, $0.tail, $0.noise) = (.seconds(4), .seconds(4), 0) }.samples()
      let last = try #require(samples.last)
      let still = (1...6000).map {
        AccelerationSample(nanoseconds: last.nanoseconds + $0 * 10_000_000, acceleration: samples[0].acceleration)
      }
      for delay in [Int64(0), 230_000_000, 410_000_000] {
        let later = samples.map {
          AccelerationSample(
            nanoseconds: $0.nanoseconds + last.nanoseconds + 60_010_000_000 + delay, acceleration: $0.acceleration)
        }
        #expect(
          abs(offlineCount(samples + still + later) - 2 * offlineCount(samples)) <= 1, "\(walk.position)")
      }
    }
  }

  @Test("a gap that ends a rest within a walk, and late samples: no step is in the gap, and none is counted again")
  func restAndGap() throws {
    for walk in SyntheticWalk.assorted {
      let samples = try walk.with { ($0.lead, $0.noise, $0.duration) = (.seconds(45), 0, .seconds(90)) }.samples()
      let (end, begin) = (Duration.seconds(40), Duration.milliseconds(60_370))
      let late = samples.filter { (.seconds(50)..<begin).contains($0.timestamp) }
      let (before, after) = (samples.filter { $0.timestamp < end }, samples.filter { $0.timestamp >= begin })
      let alone = steps(in: after)
      #expect(alone.count > 50 && steps(in: before + after) == alone, "\(walk.position)")
      let still = samples.filter { $0.timestamp < .seconds(20) }
      let old = late.map {
        AccelerationSample(nanoseconds: $0.nanoseconds - 45_000_000_000, acceleration: $0.acceleration)
      }
      let rest = samples.filter { $0.timestamp >= .seconds(20) }
      #expect(steps(in: still + old + rest) == steps(in: samples), "\(walk.position)")
    }
  }

  @Test("how little of a rest was recorded: no step is before the first sample")
  func firstStep() throws {
    for walk in SyntheticWalk.assorted {
      let samples = try walk.samples()
      let moving = samples.filter { $0.timestamp >= walk.lead }
      let first = try #require(moving.first)
      #expect(steps(in: moving).allSatisfy { $0.timestamp >= first.timestamp })
    }
  }

  @Test("averaging down to 16 Hz: within 0.5 % on average, 2.5 % at worst")
  func averagedRates() throws {
    var changes: [Int: CountChanges] = [:]
    for walk in SyntheticWalk.assorted {
      let samples = try walk.with { $0.rate = 160 }.samples()
      let count = offlineCount(samples)
      for period in [2, 3, 5, 8, 10] {
        changes[period, default: CountChanges()].add(offlineCount(samples.averaged(over: period)), insteadOf: count)
      }
    }
    for (period, changes) in changes {
      #expect(changes.mean <= 0.005, "\(160 / period) Hz")
      #expect(changes.worst <= 0.025, "\(160 / period) Hz")
    }
  }

  @Test("a worse sensor: within 0.5 % on average, 4 % at worst")
  func worse() throws {
    var changes: [String: CountChanges] = [:]
    for walk in SyntheticWalk.assorted {
      let count = offlineCount(try walk.samples())
      for worsening in Worsening.all {
        let poor = try worsening.samples(of: walk)
        changes[worsening.name, default: CountChanges()].add(offlineCount(poor), insteadOf: count)
      }
    }
    for (name, changes) in changes {
      #expect(changes.mean <= 0.005, "\(name)")
      #expect(changes.worst <= 0.04, "\(name)")
    }
  }

  @Test(
    "a minute of standing before and after: within 1 % on average, 4 steps at worst",
    arguments: [Duration.zero, .seconds(4)])
  func idling(kept: Duration) throws {
    var changes = CountChanges()
    for walk in SyntheticWalk.assorted {
      let idle = Duration.seconds(60)
      let samples = try walk.with { ($0.lead, $0.tail) = (idle + kept, idle + kept) }.samples()
      let last = try #require(samples.last).timestamp
      let cut = samples.filter { $0.timestamp >= idle && $0.timestamp < last - idle }
      changes.add(offlineCount(samples), insteadOf: offlineCount(cut))
    }
    #expect(changes.mean <= 0.01)
    #expect(changes.mostSteps <= 4)
  }

  @Test("a cut in a pause of 10 s: two recordings within 1 % of one on average, 2 steps at worst")
  func split() throws {
    var changes = CountChanges()
    for walk in SyntheticWalk.assorted {
      let samples = try walk.with { ($0.bout, $0.pause, $0.duration) = (.seconds(20), .seconds(10), .seconds(50)) }
        .samples()
      let middle = walk.lead + .seconds(25)
      let (first, second) = (samples.filter { $0.timestamp < middle }, samples.filter { $0.timestamp >= middle })
      changes.add(offlineCount(first) + offlineCount(second), insteadOf: offlineCount(samples))
    }
    #expect(changes.mean <= 0.01)
    #expect(changes.mostSteps <= 2)
  }

  @Test(
    "another walk 20 s before it, with a gap between: each counts as it does alone",
    arguments: [Duration.zero, .seconds(4)])
  func silence(rest: Duration) throws {
    for walk in SyntheticWalk.assorted {
      let first = try walk.with { ($0.lead, $0.tail) = (rest, rest) }.samples()
      let second = try walk.with { ($0.lead, $0.tail, $0.seed) = (rest, rest, walk.seed + 100) }.samples()
      let pause = try #require(first.last).nanoseconds + 20_000_000_000
      let later = second.map {
        AccelerationSample(nanoseconds: $0.nanoseconds + pause, acceleration: $0.acceleration)
      }
      #expect(offlineCount(first + later) == offlineCount(first) + offlineCount(second), "\(walk.position)")
    }
  }
}

/// A way in which a sensor may be worse without a visible effect on the count.
struct Worsening: Sendable {
  let name: String
  /// The duration of a second of its clock on a correct clock.
  var clock = 1.0
  var sensor: @Sendable (inout SyntheticWalk) -> Void = { _ in }

  static let all = [
    Worsening(name: "10 mg of noise") { $0.noise = 0.01 },
    Worsening(name: "10 % jitter") { $0.jitter = 0.1 },
    Worsening(name: "5 % of the samples lost") { $0.lost = 0.05 },
    Worsening(name: "a clock 1 % slow", clock: 1.01),
    Worsening(name: "a clock 1 % fast", clock: 0.99),
    Worsening(name: "all of it at 16 Hz", clock: 1.01) {
      ($0.noise, $0.jitter, $0.lost, $0.rate) = (0.01, 0.1, 0.05, 16)
    },
  ]

  /// The samples of such a sensor for a walk.
  func samples(of walk: SyntheticWalk) throws -> [AccelerationSample] {
    try walk.with(sensor).samples().map {
      let time = Int64((Double($0.nanoseconds) / clock).rounded())
      return AccelerationSample(nanoseconds: time, acceleration: $0.acceleration)
    }
  }
}

extension SyntheticWalk {
  /// Walks of 40 s in all positions, strolling, walking and running, with two seeds each.
  static let assorted = positions.flatMap { position in
    [90.0, 120, 165].flatMap { cadence in
      [UInt64(1), 2].map { seed in
        SyntheticWalk {
          $0.position = position
          $0.cadence = cadence
          $0.activity = cadence > 150 ? .running : .walking
          $0.seed = seed
          $0.duration = .seconds(40)
          $0.lead = .seconds(4)
          $0.tail = .seconds(4)
        }
      }
    }
  }

  /// The same walk with other settings.
  func with(_ change: (inout SyntheticWalk) -> Void) -> SyntheticWalk {
    var walk = self
    change(&walk)
    return walk
  }
}

extension [AccelerationSample] {
  /// The means over periods of this many samples, each stamped in the middle of its period, as a sensor with a filter
  /// reports them.
  func averaged(over length: Int) -> [AccelerationSample] {
    stride(from: 0, to: count - length + 1, by: length).map { first in
      let period = self[first..<(first + length)]
      let sum = period.reduce(SIMD3<Float>.zero) { $0 + $1.acceleration }
      let middle = (period[first].nanoseconds + period[first + length - 1].nanoseconds) / 2
      return AccelerationSample(nanoseconds: middle, acceleration: sum / Float(length))
    }
  }

  /// The first sample repeated for some seconds, and then all of them, as if the recording had begun earlier.
  func held(for seconds: Double) -> [AccelerationSample] {
    let period = self[1].nanoseconds - self[0].nanoseconds
    let count = Int64((seconds * 1e9 / Double(period)).rounded())
    return (0..<count).map {
      AccelerationSample(nanoseconds: self[0].nanoseconds - (count - $0) * period, acceleration: self[0].acceleration)
    } + self
  }
}
