import Counting
import LinuxSensors
import Pedometry
import Recordings
import SourceNames
import TestSupport
import Testing

@testable import LiveSources

@Suite("A live pedometer", .timeLimit(.minutes(30)))
struct LivePedometerTests {
  private func pedometer(_ uri: SourceURI) -> LivePedometer {
    var sources = Sources()
    sources.kinds.insert(Metronome(), at: 0)
    return LivePedometer(uri, sources, .fixed(0.5))
  }

  @Test("any named source is counted, from zero in each session")
  func sessions() async {
    let pedometer = pedometer(.file(path: "metronome"))
    #expect(pedometer.pedometerAvailable && !pedometer.permissionDeclined && pedometer.obstacle == nil)
    for _ in 0..<2 {
      let log = HandlerLog()
      pedometer.start(dataUpdates: { log.note($0, $1) }, eventUpdates: { log.note(event: $0) })
      let entries = await log.entries { $0 == .data(steps: 20) }
      #expect(entries.first == .started && entries.dropFirst().first == .data(steps: 1))
    }
  }

  @Test("a named port that does not exist is the obstacle, as it is the error of opening it")
  func absentPort() async {
    let port = pedometer(.serial(SerialAddress(path: "/dev/no-such-board")))
    #expect(!port.pedometerAvailable && !port.permissionDeclined)
    #expect(port.obstacle?.hasPrefix("cannot find /dev/no-such-board; plug the board in") == true)
    await #expect { _ = try await port.find(waits: false) } throws: { "\($0)" == port.obstacle }
  }

  @Test("its updates are the founding protocol's totals")
  func updates() async throws {
    var steps = 0
    for try await walk in pedometer(.file(path: "metronome")).updates {
      steps = walk.steps
      if steps == 20 { break }
    }
    #expect(steps == 20)
  }

  @Test("its events are those of the source, which is opened with the first request")
  func events() async throws {
    var summary: WalkSummary?
    for try await event in pedometer(.file(path: "metronome")).events {
      if case .ended(let walk) = event { summary = walk }
    }
    #expect(summary?.totals.steps == 20)
  }

  @Test("a Bluetooth sensor that cannot be reached is an error of a pedometer, with the remedy")
  func unreachable() async throws {
    let folder = try TemporaryDirectory()
    var machine = SensorEnvironment(root: folder.path)
    machine.systemBus = "unix:path=\(folder.path)/nothing"
    var sources = Sources()
    sources.kinds = [BluetoothSource(in: machine)]
    let pedometer = LivePedometer(
      try SourceURI(parsing: "ble:C0:FF:EE:00:11:22"), sources, .fixed(0.5), endsAtLoss: true)
    let error = await #expect(throws: PedometerError.self) { for try await _ in pedometer.updates {} }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.hasPrefix("lost the step sensor: ") && text.contains("Bluetooth cannot be used"))
  }

  @Test("a source that cannot be opened is a start error of a pedometer, with the remedy")
  func refused() async {
    let log = HandlerLog()
    let pedometer = pedometer(.iio("no-such-device"))
    pedometer.start(dataUpdates: { log.note($0, $1) }, eventUpdates: { log.note(event: $0) })
    let entries = await log.entries { _ in true }
    guard case .event(let message)? = entries.first else {
      Issue.record("\(entries)")
      return
    }
    #expect(message.hasPrefix("no usable step sensor") && message.contains("pedometer devices"))
    await #expect(throws: SensorError.self) { for try await _ in pedometer.events {} }
  }

  @Test("the gait of a source by name is measured where it is asked for", arguments: [true, false])
  func gait(_ isAsked: Bool) async throws {
    let folder = try TemporaryDirectory()
    let rows = try SyntheticWalk { $0.duration = .seconds(30) }.samples().map {
      "\($0.timestamp / .seconds(1)),\($0.acceleration.x),\($0.acceleration.y),\($0.acceleration.z)\n"
    }
    let path = try folder.write(Array(("t,x,y,z\n" + rows.joined()).utf8), to: "walk.csv")
    let pedometer = try LivePedometer(path, measuresGait: isAsked)
    var totals: WalkTotals?
    for try await event in pedometer.events {
      if case .ended(let walk) = event { totals = walk.totals }
    }
    #expect(try #require(totals).steps > 40)
    #expect((totals?.gait?.strideTime.count ?? 0 > 30) == isAsked)
  }

  @Test("a missing file is reported when it is read")
  func missingFile() async throws {
    let pedometer = try LivePedometer("no-such-file.csv")
    await #expect(throws: RecordingError.self) { for try await _ in pedometer.events {} }
  }

  @Test("an invalid name is refused at once")
  func names() {
    #expect(throws: SourceURI.ParsingError.empty) { try LivePedometer("") }
  }
}
