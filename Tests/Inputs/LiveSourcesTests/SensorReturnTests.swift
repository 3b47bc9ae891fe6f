import Accelerometry
import Counting
import Pedometry
import Synchronization
import Testing

@testable import LinuxSensors
@testable import LiveSources

@Suite("A sensor that is unplugged and comes back", .timeLimit(.minutes(30)))
struct SensorReturnTests {
  private static let closed = SensorError.permissionDenied(path: "/dev/iio:device0", errno: 13, remedy: "wait")

  private static func sensor(
    _ name: String, serial: String = "A1", _ usability: DiscoveredSensor.Usability = .usable
  ) -> DiscoveredSensor {
    DiscoveredSensor(
      uri: .iio(name), name: "pad", kind: .accelerometer,
      identity: SensorIdentity(bus: "usb", vendor: "1209", product: "7e57", serial: serial, part: "accelerometer"),
      folder: SysfsDirectory(path: "/sys/" + name), parents: [], isExternal: true, usability: usability, remarks: [])
  }

  /// Emits a change for each look after the first; then none.
  private final class Changes: SensorReader {
    private var left: Int
    init(_ count: Int) { left = count }
    func open() {}
    func next(until stop: StopSignal) -> SensorChange? {
      left -= 1
      return left < 0 ? nil : .removed(SensorReturnTests.sensor("any"))
    }
    func close() {}
  }

  /// Waits for a sensor, with the sensors that each look finds.
  private func search(_ looks: [[DiscoveredSensor]]) -> SensorReturn {
    let rest = Mutex(looks[...])
    return SensorReturn(
      of: Self.sensor("device0"), use: .lively, sensors: { rest.withLock { $0.popFirst() ?? [] } },
      changes: { SensorReadings(registry: SessionRegistry()) { Changes(looks.count - 1) } })
  }

  @Test("it is recognised with another number, and another sensor of its kind is not mistaken for it")
  func identity() async throws {
    let other = Self.sensor("device0", serial: "B2")
    let found = try await search([[], [other], [other, Self.sensor("device4")]]).find()
    #expect(found?.uri == .iio("device4"))
    #expect(try await search([[other], [other]]).find() == nil)
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
      let looks = Mutex([[other], [other], [other, twin("device\(number)", place)]][...])
      let search = SensorReturn(
        of: lost, beside: [lost, other], use: .lively, sensors: { looks.withLock { $0.popFirst() ?? [] } },
        changes: { SensorReadings(registry: SessionRegistry()) { Changes(2) } })
      #expect(try await search.find()?.uri == .iio("device\(number)"))
    }
  }

  @Test("an obstacle to reading it is reported once, and waited out")
  func refused() async throws {
    let denied = Self.sensor("device0", .unusable(Self.closed))
    let search = search([[denied], [denied], [denied], [Self.sensor("device0")]])
    await #expect(throws: Self.closed) { try await search.find() }
    #expect(try await search.find()?.uri == .iio("device0"))
  }

  @Test("temporary errors are waited out, others are thrown", arguments: [true, false])
  func errors(heals: Bool) async throws {
    let error = heals ? SensorError.removed(path: "/dev/iio:device0") : .busy(path: "/dev/iio:device0", holders: [])
    let samples = Reconnecting<Int>.sensor(
      first: .init(name: "it") { AsyncThrowingStream<Int, any Error> { throw error } },
      find: { Self.sensor("device4") }, joint: { { item, _ in item } },
      reopen: { _ in
        AsyncThrowingStream { stream in
          stream.yield(7)
          stream.finish()
        }
      }, sleep: { _ in })
    var told: [String] = []
    do {
      for try await event in samples {
        switch event {
        case .element(let item): told.append("\(item)")
        case .lost: told.append("lost")
        case .refused: told.append("refused")
        case .back(let name): told.append(name)
        }
      }
      #expect(heals)
    } catch { #expect(!heals && error as? SensorError == .busy(path: "/dev/iio:device0", holders: [])) }
    #expect(told == (heals ? ["lost", "iio:device4 (pad)", "7"] : []))
  }

  @Test("a sensor that another program uses is waited for on request")
  func busy() async throws {
    let error = SensorError.busy(path: "/dev/iio:device0", holders: [])
    let samples = Reconnecting<Int>.sensor(
      first: .init(name: "it") { AsyncThrowingStream<Int, any Error> { throw error } }, waits: true,
      find: { Self.sensor("device0") }, joint: { { item, _ in item } },
      reopen: { _ in
        AsyncThrowingStream { stream in
          stream.yield(7)
          stream.finish()
        }
      }, sleep: { _ in })
    var told: [String] = []
    for try await event in samples {
      switch event {
      case .element(let item): told.append("\(item)")
      case .lost(let error): told.append(SourceFailure.loss(error))
      case .refused: told.append("refused")
      case .back(let name): told.append(name)
      }
    }
    #expect(
      told == [
        "/dev/iio:device0 is in use by a program of another user; waiting until it is free", "iio:device0 (pad)", "7",
      ])
  }

  @Test("with --wait an occupied sensor is checked again with back-off, and its holder is reported once")
  func occupied() async throws {
    let holder = DeviceHolder(process: 812, name: "iio_cat")
    let error = SensorError.busy(path: "/dev/iio:device0", holders: [holder])
    let looks = Mutex(0)
    let told = Mutex<[String]>([])
    let waits = Mutex<[Duration]>([])
    var finder = SensorFinder(use: .lively, waits: true) { sentence in told.withLock { $0.append(sentence) } }
    finder.sensors = {
      // It is unplugged at the end.
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      if look > 4 { throw SensorError.removed(path: "/dev/iio:device0") }
      return [Self.sensor("device0")]
    }
    finder.occupation = { _ in error }
    finder.sleep = { pause in waits.withLock { $0.append(pause) } }
    await #expect(throws: SensorError.removed(path: "/dev/iio:device0")) {
      try await LiveOpener(finder: finder).open(.iio("device0"))
    }
    #expect(waits.withLock { $0 } == [200, 400, 800, 1600].map { .milliseconds($0) })
    #expect(
      told.withLock { $0 } == ["/dev/iio:device0 is in use by iio_cat (process 812); waiting until it is free"])
  }

  @Test("samples continue after a gap; a clock that restarts does not move time backwards")
  func timeLine() {
    func batch(_ seconds: Int64...) -> SampleBatch {
      SampleBatch(
        samples: seconds.map { AccelerationSample(nanoseconds: $0 * 1_000_000_000, acceleration: [0, 0, 1]) })
    }
    func seconds(_ batch: SampleBatch) -> [Int64] { batch.samples.map { $0.nanoseconds / 1_000_000_000 } }
    var line = TimeLine()
    #expect(line.take(batch(1, 2), isBack: false).gap == nil)
    let later = line.take(batch(7, 8), isBack: true)
    #expect(later.gap == .interruption(.seconds(5)) && seconds(later) == [7, 8])
    let anew = line.take(batch(1), isBack: true)
    #expect(anew.gap == .interruption(.seconds(1)) && seconds(anew) == [9])
    #expect(seconds(line.take(batch(2), isBack: false)) == [10])
  }

  @Test("a step counter continues with its previous steps and metres")
  func stepLine() {
    func reading(_ steps: Int, _ metres: Double?) -> StepCounterReading {
      StepCounterReading(nanoseconds: 0, register: 0, steps: steps, newSteps: 0, distance: metres)
    }
    var line = StepLine()
    _ = line.take(reading(10, 7), isBack: false)
    #expect(line.take(reading(0, 0), isBack: true).steps == 10)
    let later = line.take(reading(5, 3.5), isBack: false)
    #expect(later.steps == 15 && later.distance == 10.5)
    #expect(line.take(reading(2, nil), isBack: true).steps == 17)
  }
}
