import Accelerometry
import Counting
import LinuxSensors
import ServiceTransport
import TestSupport
import Testing

@testable import LiveSources

/// Whether a running service uses a sensor.
@Suite("ServiceCounter", .timeLimit(.minutes(30)))
struct ServiceCounterTests {
  private static func health(_ states: String...) -> CannedTransport.Answer {
    let sources = states.map { #"{"uri":"iio:device0","state":"\#($0)"}"# }.joined(separator: ",")
    return { _ in TransportResponse(status: 200, body: Array("{\"sources\":[\(sources)]}".utf8)) }
  }

  /// The result, and the number of queries.
  private func asked(_ transport: CannedTransport, source: String? = "iio:device0") async -> (Bool, Int) {
    let counter = ServiceCounter(
      ServiceAddress(url: "http://service.test", token: "secret"), source: source, transport: transport)
    return (await counter.isCounting(pause: .zero), transport.requests.count)
  }

  @Test("a service that counts the sensor is recognised at once, with its token")
  func counting() async {
    let transport = CannedTransport(then: Self.health("lost", "counting"))
    #expect(await asked(transport) == (true, 1))
    #expect(transport.requests[0].url == "http://service.test/health")
    #expect(transport.requests[0].headers.contains { $0 == .init("Authorization", "Bearer secret") })
    #expect(await asked(CannedTransport(then: Self.health("counting")), source: nil) == (true, 1))
  }

  @Test("one that has just started is asked again, for a limited time")
  func waiting() async {
    let beginning = CannedTransport(
      first: [Self.health("waiting"), Self.health("waiting")], then: Self.health("counting"))
    #expect(await asked(beginning) == (true, 3))
    #expect(await asked(CannedTransport(then: Self.health("waiting"))) == (false, 21))
    #expect(await asked(CannedTransport(then: Self.health("waiting")), source: "iio:device1") == (false, 1))
    let best = #"{"sources":[{"uri":"best sensor","state":"waiting"}]}"#
    let finding = CannedTransport(
      first: [{ _ in TransportResponse(status: 200, body: Array(best.utf8)) }], then: Self.health("counting"))
    #expect(await asked(finding) == (true, 2))
  }

  @Test("reading begins at once, even if the stream is silent until somebody walks")
  func begins() async throws {
    let health =
      #"{"sources":[{"uri":"iio:device1","state":"counting","steps":9},"#
      + #"{"uri":"iio:device0","state":"counting","steps":4000}]}"#
    let line = #"data: {"type":"step","t":1,"steps":4002,"confirmed":true,"source":"iio:device0"}"# + "\n\n"
    let transport = StubTransport([
      .response(status: 200, body: health), .stream(status: 200, pieces: [Array(line.utf8)], end: .silence),
    ])
    let counter = ServiceCounter(
      ServiceAddress(url: "http://service.test"), source: "iio:device0", transport: transport)
    var readings = counter.makeAsyncIterator()
    let first = try #require(try await readings.next())
    #expect(first.steps == 0 && first.register == 4000)
    let second = try #require(try await readings.next())
    #expect(second.steps == 2 && second.newSteps == 2)
    #expect(transport.requests.map(\.url) == ["http://service.test/health", "http://service.test/api/live"])
  }

  /// A machine without sensors, and what is said.
  private func machine(_ transport: any Transport) -> (sources: Sources, remarks: Observed<[String]>) {
    let remarks = Observed<[String]>([])
    var sources = Sources { remark in remarks.update { $0.append(remark) } }
    (sources.sensors, sources.boards) = ({ [] }, { [] })
    sources.service = ServiceAccess(address: ServiceAddress(url: "http://service.test"), transport: transport)
    return (sources, remarks)
  }

  @Test("without a sensor, the first source that the service counts with is followed, and people are told")
  func elsewhere() async throws {
    let health =
      #"{"sources":[{"uri":"best sensor","state":"waiting"},"#
      + #"{"uri":"client:ann","name":"Ann's phone","state":"counting","steps":40}]}"#
    let line = #"data: {"type":"step","t":1,"steps":42,"confirmed":true,"source":"client:ann"}"# + "\n\n"
    let answers: [StubTransport.Answer] = [
      .response(status: 200, body: health), .response(status: 200, body: health), .text(line, end: .silence),
    ]
    let (sources, remarks) = machine(StubTransport(answers))
    let source = try #require(try await sources.open(nil, for: .live))
    #expect(source.connection?.title == "client:ann (Ann's phone, counted by the service at http://service.test)")
    #expect(remarks.value.count == 1 && remarks.value[0].hasPrefix("no motion sensor found here; using Ann's phone"))
    for try await event in source.events(CountingOptions()) {
      guard case .progress(let progress) = event, progress.totals.steps > 0 else { continue }
      #expect(progress.totals.steps == 2)
      break
    }
    let chase = LivePedometer(nil, machine(StubTransport(answers)).sources, .walkRatio(), endsAtLoss: true)
    #expect(!chase.pedometerAvailable)
    let said = Observed<[String]>([])
    let found = try await chase.find(waits: false) { remark in said.update { $0.append(remark) } }
    #expect(found?.uri == .client("ann") && said.value == remarks.value && chase.pedometerAvailable)
  }

  @Test(
    "without a sensor, a service that counts nothing or needs a token leaves the error, and a named one is not replaced"
  )
  func nothingElsewhere() async throws {
    let idle = machine(CannedTransport(then: Self.health("waiting")))
    await #expect(throws: SensorError.self) { try await idle.sources.open(nil, for: .live) }
    #expect(idle.remarks.value.isEmpty)
    let guarded = machine(CannedTransport(status: 200, body: "{}"))
    await #expect(throws: SensorError.self) { try await guarded.sources.open(nil, for: .live) }
    #expect(guarded.remarks.value.count == 1 && guarded.remarks.value[0].contains("set PEDOMETER_TOKEN"))
    let named = machine(CannedTransport(then: Self.health("counting")))
    await #expect(throws: SensorError.self) { try await named.sources.open(.iio("iio:device77"), for: .live) }
  }

  @Test("a stream that breaks is reopened after its last line, with back-off, and reported as one loss")
  func reconnects() async throws {
    func line(_ id: Int, _ steps: Int) -> String {
      "id: \(id)\ndata: {\"type\":\"step\",\"t\":1,\"steps\":\(steps),\"confirmed\":true}\n\n"
    }
    let refused = TransportError.unreachable(address: "http://service.test", reason: "refused")
    let transport = StubTransport(
      [
        .response(status: 200, body: "{}"), .text(line(7, 100)), .failure(refused), .failure(refused),
        .text(line(8, 102)),
      ], otherwise: .response(status: 401, body: ""))
    let waits = Observed<[Duration]>([])
    let counter = ServiceCounter(ServiceAddress(url: "http://service.test"), source: nil, transport: transport)
    var sources = Sources()
    sources.sleep = { wait in waits.update { $0.append(wait) } }
    let connection = SourceConnection(counter, uri: .client("ann"), name: "Ann's phone")
    let source = try #require(try await sources.open(SourceWay(.service) { _ in connection }, for: .live))
    var events: [String] = []
    await #expect(throws: SourceFailure.self) {
      for try await event in source.elements {
        switch event {
        case .element(.samples): events.append("samples")
        case .element(.steps(let reading)): events.append("\(reading.steps)")
        case .lost: events.append("lost")
        case .refused: events.append("refused")
        case .back(let name): events.append("back: \(name)")
        }
      }
    }
    #expect(events == ["1", "lost", "refused", "refused", "back: the service", "3", "lost"])
    #expect(waits.value == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    let last = transport.requests.compactMap { $0.headers.first { $0.name == "Last-Event-ID" }?.value }
    #expect(last == ["7", "7", "7", "8"])
  }

  @Test("one that counts something else, refuses, or sends garbage is not used")
  func others() async {
    #expect(await asked(CannedTransport(then: Self.health("counting")), source: "iio:device1") == (false, 1))
    #expect(await asked(CannedTransport(then: Self.health("denied"))) == (false, 1))
    #expect(await asked(CannedTransport(status: 401)) == (false, 1))
    #expect(await asked(CannedTransport(status: 200, body: "<html>")) == (false, 1))
    let down = CannedTransport { throw TransportError.unreachable(address: $0.url, reason: "refused") }
    #expect(await asked(down) == (false, 1))
  }
}
