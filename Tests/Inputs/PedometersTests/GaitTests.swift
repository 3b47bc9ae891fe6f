import Accelerometry
import Counting
import Pedometry
import Recordings
import Testing

@Suite("Gait", .timeLimit(.minutes(30)))
struct GaitTests {
  /// The gait and the refined steps of a recording, read in batches of so many samples.
  private func gait(_ samples: [AccelerationSample], batch: Int = 512) -> (measures: GaitMeasures, bouts: [GaitBout]) {
    var options = CountingOptions(slice: nil)
    options.measuresGait = true
    var counting = SampleCounting(options)
    var bouts: [GaitBout] = []
    for start in stride(from: 0, to: samples.count, by: batch) {
      bouts += counting.count(samples.span.extracting(start..<min(start + batch, samples.count))).gait
    }
    bouts += counting.finish().gait
    return (counting.summary.totals.gait ?? GaitMeasures(), bouts)
  }

  @Test(
    "steps of a perfectly regular walk scatter by at most 3 ms, 8 ms at a swinging wrist, and the stride is the same",
    arguments: [SensorPlacement.lowerBack, .pocket, .foot, .wrist], [95.0, 118.0])
  func floor(position: SensorPlacement, cadence: Double) throws {
    let walk = SyntheticWalk {
      ($0.position, $0.cadence, $0.variability, $0.drift, $0.duration) = (position, cadence, 0, 0, .seconds(90))
    }
    let strides = gait(try walk.samples()).measures.strideTime
    #expect(strides.count > 60)
    #expect(abs(strides.mean - 120 / cadence) < 0.004)
    // The difference of two times that each scatter by 3 ms scatters by 4.2 ms.
    #expect(try #require(strides.deviation) < (position == .wrist ? 0.011 : 0.0042))
    #expect(try #require(strides.variation) < (position == .wrist ? 0.9 : 0.5))
  }

  @Test("the variability that a walk has is found, within a third", arguments: [0.02, 0.04])
  func variability(_ part: Double) throws {
    let walk = SyntheticWalk {
      ($0.position, $0.cadence, $0.variability, $0.drift, $0.duration) = (.lowerBack, 110, part, 0, .seconds(180))
    }
    let truth = try walk.steps
    var times = GaitMeasures.Spread()
    for index in 1..<truth.count { times.add((truth[index] - truth[index - 1]) / .seconds(1)) }
    let found = try #require(gait(try walk.samples()).measures.stepTime.variation)
    let known = try #require(times.variation)
    #expect(abs(found / known - 1) < 0.33, "\(found) of \(known)")
  }

  @Test("the result does not depend on the batches, and has each step once")
  func batches() throws {
    let walk = SyntheticWalk {
      ($0.duration, $0.bout, $0.pause) = (.seconds(400), .seconds(170), .seconds(8))
    }
    let all = try walk.samples()
    let whole = gait(all, batch: all.count)
    #expect(whole.bouts == gait(all, batch: 777).bouts)
    var counting = SampleCounting(CountingOptions(slice: nil))
    let steps = counting.count(all.span).steps + counting.finish().steps
    let times = whole.bouts.flatMap(\.times)
    #expect(times.count == steps.count)
    for (refined, step) in zip(times, steps) { #expect(abs((refined - step.timestamp) / .milliseconds(1)) <= 86) }
    #expect(whole.bouts.count > 1)
  }

  @Test("a bout of running and walking has the strides of both, and each pace is regular in itself")
  func paces() throws {
    let walk = SyntheticWalk {
      ($0.position, $0.variability, $0.drift) = (.lowerBack, 0.01, 0)
      $0.program = [.init(.running, .seconds(40), cadence: 164), .init(.walking, .seconds(40), cadence: 112)]
    }
    let found = gait(try walk.samples())
    #expect(found.measures.strideTime.count > 160)
    #expect(try #require(found.measures.strideRegularity) > 0.7)
    #expect(try #require(found.measures.asymmetry) < 5)
  }

  @Test("asymmetry is not given for a sensor on one foot")
  func oneFoot() throws {
    let walk = SyntheticWalk { ($0.position, $0.duration) = (.foot, .seconds(60)) }
    let measures = gait(try walk.samples()).measures
    #expect(measures.strideTime.count > 40 && measures.asymmetry == nil)
  }

  @Test("regularity and asymmetry need 8 strides, and no measure exists without a stride")
  func few() throws {
    let short = SyntheticWalk { ($0.duration, $0.lead, $0.tail) = (.seconds(6), .seconds(5), .seconds(25)) }
    let found = gait(try short.samples())
    #expect(
      found.measures.strideTime.count > 0 && found.measures.stepRegularity == nil)
    #expect(found.measures.symmetry == nil && found.measures.asymmetry == nil)
    let none = GaitMeasures()
    #expect(none.stepTime.deviation == nil && none.asymmetry == nil && none.cadence.count == 0)
  }

  @Test("variability is that within bouts: bouts of different speeds do not add to it")
  func pooled() {
    var (slow, fast, all) = (GaitMeasures.Spread(), GaitMeasures.Spread(), GaitMeasures.Spread())
    for value in [1.2, 1.22, 1.18] { slow.add(value) }
    for value in [0.9, 0.92, 0.88] { fast.add(value) }
    all.add(bout: slow)
    all.add(bout: fast)
    #expect(all.count == 6 && abs(all.mean - 1.05) < 1e-12)
    #expect(abs((all.deviation ?? 0) - 0.02) < 1e-12)
  }

  @Test("left and right are compared: an even walk has no asymmetry and is regular")
  func symmetry() throws {
    let walk = SyntheticWalk { ($0.position, $0.variability, $0.drift, $0.duration) = (.lowerBack, 0, 0, .seconds(90)) }
    let measures = gait(try walk.samples()).measures
    #expect(try #require(measures.asymmetry) < 2)
    #expect(try #require(measures.strideRegularity) > 0.8)
    #expect(try #require(measures.symmetry) > 0.7)
  }
}
