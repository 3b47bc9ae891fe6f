import Accelerometry
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("The step detector", .timeLimit(.minutes(30)))
struct StepDetectorTests {
  @Test("counts a walk in every position to within 2 %", arguments: SyntheticWalk.positions)
  func counts(position: SensorPlacement) throws {
    let walk = SyntheticWalk {
      $0.position = position
      $0.lead = .seconds(5)
      $0.tail = .seconds(5)
    }
    #expect(deviation(try steps(in: walk).count, from: try walk.steps.count) <= 0.02)
  }

  @Test("counts slow and brisk walking and running", arguments: [75.0, 90, 110, 130, 145, 165, 180])
  func cadences(cadence: Double) throws {
    let walk = SyntheticWalk {
      $0.cadence = cadence
      $0.activity = cadence > 150 ? .running : .walking
      $0.position = .lowerBack
    }
    #expect(deviation(try steps(in: walk).count, from: try walk.steps.count) <= 0.03)
  }

  @Test(
    "stamps a step at the foot strike: 9 of 10 within 0.15 s; on a foot, those of that foot",
    arguments: SyntheticWalk.positions)
  func stamps(position: SensorPlacement) throws {
    let walk = SyntheticWalk {
      $0.position = position
      $0.duration = .seconds(40)
    }
    let truth = try walk.steps
    let found = try steps(in: walk)
    let near = found.count { step in truth.contains { abs(($0 - step.timestamp).inSeconds) < 0.15 } }
    // A sensor on one foot hardly measures the strike of the other one.
    #expect(Double(near) >= (position == .foot ? 0.45 : 0.9) * Double(found.count))
  }

  @Test("finds no steps without walking", arguments: [SyntheticWalk.Activity.standing, .typing, .driving])
  func silence(activity: SyntheticWalk.Activity) throws {
    for seed in 1...3 {
      let walk = SyntheticWalk {
        $0.activity = activity
        $0.seed = UInt64(seed)
        $0.duration = .seconds(120)
      }
      #expect(try steps(in: walk).count <= 2)
    }
  }

  @Test("reports a step at most six seconds after it was taken", arguments: SyntheticWalk.positions)
  func delay(position: SensorPlacement) throws {
    let walk = SyntheticWalk {
      $0.position = position
      $0.duration = .seconds(40)
      $0.lead = .seconds(3)
    }
    var detector = StepDetector()
    var found: [Step] = []
    var latest = Duration.zero
    for sample in try walk.samples() {
      let before = found.count
      detector.process([sample].span, into: &found)
      for step in found[before...] { latest = max(latest, sample.timestamp - step.timestamp) }
    }
    // One cell more: the sample that closes a block is up to one period after its end.
    #expect(latest <= StepDetector.longestDelay + .milliseconds(80))
    #expect(found.count > 40)
  }

  @Test("gives steps in order, without duplicates, within the recording")
  func order() throws {
    let walk = SyntheticWalk {
      $0.bout = .seconds(12)
      $0.pause = .seconds(7)
      $0.duration = .seconds(90)
      $0.position = .pocket
    }
    let samples = try walk.samples()
    let times = steps(in: samples).map(\.timestamp)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(199) })
    #expect(try #require(times.first) >= samples[0].timestamp)
    #expect(try #require(times.last) <= samples[samples.count - 1].timestamp)
  }

  @Test("finishes once: a second call has no effect, and samples may follow")
  func finishTwice() throws {
    let samples = try SyntheticWalk { $0.duration = .seconds(20) }.samples()
    var detector = StepDetector()
    var found: [Step] = []
    detector.process(samples.span, into: &found)
    detector.finish(into: &found)
    let once = found.count
    detector.finish(into: &found)
    #expect(found.count == once)
    let later = samples.map {
      AccelerationSample(nanoseconds: $0.nanoseconds + 3_600_000_000_000, acceleration: $0.acceleration)
    }
    detector.process(later.span, into: &found)
    detector.finish(into: &found)
    #expect(found.count == 2 * once)
  }

  @Test("has no steps without samples")
  func nothing() {
    #expect(steps(in: []).isEmpty)
    #expect(steps(in: [AccelerationSample(nanoseconds: 5, acceleration: [0, 0, 1])]).isEmpty)
  }
}
