import Glibc
import Testing

@testable import Accelerometry
@testable import StepDetection
@testable import detector_lab

@Suite("Movements that are no gait", .timeLimit(.minutes(30))) struct UniversalNegativesTests {
  typealias Family = UniversalNegatives.Family

  /// The acceleration without its mean, in g.
  private static func moved(_ samples: [AccelerationSample]) -> [SIMD3<Double>] {
    let values = samples.map { SIMD3<Double>($0.acceleration) }
    let mean = values.reduce(.zero, +) / Double(values.count)
    return values.map { $0 - mean }
  }

  private static func energy(_ values: [SIMD3<Double>]) -> Double {
    values.reduce(0) { $0 + ($1 * $1).sum() } / Double(max(1, values.count))
  }

  @Test("the same number gives the same movement, another number or family another one", arguments: Family.allCases)
  func deterministic(family: Family) {
    let one = UniversalNegatives.example(family, number: 3)
    #expect(one.samples == UniversalNegatives.example(family, number: 3).samples)
    #expect(one.samples != UniversalNegatives.example(family, number: 4).samples)
    #expect(!one.isWalking && one.isSlow == family.isSlow)
  }

  @Test("a larger number of movements adds to them")
  func all() {
    let (one, two) = (UniversalNegatives.all(ofEach: 1), UniversalNegatives.all(ofEach: 2))
    #expect(one.count == Family.allCases.count && two.count == 2 * one.count)
    for (i, example) in one.enumerated() { #expect(two[2 * i].samples == example.samples) }
  }

  @Test("samples are finite, evenly spaced, in the range of a sensor, and move", arguments: Family.allCases)
  func sound(family: Family) {
    for number in 0..<3 as Range<UInt64> {
      let samples = UniversalNegatives.example(family, number: number).samples
      let steps = Set(zip(samples, samples.dropFirst()).map { $1.nanoseconds - $0.nanoseconds })
      #expect(steps == [20_000_000] || steps == [40_000_000])
      let seconds = Double((samples.last?.nanoseconds ?? 0) - (samples.first?.nanoseconds ?? 0)) * 1e-9
      #expect(abs(seconds - (family.isSlow ? 40 : 20)) < 0.1)
      let axes = samples.flatMap { [$0.acceleration.x, $0.acceleration.y, $0.acceleration.z] }
      #expect(axes.allSatisfy { $0.isFinite && abs($0) <= 8 })
      #expect(Self.energy(Self.moved(samples)) > 1e-6)
    }
  }

  @Test("claps strike across gravity, a ball along it")
  func polarisation() {
    let share = { (family: Family) in
      var (along, all) = (0.0, 0.0)
      for number in 0..<12 as Range<UInt64> {
        let samples = UniversalNegatives.example(family, number: number).samples
        let jerks = zip(samples, samples.dropFirst()).map { SIMD3<Double>($1.acceleration - $0.acceleration) }
        let mean = samples.reduce(SIMD3<Double>.zero) { $0 + SIMD3<Double>($1.acceleration) }
        let up = MovementSketch.unit(mean)
        let vertical = jerks.reduce(0) { $0 + ($1 * up).sum() * ($1 * up).sum() }
        along += vertical / Self.energy(jerks) / Double(jerks.count)
        all += 1
      }
      return along / all
    }
    #expect(share(.claps) < 0.35)
    #expect(share(.ball) > 0.6)
  }

  @Test("cranks, claps and balls have the rhythm of steps or strides; slow ones that of slow walks")
  func rhythm() throws {
    for (family, cadences) in [(Family.crank, 0.8...5.0), (.claps, 1.0...8.5), (.ball, 1.0...6.5)] {
      let found = (0..<4 as Range<UInt64>).flatMap { number in
        DetectorRun(UniversalNegatives.example(family, number: number).samples, isObserved: true).blocks
          .filter { $0.block.features.strideScore > 0.8 }.map { Double($0.block.features.cadence) }
      }
      #expect(!found.isEmpty && found.count { cadences.contains($0) } > found.count * 9 / 10)
    }
    let slow = (0..<4 as Range<UInt64>).flatMap { number in
      DetectorRun(UniversalNegatives.example(.slowCrank, number: number).samples, isObserved: true).blocks
        .compactMap { $0.block.slowFeatures }.filter { $0.strideScore > 0.8 }
    }
    #expect(!slow.isEmpty)
  }

  @Test("sizes reach from a breath to the range of a sensor")
  func sizes() {
    let size = { (family: Family) in
      (0..<12 as Range<UInt64>).map {
        Self.energy(Self.moved(UniversalNegatives.example(family, number: $0).samples)).squareRoot()
      }
    }
    #expect((size(.breathing).min() ?? 1) < 0.02)
    #expect((size(.noise).max() ?? 0) > 2)
  }
}

@Suite("Synthetic examples", .timeLimit(.minutes(30))) struct SyntheticExamplesTests {
  @Test("in every position there are walks and runs at both ends of the range of cadences, some of them clipped")
  func ends() throws {
    let walks = try SyntheticExamples.all().filter { $0.isWalking && !$0.isSlow }
    for (position, slowest) in [("wrist", 63.0), ("hand", 63), ("pocket", 63), ("lowerBack", 63), ("foot", 71)] {
      let own = walks.filter { $0.name.hasSuffix(position) }
      let cadences = own.compactMap(\.strikes).map { 60 * Double($0.count - 1) / (($0.last ?? 1) - ($0.first ?? 0)) }
      #expect((cadences.min() ?? 0) < slowest + 2 && (cadences.max() ?? 0) > 190, "\(position)")
      #expect(
        own.contains { walk in
          walk.samples.count { $0.acceleration.max() >= 1.99 } > 50
            && walk.samples.allSatisfy { $0.acceleration.max() <= 2 }
        }, "\(position)")
    }
  }

  @Test("of the synthetic examples, the simplest simulation of a walk and random harmonics are hard, and nothing else")
  func hard() throws {
    let examples = try SyntheticExamples.all()
    #expect(examples.contains { $0.isHard })
    #expect(
      examples.allSatisfy { $0.isHard == ($0.name.hasPrefix("simulated walk") || $0.name.hasPrefix("harmonic ")) })
  }
}

@Suite("Altered copies", .timeLimit(.minutes(30))) struct AlteredCopyTests {
  /// A minute of a sine of 2 Hz at 50 Hz, on top of gravity.
  private static let tone = (0..<3000).map { i in
    AccelerationSample(
      nanoseconds: Int64(i) * 20_000_000 + 7,
      acceleration: SIMD3(0.3 * Float(MovementSketch.sine(2 * Double(i) / 50)), 0, 1))
  }

  @Test("the same seed gives the same copy; another seed or recording another one")
  func deterministic() {
    let one = AlteredCopy(of: Self.tone, isWalk: true, seed: 1, stream: 2)
    #expect(one.samples == AlteredCopy(of: Self.tone, isWalk: true, seed: 1, stream: 2).samples)
    #expect(one.samples != AlteredCopy(of: Self.tone, isWalk: true, seed: 2, stream: 2).samples)
    #expect(one.samples != AlteredCopy(of: Self.tone, isWalk: true, seed: 1, stream: 3).samples)
  }

  @Test(
    "a copy keeps gravity and the order of time; time is stretched within limits, which are wider if nobody walks",
    arguments: [(true, 0.8...1.25), (false, 0.6...1.65)])
  func kept(isWalk: Bool, limits: ClosedRange<Double>) {
    var stretches: [Double] = []
    var intervals: Set<Int> = []
    for seed in 0..<24 as Range<UInt64> {
      let copy = AlteredCopy(of: Self.tone, isWalk: isWalk, seed: seed, stream: 0)
      stretches.append(copy.stretch)
      #expect(zip(copy.samples, copy.samples.dropFirst()).allSatisfy { $0.nanoseconds < $1.nanoseconds })
      let mean = copy.samples.reduce(SIMD3<Float>.zero) { $0 + $1.acceleration } / Float(copy.samples.count)
      #expect(abs(mean.x) < 0.02 && abs(mean.y) < 0.02 && abs(mean.z - 1) < 0.02)
      let seconds = Double((copy.samples.last?.nanoseconds ?? 0) - (copy.samples.first?.nanoseconds ?? 0)) * 1e-9
      #expect(abs(seconds / copy.stretch - 60) < 0.2)
      intervals.insert(Int((seconds / copy.stretch / Double(copy.samples.count - 1) * 1000).rounded()))
    }
    #expect(stretches.allSatisfy(limits.contains))
    // Most of the range is used.
    let used = log((stretches.max() ?? 1) / (stretches.min() ?? 1))
    #expect(used > 0.7 * log(limits.upperBound / limits.lowerBound))
    #expect(intervals == [20, 40])
  }

  @Test("a recording too short to alter is kept")
  func short() {
    let copy = AlteredCopy(of: Array(Self.tone.prefix(20)), isWalk: true, seed: 1, stream: 1)
    #expect(copy.samples == Array(Self.tone.prefix(20)) && copy.stretch == 1)
  }

  @Test("an equaliser changes each frequency by its gain, without delay, and leaves the mean")
  func equaliser() throws {
    let interval = 0.02
    let pace = [0.6, 2.8]
    let values = (0..<4096).map { i -> SIMD3<Float> in
      let waves = pace.map { Float(MovementSketch.sine($0 * Double(i) * interval)) }
      return SIMD3(waves[0] + waves[1], waves[1], 1 + waves[0])
    }
    let gains = [0, 0.5, 0, 0, -0.5, 0, 0, 0]
    let equalizer = Equalizer(logGains: gains)
    #expect(abs(equalizer.gain(0.6) - 1.6487) < 1e-3 && abs(equalizer.gain(2.8) - 0.6065) < 1e-3)
    #expect(abs(equalizer.gain(100) - 1) < 1e-9 && equalizer.gain(0.001) == 1)
    let changed = equalizer.applied(to: values, interval: interval)
    for i in 1000..<3000 {
      let slow = Float(1.6487 * MovementSketch.sine(0.6 * Double(i) * interval))
      let fast = Float(0.6065 * MovementSketch.sine(2.8 * Double(i) * interval))
      #expect(abs(changed[i].x - slow - fast) < 0.03)
      #expect(abs(changed[i].z - 1 - slow) < 0.03)
    }
  }

  @Test("a transform and its inverse give the values back; a constant has one frequency")
  func spectrum() {
    let values = (0..<64).map { SIMD2(Double($0 * $0 % 17), Double($0 % 5)) }
    var turned = values
    Spectrum.transform(&turned, isInverse: false)
    #expect(abs(turned[0].x - values.reduce(0) { $0 + $1.x }) < 1e-9)
    Spectrum.transform(&turned, isInverse: true)
    #expect(zip(values, turned).allSatisfy { abs($0.x - $1.x) < 1e-9 && abs($0.y - $1.y) < 1e-9 })
    var constant = [SIMD2<Double>](repeating: SIMD2(1, 0), count: 8)
    Spectrum.transform(&constant, isInverse: false)
    #expect(constant.dropFirst().allSatisfy { abs($0.x) < 1e-12 && abs($0.y) < 1e-12 })
  }
}
