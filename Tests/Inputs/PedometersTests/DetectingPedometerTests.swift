import Accelerometry
import Pedometers
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

extension Pedometer {
  /// Starts with handlers that record their calls.
  func start(log: HandlerLog) {
    start(dataUpdates: { log.note($0, $1) }, eventUpdates: { log.note(event: $0) })
  }
}

@Suite("A detecting pedometer", .timeLimit(.minutes(30)))
struct DetectingPedometerTests {
  private static let walk = SyntheticWalk {
    $0.duration = .seconds(30)
    $0.position = .pocket
  }

  private func batches(of size: Int = 25) throws -> [SampleBatch] {
    let samples = try Self.walk.samples()
    return stride(from: 0, to: samples.count, by: size).map {
      SampleBatch(samples: Array(samples[$0..<min(samples.count, $0 + size)]))
    }
  }

  private func counted() throws -> Int {
    var counter = WalkCounter()
    let samples = try Self.walk.samples()
    counter.process(samples.span)
    counter.finish()
    return counter.steps
  }

  @Test("reports its start, then totals that only grow, up to the offline count")
  func totals() async throws {
    let expected = try counted()
    let log = HandlerLog()
    let pedometer = DetectingPedometer(ScriptedSource(try batches()))
    pedometer.start(log: log)
    let entries = await log.entries { $0 == .data(steps: expected) }
    #expect(entries.first == .started)
    let steps = entries.compactMap { if case .data(let steps) = $0 { steps } else { nil } }
    #expect(steps == steps.sorted() && Set(steps).count == steps.count)
    #expect(steps.last == expected && expected > 40)
  }

  @Test("counts each session from zero")
  func sessions() async throws {
    let expected = try counted()
    let pedometer = DetectingPedometer(ScriptedSource(try batches()))
    for _ in 0..<2 {
      let log = HandlerLog()
      pedometer.start(log: log)
      let entries = await log.entries { $0 == .data(steps: expected) }
      #expect(entries.last == .data(steps: expected))
    }
  }

  @Test("reports a source that cannot be opened as an event, and no start")
  func openingFails() async {
    let log = HandlerLog()
    let pedometer = DetectingPedometer(
      ScriptedSource([], failure: PedometerError.notAuthorized(remedy: "install the rule")))
    pedometer.start(log: log)
    let entries = await log.entries { _ in true }
    #expect(entries == [.event("\(PedometerError.notAuthorized(remedy: "install the rule"))")])
  }

  @Test("reports a source that fails later as an error of the data, after all earlier steps")
  func failsLater() async throws {
    let log = HandlerLog()
    let lost = PedometerError.sensorLost(reason: "unplugged")
    let pedometer = DetectingPedometer(ScriptedSource(try batches(), failure: lost))
    pedometer.start(log: log)
    let entries = await log.entries { if case .dataError = $0 { true } else { false } }
    #expect(entries.last == .dataError("\(lost)"))
    #expect(entries.dropLast().last == .data(steps: try counted()))
  }

  @Test("is silent after a pause, even if its source continues")
  func pause() async throws {
    let (first, second) = (HandlerLog(), HandlerLog())
    let pedometer = DetectingPedometer(ScriptedSource(try batches(), isEndless: true))
    pedometer.start(log: first)
    _ = await first.entries { if case .data = $0 { true } else { false } }
    pedometer.pause()
    pedometer.start(log: second)
    let entries = await second.entries { if case .data = $0 { true } else { false } }
    #expect(entries.first == .started)
  }
}
