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
  private func asked(_ transport: CannedTransport, source: String = "iio:device0") async -> (Bool, Int) {
    let address = ServiceAddress(url: "http://service.test", token: "secret")
    let counter = ServiceCounter(ServiceAccess(address: address, transport: transport), source: source) { _ in }
    return (await counter.isCounting(), transport.requests.count)
  }

  @Test("a service that counts the sensor is recognised at once, with its token")
  func counting() async {
    let transport = CannedTransport(then: Self.health("lost", "counting"))
    #expect(await asked(transport) == (true, 1))
    #expect(transport.requests[0].url == "http://service.test/health")
    #expect(transport.requests[0].headers.contains { $0 == .init("Authorization", "Bearer secret") })
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

  /// An answer with the total of one source.
  private static func total(_ steps: Int, of uri: String = "iio:device0") -> CannedTransport.Answer {
    let body =
      #"{"sources":[{"uri":"other","state":"counting","steps":9},{"uri":"\#(uri)","name":"Ann's phone","#
      + #""state":"counting","steps":\#(steps)}]}"#
    return { _ in TransportResponse(status: 200, body: Array(body.utf8)) }
  }

  @Test("reading begins at once, and goes on at each second with the growth of the source's total")
  func begins() async throws {
    let transport = CannedTransport(
      first: [Self.total(4000), Self.health("waiting"), Self.total(.max), Self.total(4000)], then: Self.total(4002))
    let pauses = Observed<[Duration]>([])
    let counter = ServiceCounter(
      ServiceAccess(address: ServiceAddress(url: "http://service.test"), transport: transport), source: "iio:device0"
    ) { pause in pauses.update { $0.append(pause) } }
    var readings = counter.readings.makeAsyncIterator()
    let first = try #require(try await readings.next())
    #expect(first.steps == 0 && pauses.value.isEmpty)
    let second = try #require(try await readings.next())
    #expect(second.steps == 0 && pauses.value == [.seconds(1), .seconds(1), .seconds(1)])
    let third = try #require(try await readings.next())
    #expect(third.steps == 2 && third.newSteps == 2)
  }

  /// A machine without sensors, and what is said.
  private func machine(_ transport: any Transport) -> (sources: Sources, remarks: Observed<[String]>) {
    let remarks = Observed<[String]>([])
    var sources = Sources { remark in remarks.update { $0.append(remark) } }
    (sources.sensors, sources.boards, sources.sleep) = ({ [] }, { [] }, { _ in })
    sources.service = ServiceAccess(address: ServiceAddress(url: "http://service.test"), transport: transport)
    return (sources, remarks)
  }

  @Test("without a sensor, the first source that the service counts with is followed, and people are told")
  func elsewhere() async throws {
    let answers: [CannedTransport.Answer] = [
      { _ in
        let body =
          #"{"sources":[{"uri":"best sensor","state":"waiting"},"#
          + #"{"uri":"client:ann","name":"Ann's phone","state":"counting","steps":40}]}"#
        return TransportResponse(status: 200, body: Array(body.utf8))
      }, Self.total(40, of: "client:ann"),
    ]
    let (sources, remarks) = machine(CannedTransport(first: answers, then: Self.total(42, of: "client:ann")))
    let source = try #require(try await sources.open(nil, for: .live))
    #expect(source.connection?.title == "client:ann (Ann's phone, counted by the service at http://service.test)")
    #expect(remarks.value.count == 1 && remarks.value[0].hasPrefix("no motion sensor found here; using Ann's phone"))
    for try await event in source.events(CountingOptions()) {
      guard case .progress(let progress) = event, progress.totals.steps > 0 else { continue }
      #expect(progress.totals.steps == 2)
      break
    }
    let served = CannedTransport(first: answers, then: Self.total(42, of: "client:ann"))
    let chase = LivePedometer(nil, machine(served).sources, .walkRatio(), endsAtLoss: true)
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

  @Test("a service that is gone is asked again, with back-off, and reported as one loss; a refusal ends the count")
  func reconnects() async throws {
    let gone: CannedTransport.Answer = { throw TransportError.unreachable(address: $0.url, reason: "refused") }
    let transport = CannedTransport(
      first: [Self.total(99), Self.total(100), gone, gone, gone, Self.total(102)],
      then: { _ in TransportResponse(status: 200, body: Array("{}".utf8)) })
    let waits = Observed<[Duration]>([])
    let counter = ServiceCounter(
      ServiceAccess(address: ServiceAddress(url: "http://service.test"), transport: transport), source: "iio:device0"
    ) { _ in }
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
    #expect(events == ["0", "1", "lost", "refused", "refused", "back: the service", "3"])
    #expect(waits.value == [.seconds(1), .seconds(2), .seconds(4)])
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
