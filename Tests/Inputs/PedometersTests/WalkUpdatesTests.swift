import Accelerometry
import Counting
import Pedometers
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("A walk as a sequence of updates", .timeLimit(.minutes(30)))
struct WalkUpdatesTests {
  private func samples() throws -> [AccelerationSample] {
    try SyntheticWalk {
      $0.duration = .seconds(25)
      $0.position = .foot
    }.samples()
  }

  @Test("has every step once, and totals that agree with the steps")
  func steps() async throws {
    let samples = try samples()
    let batches = stride(from: 0, to: samples.count, by: 40).map {
      SampleBatch(samples: Array(samples[$0..<min(samples.count, $0 + 40)]))
    }
    var steps: [Step] = []
    var last: WalkTotals?
    for try await update in WalkUpdates(of: ScriptedSource(batches)) {
      steps += update.steps
      last = update.totals
    }
    var counter = WalkCounter()
    let expected = counter.process(samples.span) + counter.finish()
    #expect(steps == expected)
    #expect(last?.steps == expected.count)
    #expect(last?.distanceTravelled == counter.distanceTravelled)
  }

  @Test("counts on after a gap")
  func gap() async throws {
    let samples = try samples()
    let later = samples.map {
      AccelerationSample(nanoseconds: $0.nanoseconds + 90_000_000_000, acceleration: $0.acceleration)
    }
    let source = ScriptedSource([
      SampleBatch(samples: samples), SampleBatch(samples: later, gap: .interruption(.seconds(65))),
    ])
    var updates: [WalkProgress] = []
    for try await update in WalkUpdates(of: source) { updates.append(update) }
    #expect(updates.count == 3, "one for each batch, and one for the open steps")
    var counter = WalkCounter()
    counter.process(samples.span)
    counter.finish()
    #expect(updates.last?.totals.steps == 2 * counter.steps)
  }

  @Test(
    "gives the count of a recording of the same samples, with any reported gaps",
    arguments: [0.03, 0.5, 0.9, 1.5, 20])
  func toldGaps(seconds: Double) async throws {
    let samples = try samples()
    let middle = samples.count / 2 + 7
    let hole = Int64(seconds * 1e9)
    let later = samples[middle...].map {
      AccelerationSample(nanoseconds: $0.nanoseconds + hole, acceleration: $0.acceleration)
    }
    let early = Array(samples[..<middle])
    var recorded = WalkCounter()
    let expected = recorded.process((early + later).span) + recorded.finish()
    for gap: SampleBatch.Gap? in [.overflow, .interruption(.nanoseconds(hole)), nil] {
      let source = ScriptedSource([SampleBatch(samples: early), SampleBatch(samples: later, gap: gap)])
      var steps: [Step] = []
      for try await update in WalkUpdates(of: source) { steps += update.steps }
      #expect(steps == expected, "\(String(describing: gap))")
    }
  }

  @Test("reports the open steps before it fails")
  func failure() async throws {
    let source = ScriptedSource(
      [SampleBatch(samples: try samples())], failure: PedometerError.sensorLost(reason: "unplugged"))
    var steps = 0
    await #expect(throws: PedometerError.sensorLost(reason: "unplugged")) {
      for try await update in WalkUpdates(of: source) { steps = update.totals.steps }
    }
    #expect(steps > 30)
  }
}
