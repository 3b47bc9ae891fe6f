import Accelerometry
import Counting
import Pedometry
import SourceNames
import Synchronization
import Testing

@testable import LinuxSensors
@testable import LiveSources

@Suite("A sensor that is unplugged and comes back", .timeLimit(.minutes(30)))
struct SensorSearchTests {
  private static let closed = SensorError.permissionDenied(path: "/dev/iio:device0", errno: 13, remedy: "wait")

  private static func sensor(
    _ name: String, serial: String = "A1", _ usability: DiscoveredSensor.Usability = .usable
  ) -> DiscoveredSensor {
    DiscoveredSensor(
      uri: .iio(name), name: "pad", kind: .accelerometer,
      identity: SensorIdentity(bus: "usb", vendor: "1209", product: "7e57", serial: serial, part: "accelerometer"),
      folder: SysfsDirectory(path: "/sys/" + name), parents: [], isExternal: true, usability: usability, remarks: [])
  }

  /// A machine that a search looks at, and the end of the search.
  private static func machine(_ looks: [[DiscoveredSensor]]) -> Sources {
    let rest = Mutex(looks[...])
    var sources = Sources()
    sources.sensors = {
      // Nobody waits any longer.
      guard let found = rest.withLock({ $0.popFirst() }) else { throw CancellationError() }
      return found
    }
    sources.boards = { [] }
    sources.changes = {
      AsyncThrowingStream {
        // Others run meanwhile.
        await Task.yield()
        return Task.isCancelled ? nil : ()
      }
    }
    sources.openSensor = { uri, _ in
      SourceConnection(uri: uri, profile: SensorProfile(name: "\(uri)", clock: .boottime)) {
        AsyncThrowingStream<SampleBatch, any Error> { throw SensorError.removed(path: "\(uri)") }
      }
    }
    return sources
  }

  /// Waits for a sensor that was opened, with the sensors that each look finds.
  private func search(
    _ looks: [[DiscoveredSensor]], of sensor: DiscoveredSensor = Self.sensor("device0"),
    beside others: [DiscoveredSensor] = []
  ) -> SensorSearch {
    var sources = Self.machine(looks)
    let memory = SensorMemory()
    memory.remember(sensor, beside: [sensor] + others)
    sources.memory = memory
    return SensorSearch(sensor.uri, for: .live, sources)
  }

  @Test("it is recognised with another number, and another sensor of its kind is not mistaken for it")
  func identity() async throws {
    let other = Self.sensor("device0", serial: "B2")
    let found = try await search([[], [other], [other, Self.sensor("device4")]]).connect(isAgain: true)
    #expect(found?.uri == .iio("device4") && found?.nameOfReturn == "iio:device4 (pad)")
    #expect(try await search([[other], [other]]).connect(isAgain: true) == nil)
  }

  @Test("what does not look like an accelerometer is opened by its name if its counts are stated")
  func stated() async throws {
    let pedals = Self.sensor(
      "device0", .unusable(.unusable(path: "/dev/input/event5", reason: "no gravity", remedy: "")))
    let found = { (uri: SourceURI?, counts: Double?) async throws in
      var sources = Self.machine([[pedals]])
      sources.options.countsPerG = counts
      return try await SensorSearch(uri, for: .live, sources).connect(isAgain: false)
    }
    #expect(try await found(pedals.uri, 256)?.uri == pedals.uri)
    await #expect(throws: SensorError.self) { try await found(pedals.uri, nil) }
    await #expect(throws: SensorError.self) { try await found(nil, 256) }
  }

  @Test("a twin with the same serial number stays in its place, and is not mistaken for it")
  func twins() async throws {
    let twin = { (name: String, place: String) in
      var sensor = Self.sensor(name)
      sensor.identity.place = place
      return sensor
    }
    let (lost, other) = (twin("device0", "usb-1"), twin("device1", "usb-2"))
    for (place, number) in [("usb-1", 2), ("usb-3", 3)] {
      let looks = [[other], [other], [other, twin("device\(number)", place)]]
      let search = search(looks, of: lost, beside: [other])
      #expect(try await search.connect(isAgain: true)?.uri == .iio("device\(number)"))
    }
  }

  @Test("an obstacle to reading it is reported once, and waited out")
  func refused() async throws {
    let denied = Self.sensor("device0", .unusable(Self.closed))
    let search = search([[denied], [denied], [denied], [Self.sensor("device0")]])
    await #expect(throws: Self.closed) { try await search.connect(isAgain: true) }
    #expect(try await search.connect(isAgain: true)?.uri == .iio("device0"))
  }

  /// What is told of a sensor that fails once, and is then a step counter.
  private func told(_ error: SensorError, waits: Bool) async throws -> [String] {
    let sensor = Self.sensor("device4")
    var sources = Self.machine([[sensor], [sensor]])
    sources.waits = waits
    (sources.sleep, sources.occupation) = ({ _ in }, { _ in nil })
    let openings = Mutex(0)
    sources.openSensor = { uri, _ in
      let isFirst = openings.withLock { count in
        count += 1
        return count == 1
      }
      return SourceConnection(
        uri: uri, profile: SensorProfile(name: "pad", clock: .boottime),
        readings: {
          AsyncThrowingStream { stream in
            if isFirst { return stream.finish(throwing: error) }
            stream.yield(StepCounterReading(nanoseconds: 0, steps: 0, newSteps: 7))
            stream.finish()
          }
        })
    }
    var told: [String] = []
    let source = try #require(try await sources.open(.iio("device4"), for: .live))
    for try await event in source.elements {
      switch event {
      case .element(.steps(let reading)): told.append("\(reading.steps)")
      case .element(.samples): told.append("samples")
      case .lost(let error): told.append(SourceFailure.loss(error))
      case .refused: told.append("refused")
      case .back(let name): told.append(name)
      }
    }
    return told
  }

  @Test(
    "temporary errors are waited out, others are thrown; a sensor that another program uses is waited for on request")
  func errors() async throws {
    let removed = SensorError.removed(path: "/dev/iio:device4")
    let expected = ["/dev/iio:device4 was unplugged; waiting for it to return", "iio:device4 (pad)", "7"]
    #expect(try await told(removed, waits: false) == expected)
    let busy = SensorError.busy(path: "/dev/iio:device4", holders: [])
    await #expect(throws: busy) { try await told(busy, waits: false) }
    #expect(
      try await told(busy, waits: true).first
        == "/dev/iio:device4 is in use by a program of another user; waiting until it is free")
  }

  @Test("with --wait an occupied sensor is checked again with back-off, and its holder is reported once")
  func occupied() async throws {
    let holder = DeviceHolder(process: 812, name: "iio_cat")
    let error = SensorError.busy(path: "/dev/iio:device0", holders: [holder])
    let looks = Mutex(0)
    let told = Mutex<[String]>([])
    let waits = Mutex<[Duration]>([])
    var sources = Sources(waits: true) { sentence in told.withLock { $0.append(sentence) } }
    sources.sensors = {
      // It is unplugged at the end.
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      if look > 4 { throw SensorError.removed(path: "/dev/iio:device0") }
      return [Self.sensor("device0")]
    }
    sources.occupation = { _ in error }
    sources.sleep = { pause in waits.withLock { $0.append(pause) } }
    await #expect(throws: SensorError.removed(path: "/dev/iio:device0")) {
      try await sources.open(.iio("device0"), for: .live)
    }
    #expect(waits.withLock { $0 } == [200, 400, 800, 1600].map { .milliseconds($0) })
    #expect(
      told.withLock { $0 } == ["/dev/iio:device0 is in use by iio_cat (process 812); waiting until it is free"])
  }

  @Test("samples continue after a gap; a clock that restarts does not move time backwards")
  func timeLine() {
    func seconds(_ batch: SampleBatch?) -> [Int64]? { batch?.samples.map { $0.nanoseconds / 1_000_000_000 } }
    var line = ItemLine()
    func taken(_ seconds: Int64..., isBack: Bool) -> SampleBatch? {
      let samples = seconds.map {
        AccelerationSample(nanoseconds: $0 * 1_000_000_000, acceleration: [0, 0, 1])
      }
      guard case .samples(let batch) = line.take(.samples(SampleBatch(samples: samples)), isBack: isBack) else {
        return nil
      }
      return batch
    }
    #expect(taken(1, 2, isBack: false)?.gap == .none)
    let later = taken(7, 8, isBack: true)
    #expect(later?.gap == .interruption(.seconds(5)) && seconds(later) == [7, 8])
    let anew = taken(1, isBack: true)
    #expect(anew?.gap == .interruption(.seconds(1)) && seconds(anew) == [9])
    #expect(seconds(taken(2, isBack: false)) == [10])
  }

  @Test("a step counter continues with its previous steps and metres")
  func stepLine() {
    var line = ItemLine()
    func taken(_ new: Int, _ metres: Double?, isBack: Bool) -> StepCounterReading? {
      let reading = StepCounterReading(nanoseconds: 0, steps: new, newSteps: new, distance: metres)
      guard case .steps(let taken) = line.take(.steps(reading), isBack: isBack) else { return nil }
      return taken
    }
    _ = taken(10, 7, isBack: false)
    #expect(taken(0, 0, isBack: true)?.steps == 10)
    let later = taken(5, 3.5, isBack: false)
    #expect(later?.steps == 15 && later?.distance == 10.5)
    #expect(taken(2, nil, isBack: true)?.steps == 17)
  }
}
