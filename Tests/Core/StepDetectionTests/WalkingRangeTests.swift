import Accelerometry
import Glibc
import Pedometry
import Platform
import Recordings
import StepDetection
import TestSupport
import Testing

/// The cadences that are counted at a position.
struct CadenceRange: Sendable, CustomTestStringConvertible {
  let position: SensorPlacement
  /// Steps per minute.
  let cadences: ClosedRange<Double>

  var testDescription: String { "\(position), \(cadences.lowerBound) to \(cadences.upperBound) steps/min" }

  static let all = [
    CadenceRange(position: .wrist, cadences: 48...176),
    CadenceRange(position: .hand, cadences: 48...194),
    CadenceRange(position: .pocket, cadences: 66...194),
    CadenceRange(position: .lowerBack, cadences: 48...194),
    CadenceRange(position: .foot, cadences: 70...168),
  ]
}

@Suite("The range of counted walking", .timeLimit(.minutes(30)))
struct WalkingRangeTests {
  private func walk(_ position: SensorPlacement, cadence: Double, seed: UInt64) -> SyntheticWalk {
    SyntheticWalk {
      $0.position = position
      $0.cadence = cadence
      $0.activity = cadence > 150 ? .running : .walking
      $0.seed = seed
      $0.lead = .seconds(5)
      $0.tail = .seconds(5)
    }
  }

  @Test(
    "each position has its cadences, counted to within 2 %, or a step of 48, on average", arguments: CadenceRange.all)
  func cadences(range: CadenceRange) throws {
    let (slowest, fastest) = (range.cadences.lowerBound, range.cadences.upperBound)
    for cadence in [slowest, slowest + 10, 100, 130, fastest - 10, fastest] {
      var changes = CountChanges()
      for seed in 1...4 {
        let walk = walk(range.position, cadence: cadence, seed: UInt64(seed))
        changes.add(offlineCount(try walk.samples()), insteadOf: try walk.steps.count)
      }
      #expect(changes.mean <= 1.0 / 48, "\(cadence) steps/min")
      #expect(changes.worst <= 0.05, "\(cadence) steps/min")
    }
  }

  /// The first walk of a developer or of a virtual sensor; a gate that counted other movements less lost the weak ones.
  @Test(
    "a walk that a program makes of a sine for each step and a sway is counted, also a weak one",
    arguments: [1.5, 1.8, 2, 2.2], [0.2, 0.3, 0.5])
  func simulated(cadence: Double, bounce: Double) {
    var random = SplitMix64(seed: 1)
    let samples = (0..<1150).map { i in
      let time = Double(i) / 50 - 3
      var value = SIMD3<Double>(0.02, -0.05, 1)
      if time >= 0, time < 15 {
        let phase = 2 * Double.pi * cadence * time
        value += bounce * SIMD3(0.3 * sin(phase / 2), 0.2 * sin(phase), sin(phase))
      }
      let noise = (0..<3).map { _ in Double.random(in: -0.003...0.003, using: &random) }
      return AccelerationSample(
        nanoseconds: Int64(i) * 20_000_000, acceleration: SIMD3<Float>(value + SIMD3(noise[0], noise[1], noise[2])))
    }
    #expect(abs(Double(offlineCount(samples)) - 15 * cadence) <= 1)
  }

  @Test(
    "slower and faster walking may be missed, but adds no steps", arguments: SyntheticWalk.positions,
    [40.0, 48, 56, 62, 180, 190, 200])
  func extremes(position: SensorPlacement, cadence: Double) throws {
    for seed in 1...2 {
      let walk = walk(position, cadence: cadence, seed: UInt64(seed))
      let counted = try Double(offlineCount(walk.samples()))
      let most = try 1.02 * Double(walk.steps.count)
      withKnownIssue("the gate of slow walks counts 64 for 60 steps at 62 steps/min", isIntermittent: true) {
        #expect(counted <= most, "seed \(seed): \(counted)")
      } when: {
        cadence == 62
      }
    }
  }

  @Test(
    "a walk is counted from its first second on, and nine in ten of its last three steps",
    arguments: SyntheticWalk.positions)
  func ends(position: SensorPlacement) throws {
    var (walks, lateWalks, lastMissed) = (0, 0, 0)
    for cadence in [90.0, 105, 120, 140] {
      for seed in 1...4 {
        let walk = walk(position, cadence: cadence, seed: UInt64(seed)).with { $0.duration = .seconds(30) }
        let strikes = try walk.steps
        let found = try steps(in: walk.samples(), latency: StepDetector.longestRevision).map(\.timestamp)
        walks += 1
        if try #require(found.first) - strikes[0] > .seconds(1) { lateWalks += 1 }
        let beforeLastThree = (strikes[strikes.count - 4] + strikes[strikes.count - 3]) / 2
        lastMissed += 3 - min(3, found.count { $0 > beforeLastThree })
      }
    }
    #expect(lateWalks == 0)
    #expect(Double(lastMissed) <= 0.1 * Double(3 * walks))
  }

  @Test(
    "bouts of six to ten steps are found, after pauses of 3 and 12 s", arguments: SyntheticWalk.positions, [3.0, 12])
  func shortBouts(position: SensorPlacement, pause: Double) throws {
    var (bouts, foundBouts) = (0, 0)
    var (strikes, found) = (0, 0)
    for steps in 6...10 {
      for seed in 1...3 {
        let cadence = 95 + 15 * Double(seed - 1)
        let length = Double(steps) * 60 / cadence
        let walk = walk(position, cadence: cadence, seed: UInt64(seed)).with {
          $0.program = (0..<6).flatMap { _ in
            [SyntheticWalk.Segment(.walking, .seconds(length)), .init(.standing, .seconds(pause))]
          }
        }
        let (struck, counted) = (try walk.steps, try counted(walk))
        strikes += struck.count
        found += counted.count
        for bout in self.bouts(of: struck) {
          bouts += 1
          let inBout = counted.count { bout.contains($0) }
          if 2 * inBout >= steps { foundBouts += 1 }
        }
      }
    }
    #expect(bouts >= 85)
    // With the rest in the window, the shape of so short a walk is less clear.
    #expect(Double(foundBouts) >= 0.93 * Double(bouts))
    // Swings up to the first step and after the last are counted too, mostly on a foot.
    #expect(deviation(found, from: strikes) <= (position == .foot ? 0.2 : 0.12))
  }

  private func counted(_ walk: SyntheticWalk) throws -> [Duration] {
    steps(in: try walk.samples(), latency: StepDetector.longestRevision).map(\.timestamp)
  }

  /// The times of bouts that are more than 2 s apart, extended by half a second at both ends.
  private func bouts(of strikes: [Duration]) -> [ClosedRange<Duration>] {
    var bouts: [ClosedRange<Duration>] = []
    var first = strikes[0]
    for (strike, next) in zip(strikes, strikes.dropFirst() + [.seconds(1_000_000)]) where next - strike > .seconds(2) {
      bouts.append((first - .milliseconds(500))...(strike + .milliseconds(500)))
      first = next
    }
    return bouts
  }
}
