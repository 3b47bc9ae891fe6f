import Accelerometry
import Counting
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("The events of a walk", .timeLimit(.minutes(30)))
struct WalkEventsTests {
  private func samples() throws -> [AccelerationSample] {
    var reader = try SyntheticWalk { $0.duration = .seconds(30) }.reader()
    var (all, some): ([AccelerationSample], [AccelerationSample]) = ([], [])
    while reader.read(into: &some) { all += some }
    return all
  }

  private func counted(_ samples: [AccelerationSample]) -> WalkSummary {
    var counter = WalkCounter()
    counter.process(samples.span)
    counter.finish()
    return WalkSummary(counter)
  }

  private struct Told {
    var events: [WalkEvent] = []
    var failure: (any Error)?

    var progress: [WalkProgress] {
      events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }
    var summary: WalkSummary? { if case .ended(let walk)? = events.last { walk } else { nil } }
    var kinds: [String] {
      events.map { event in
        switch event {
        case .began(let time): "began \(time)"
        case .samples(let samples): "\(samples.count) samples"
        case .gap(let gap): "gap \(gap)"
        case .progress: "progress"
        case .warning(let sentence): sentence
        case .lost(let error): "lost \(error)"
        case .refused(let error): "refused \(error)"
        case .back(let name): "back \(name)"
        case .ended: "ended"
        }
      }
    }
  }

  private func told(_ source: some WalkSource, _ options: CountingOptions = CountingOptions()) async -> Told {
    var told = Told()
    do {
      for try await event in source.events(options) { told.events.append(event) }
    } catch { told.failure = error }
    return told
  }

  @Test("the totals have the gait of the walk where it is asked for, and nothing where it is not")
  func gait() async throws {
    var walk = SyntheticWalk()
    (walk.position, walk.duration, walk.cadence) = (.lowerBack, .seconds(200), 110)
    (walk.variability, walk.drift) = (0.02, 0)
    let samples = try walk.samples()
    let source = ScriptedSource(samples.slices(within: 1_000_000_000).map { SampleBatch(samples: Array($0)) }).walk
    var options = CountingOptions()
    options.measuresGait = true
    let told = await told(source, options)
    // Before the bout is over there are its first 256 steps.
    let first = try #require(told.progress.first { $0.totals.gait?.stepTime.count ?? 0 > 0 })
    #expect((257...280).contains(first.totals.steps) && first.totals.gait?.stepTime.count == 256)
    let gait = try #require(told.summary?.totals.gait)
    #expect(gait == told.progress.last?.totals.gait)
    #expect(gait.stepTime.count >= 355 && abs(gait.stepTime.mean - 60.0 / 110) < 0.005)
    #expect((1...3).contains(try #require(gait.stepTime.variation)))
    #expect(await self.told(source).summary?.totals.gait == nil)
  }

  @Test("totals that arrive all at once have no mean cadence, others do")
  func meanCadence() {
    var sample = WalkTotals(steps: 20, distanceTravelled: 15, elapsed: .seconds(60))
    for (active, cadence) in [(Duration.milliseconds(2), nil), (.seconds(10), 2.0), (.zero, nil)] {
      sample.activeTime = active
      #expect(WalkSummary(sample).meanCadence == cadence)
    }
  }

  @Test("a warning of the source is reported once, in order, and in the summary")
  func sourceWarnings() throws {
    var counting = SampleCounting()
    var events: [WalkEvent] = []
    for (index, warning) in [nil, "its clock stands still", "its clock stands still", nil].enumerated() {
      let sample = AccelerationSample(nanoseconds: Int64(index) * 20_000_000, acceleration: [0, 0, 1])
      counting.take(SampleBatch(samples: [sample], warning: warning), into: &events)
    }
    counting.end(into: &events)
    let told = Told(events: events)
    #expect(told.kinds.filter { $0.hasPrefix("its") } == ["its clock stands still"])
    #expect(told.kinds.firstIndex(of: "its clock stands still") == 4)
    #expect(told.summary?.warnings == ["its clock stands still"])
  }

  @Test(
    "however the samples are cut into batches, the walk is the one of the recording", arguments: [1, 7, 500, 1 << 20])
  func batches(size: Int) async throws {
    let samples = try samples()
    let script = stride(from: 0, to: samples.count, by: size).map {
      SampleBatch(samples: Array(samples[$0..<min($0 + size, samples.count)]))
    }
    let told = await told(ScriptedSource(script).walk)
    let expected = counted(samples)
    #expect(told.summary == expected && expected.totals.steps > 40)
    #expect(told.progress.flatMap(\.steps).count == expected.totals.steps)
    #expect(told.progress.last?.totals.steps == expected.totals.steps)
  }

  @Test("samples that arrive at once are reported in slices of at most a tenth of a second")
  func slices() async throws {
    let samples = Array(try samples().prefix(500))
    let told = await told(ScriptedSource([SampleBatch(samples: samples)]).walk)
    let times = told.progress.map(\.now)
    // A slice ends with the last sample of its tenth of a second, and the next begins a sample later.
    #expect(times.count > 80)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= CountingOptions.liveSlice + .milliseconds(21) })
    let whole = await self.told(
      ScriptedSource([SampleBatch(samples: samples)]).walk, CountingOptions(slice: nil))
    // The batch, and the end.
    #expect(whole.progress.count == 2)
  }

  @Test("the first batch begins the walk, and a gap is reported before the samples after it")
  func order() async throws {
    let samples = try samples()
    let script = [
      SampleBatch(samples: Array(samples[..<3]), gap: .overflow), SampleBatch(samples: []),
      SampleBatch(samples: Array(samples[3..<5]), gap: .overflow),
    ]
    let told = await told(ScriptedSource(script).walk)
    #expect(
      told.kinds == [
        "began \(samples[0].timestamp)", "3 samples", "progress", "2 samples", "gap overflow", "progress", "progress",
        "ended",
      ])
  }

  @Test("a source that fails is counted to its end before the error is thrown")
  func failure() async throws {
    let samples = try samples()
    let lost = PedometerError.sensorLost(reason: "unplugged")
    let told = await told(ScriptedSource([SampleBatch(samples: samples)], failure: lost).walk)
    #expect(told.failure as? PedometerError == lost)
    #expect(told.summary == counted(samples))
  }

  @Test("an empty source ends with an empty summary")
  func nothing() async {
    let told = await told(ScriptedSource([]).walk)
    #expect(told.kinds == ["ended"] && told.summary == WalkSummary() && told.failure == nil)
  }

  @Test("damage is reported once, when it is detected, and summarised at the end")
  func damage() async throws {
    var samples = try samples()
    for index in [200, 400, 600] { samples[index].acceleration.x = 1e30 }
    let told = await told(ScriptedSource([SampleBatch(samples: samples)]).walk)
    let warnings = told.kinds.filter { $0.contains("acceleration") }
    #expect(warnings.count == 1 && warnings[0].hasPrefix("1 sample is not a valid acceleration"))
    #expect(told.summary?.warnings.first?.hasPrefix("3 samples are not valid accelerations") == true)
  }

  @Test("loss and return of a source are reported in order, and the walk continues")
  func loss() async throws {
    let samples = try samples()
    let events: [SourceEvent<SampleBatch>] = [
      .element(SampleBatch(samples: Array(samples[..<700]))), .lost(PedometerError.sensorLost(reason: "out")),
      .refused(PedometerError.notAuthorized(remedy: "wait")), .back("it"),
      .element(SampleBatch(samples: Array(samples[700...]))),
    ]
    let source = SampleWalk {
      AsyncThrowingStream { stream in
        for event in events { stream.yield(event) }
        stream.finish()
      }
    }
    let told = await told(source, CountingOptions(slice: nil))
    #expect(
      told.kinds.filter { $0 != "progress" && !$0.hasSuffix("samples") } == [
        "began \(samples[0].timestamp)", "lost \(PedometerError.sensorLost(reason: "out"))",
        "refused \(PedometerError.notAuthorized(remedy: "wait"))", "back it", "ended",
      ])
    #expect(told.summary == counted(samples))
  }

  @Test("steps are announced on request, and every confirmed one is among the steps")
  func announced() async throws {
    var options = CountingOptions()
    options.announcesSteps = true
    let samples = try samples()
    let told = await told(ScriptedSource([SampleBatch(samples: samples)]).walk, options)
    let confirmed = told.progress.flatMap { $0.news ?? [] }.compactMap { news in
      if case .confirmed(let step, _) = news { step.timestamp } else { nil }
    }
    #expect(confirmed == told.progress.flatMap(\.steps).map(\.timestamp) && confirmed.count > 40)
  }
}
