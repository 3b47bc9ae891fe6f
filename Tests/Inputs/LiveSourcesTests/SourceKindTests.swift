import Counting
import LinuxSensors
import Pedometers
import SourceNames
import TestSupport
import Testing

@testable import LiveSources

@Suite("Kinds of sources", .timeLimit(.minutes(30)))
struct SourceKindTests {
  @Test("a new kind is one file and one entry in the list")
  func newKind() async throws {
    var sources = Sources()
    sources.kinds.insert(Metronome(), at: 0)
    let source = try #require(try await sources.open(.file(path: "metronome"), for: .live))
    var (steps, summary) = (0, WalkSummary())
    for try await event in source.events(CountingOptions(stepLength: .fixed(0.5))) {
      if case .progress(let progress) = event { steps += progress.steps.count }
      if case .ended(let walk) = event { summary = walk }
    }
    #expect(steps == 20 && summary.totals.steps == 20 && summary.totals.elapsed == .seconds(10) && summary.samples == 0)
    #expect(abs(summary.totals.distanceTravelled - 10) < 1e-9)

    let (log, pedometer) = (HandlerLog(), DetectingPedometer(source, CountingOptions()))
    pedometer.start(dataUpdates: { log.note($0, $1) }, eventUpdates: { log.note(event: $0) })
    let entries = await log.entries { $0 == .data(steps: 20) }
    #expect(entries == [.started] + (1...20).map { .data(steps: $0) })
  }

  @Test("each name is taken by exactly one kind")
  func names() throws {
    let sources = Sources()
    let names = [
      "synthetic:", "walk.csv", "-", "iio:device0", "evdev:/dev/input/event5", "counter:device0",
      "serial:/dev/ttyACM0", "ble:C0:FF:EE:00:11:22", "udp:5555", "phyphox:http://phone:8080", "ws://phone:8080/",
      "exec:true",
    ]
    for uri in try names.map({ Optional(try SourceURI(parsing: $0)) }) + [nil] {
      #expect(try sources.kinds.count { try $0.way(to: uri, for: .live, sources) != nil } == 1)
    }
  }

  @Test("for a service a synthetic walk goes on after a minute unless it has an end; otherwise it ends there")
  func endless() async throws {
    func samples(_ name: String, _ use: Sources.Use) async throws -> Int {
      var sources = Sources()
      sources.kinds = [SyntheticSource(pace: .unpaced)]
      let source = try #require(try await sources.open(try SourceURI(parsing: name), for: use))
      var count = 0
      for try await case .element(.samples(let batch)) in source.elements {
        count += batch.samples.count
        if count > 4000 { break }
      }
      #expect((source.connection?.uri).map { "\($0)" } == name)
      return count
    }
    // At 50 Hz a minute is 3000 samples.
    #expect(try await samples("synthetic:cadence=112", .allDay) > 4000)
    #expect(try await samples("synthetic:cadence=112", .live) <= 3001)
    #expect(try await samples("synthetic:duration=7", .allDay) <= 351)
    #expect(try await samples("synthetic:steps=7", .allDay) < 4000)
  }
}
