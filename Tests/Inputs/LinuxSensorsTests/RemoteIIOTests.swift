import Accelerometry
import Dispatch
import IIOScans
import Recordings
import SourceNames
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors

@Suite("Sensors of another computer, through its iiod", .timeLimit(.minutes(30)), .ownThreads)
struct RemoteIIOTests {
  /// A minute with 107 steps.
  private static let walk = PrintedWalk.walk
  private static let scans = FakeIIOD.scans(of: walk)

  private static func address(_ port: Int, _ device: String? = nil) throws -> RemoteIIOAddress {
    try RemoteIIOAddress(parsing: "127.0.0.1:\(port)" + (device.map { "/" + $0 } ?? ""))
  }

  /// What a source delivers.
  private struct Reading {
    var samples: [AccelerationSample] = []
    var gaps = 0
    var warnings: [String] = []
    var error: SensorError?

    /// Intervals between samples in nanoseconds.
    var intervals: [Int64] { zip(samples, samples.dropFirst()).map { $1.nanoseconds - $0.nanoseconds } }
  }

  /// Reads until an error, or a number of samples.
  private static func read(_ batches: SensorReadings<SampleBatch>, upTo count: Int = .max) async throws -> Reading {
    var reading = Reading()
    do {
      for try await batch in batches {
        reading.samples += batch.samples
        reading.gaps += batch.gap == nil ? 0 : 1
        reading.warnings += batch.warning.map { [$0] } ?? []
        if reading.samples.count >= count { break }
      }
    } catch let error as SensorError {
      reading.error = error
    }
    return reading
  }

  private static func read(
    _ server: FakeIIOD, _ device: String? = nil, upTo count: Int = .max, options: SensorOptions = .longTimeout,
    now: @escaping @Sendable () -> Int64 = { SensorClock.boottime.now }
  ) async throws -> Reading {
    let source = RemoteIIOAccelerometer(
      try address(server.port, device), options: options, answer: Hang.limit, now: now)
    return try await read(source.batches(), upTo: count)
  }

  // MARK: Scans

  @Test(
    "deliver the samples that the same scans give on the computer itself, whatever the buffers", arguments: [1, 5, 97])
  func likeLocal(buffer: Int) async throws {
    let machine = try FakeMachine()
    try machine.addAccelerometer()
    try machine.write(Self.scans, to: "dev/iio:device0")
    let local = try await Self.read(
      IIOAccelerometer(IIODevice("device0", in: machine.environment), in: machine.environment).batches())
    let server = try FakeIIOD([.init(scans: Self.scans)], routes: [.init(closesAfter: .max)], buffer: buffer)
    defer { server.close() }
    let remote = try await Self.read(server)
    #expect(local.samples.count == Self.walk.count && remote.samples.count == Self.walk.count)
    #expect(remote.samples.map(\.acceleration) == local.samples.map(\.acceleration))
    #expect(remote.intervals == local.intervals && remote.gaps == 0)
    #expect(remote.error?.code == .disconnected)
  }

  @Test("are decoded by the format, scale, offset and mount matrix that iiod tells")
  func described() async throws {
    var device = FakeIIOD.Device(name: "kxcjk1013")
    (device.format, device.hasTimestamps, device.scanSize) = ("be:s12/16>>4", false, 6)
    for axis in ["x", "y", "z"] {
      device.attributes["accel_\(axis) scale"] = "0.00980665"
      device.attributes["accel_\(axis) offset"] = axis == "x" ? "10" : "0"
      device.attributes["accel_\(axis) mount_matrix"] = "0, 1, 0; 1, 0, 0; 0, 0, -1"
    }
    // 90, -200 and 1000 counts in the upper twelve bits.
    device.scans = [0x05, 0xA0, 0xF3, 0x80, 0x3E, 0x80]
    let server = try FakeIIOD([device])
    defer { server.close() }
    let reading = try await Self.read(server, upTo: 1)
    #expect(isNear(reading.samples, [[-0.2, 0.1, -1]]))
  }

  @Test("keep their time without timestamps, when a slow network delivers three seconds at once")
  func untimed() async throws {
    var device = FakeIIOD.Device(scans: Self.scans)
    device.scans = stride(from: 0, to: Self.scans.count, by: 24).flatMap { start -> [UInt8] in
      Array(Self.scans[start..<start + 12])
    }
    (device.hasTimestamps, device.scanSize) = (false, 12)
    let arrivals = Arrivals { scan in
      // Measured every 20 ms; those of the third of ten seconds wait for the next ones.
      let measured = Int64(scan + 5) * 20_000_000
      return (20_000_000_000..<23_000_000_000).contains(measured) ? 23_000_000_000 : measured
    }
    let server = try FakeIIOD(
      [device], routes: [.init(closesAfter: .max)], beforeBuffer: { arrivals.send($0) })
    defer { server.close() }
    let reading = try await Self.read(server) { arrivals.receive() }
    #expect(reading.samples.count == Self.walk.count && reading.gaps == 0)
    #expect(reading.intervals.allSatisfy { (18_000_000...22_000_000).contains($0) }, "\(reading.intervals.sorted())")
  }

  /// When buffers arrive, each after the previous one was read.
  private final class Arrivals: Sendable {
    private let time: @Sendable (_ scan: Int) -> Int64
    private let latest = Mutex<Int64>(0)
    private let isRead = DispatchSemaphore(value: 1)

    init(_ time: @escaping @Sendable (_ scan: Int) -> Int64) { self.time = time }

    func send(_ scan: Int) {
      isRead.wait()
      latest.withLock { $0 = time(scan) }
    }

    func receive() -> Int64 {
      defer { isRead.signal() }
      return latest.withLock { $0 }
    }
  }

  @Test("contain the channels of another client, from the moment at which it comes")
  func otherClient() async throws {
    var device = FakeIIOD.Device(scans: Self.scans)
    let warm: [UInt8] = stride(from: 0, to: Self.scans.count, by: 24).flatMap { start -> [UInt8] in
      Array(Self.scans[start..<start + 24]) + [0x12, 0x34, 0, 0, 0, 0, 0, 0]
    }
    device.warm = (from: 1000, scans: warm)
    let server = try FakeIIOD([device], routes: [.init(closesAfter: .max)])
    defer { server.close() }
    let reading = try await Self.read(server)
    #expect(reading.samples.count == Self.walk.count, "\(reading.samples.count) \(String(describing: reading.error))")
    #expect(Set(reading.intervals) == [20_000_000])
    #expect(reading.samples.map(\.acceleration) == (try await Self.plain()))
  }

  private static func plain() async throws -> [SIMD3<Float>] {
    let server = try FakeIIOD([.init(scans: scans)], routes: [.init(closesAfter: .max)])
    defer { server.close() }
    return try await read(server).samples.map(\.acceleration)
  }

  @Test("that were cut in half by the end of the connection are no samples")
  func cut() async throws {
    let server = try FakeIIOD([.init(scans: Self.scans)], routes: [.init(closesAfter: 24 * 100 + 11)])
    defer { server.close() }
    let reading = try await Self.read(server)
    #expect(reading.samples.count == 100)
    #expect(
      reading.error.map { "\($0)" }
        == "iio:ip:127.0.0.1:\(server.port) is not connected: 127.0.0.1 closed the connection; start iiod there again")
  }

  @Test("that stop coming are an error after the silence of the options")
  func silent() async throws {
    let server = try FakeIIOD([.init(scans: Self.scans)], routes: [.init(endsAfter: 24 * 10 + 3)])
    defer { server.close() }
    let reading = try await Self.read(server, options: SensorOptions(silenceTimeout: .milliseconds(500)))
    #expect(reading.samples.count == 10 && reading.error?.code == .silent && reading.error?.mayPass == true)
    #expect(reading.error?.reason.hasSuffix("has sent no data for 0.5 s") == true, "\(reading)")
  }

  @Test("of a device at an unsuitable frequency are measured at one for steps, and iiod waits as long as this program")
  func frequency() async throws {
    var device = FakeIIOD.Device(scans: Self.scans)
    device.attributes["accel_x sampling_frequency"] = "1600.000000"
    device.attributes["accel_x sampling_frequency_available"] = "12.5 25 52 104 1600"
    let server = try FakeIIOD([device])
    defer { server.close() }
    _ = try await Self.read(server, upTo: 5, options: SensorOptions(silenceTimeout: .seconds(600)))
    let commands = server.commands
    #expect(commands.contains("WRITE iio:device0 INPUT accel_x sampling_frequency 2"))
    #expect(commands.contains("TIMEOUT 600000") && commands.contains("OPEN iio:device0 5 0000000f"), "\(commands)")
  }

  // MARK: Devices

  @Test("are chosen by ID, name or label, or because there is only one")
  func chosen() async throws {
    let resting = scan(0, 0, 1000, 1) + scan(0, 0, 1000, 20_000_001)
    var lid = FakeIIOD.Device(id: "iio:device1", name: "kxcjk1013", scans: resting)
    lid.label = "accel-display"
    let walking = FakeIIOD.Device(id: "iio:device0", name: "adxl345", scans: scan(0, 0, 500, 1) + scan(0, 0, 500, 2))
    for name in ["iio:device1", "device1", "kxcjk1013", "accel-display"] {
      let server = try FakeIIOD([walking, lid])
      defer { server.close() }
      let reading = try await Self.read(server, name, upTo: 2)
      #expect(isNear(reading.samples, [[0, 0, 1], [0, 0, 1]]), "\(name): \(reading)")
    }
    let server = try FakeIIOD([walking, lid])
    defer { server.close() }
    let place = "iio:ip:127.0.0.1:\(server.port)"
    let choices = "choose one: \(place)/adxl345, \(place)/kxcjk1013"
    for (name, reason) in [
      (nil, "\(place) cannot be used: there are 2 accelerometers"), ("lis3dh", "cannot find \(place)/lis3dh"),
    ] {
      #expect(try await Self.read(server, name).error.map { "\($0)" } == "\(reason); \(choices)")
    }
    let single = try FakeIIOD([walking])
    defer { single.close() }
    #expect(try await Self.read(single, upTo: 2).samples.count == 2)
  }

  @Test("are listed with rate, range and name, and those that cannot be read with the reason and a remedy")
  func listed() throws {
    var bare = FakeIIOD.Device(id: "iio:device2", name: "bma400")
    bare.hasScans = false
    var idle = FakeIIOD.Device(id: "iio:device3", name: "adxl345")
    idle.trigger = ""
    var odd = FakeIIOD.Device(id: "iio:device4", name: "odd")
    odd.attributes["accel_y scale"] = "many"
    let twins = [FakeIIOD.Device(id: "iio:device0"), FakeIIOD.Device(id: "iio:device1")]
    var slow = bare.polled(at: [0, 0, 1000])
    (slow.id, slow.name) = ("iio:device5", "mma7660")
    let server = try FakeIIOD(twins + [bare, idle, odd, slow])
    defer { server.close() }
    let place = "iio:ip:127.0.0.1:\(server.port)"
    let discovery = RemoteIIODiscovery(
      try Self.address(server.port), timeouts: .init(answer: Hang.limit, scans: Hang.limit))
    let sensors = try discovery.sensors()
    #expect(
      sensors.map { "\($0.uri)" } == [
        "\(place)/iio:device0", "\(place)/iio:device1", "\(place)/bma400", "\(place)/adxl345", "\(place)/odd",
        "\(place)/mma7660",
      ])
    #expect(sensors[0].usability == .usable && sensors[0].samplingFrequency == SamplingFrequency(hertz: 50))
    #expect(sensors[0].range.map { Int($0 * 10) } == 327 && sensors[0].name == "accel_3d")
    #expect(sensors[0].identity != sensors[1].identity && sensors[0].identity.bus == "ip")
    let reasons = sensors.map { sensor in
      if case .unusable(let error) = sensor.usability { "\(error)" } else { "" }
    }
    #expect(
      reasons[2].contains("its driver has neither a buffer nor values")
        && reasons[2].contains("'pedometer doctor' there"))
    #expect(reasons[3].contains("iio:device3 has no trigger") && reasons[3].contains("pedometer doctor"))
    #expect(reasons[4].contains("scale of accel_y of iio:device4 reports 'many' instead of a number"))
    guard case .pollingOnly(let reason, _) = sensors[5].usability else {
      Issue.record("\(sensors[5].usability)")
      return
    }
    #expect(reason.hasSuffix("its driver has no buffer"))
  }

  // MARK: Polling

  @Test(
    "of a device without a buffer are asked for one by one, with its scale, offset and mount matrix, and this is said")
  func polled() async throws {
    var device = FakeIIOD.Device().polled(at: [90, -200, 1000])
    device.attributes["accel_x offset"] = "10"
    for axis in ["x", "y", "z"] { device.attributes["accel_\(axis) mount_matrix"] = "0, 1, 0; 1, 0, 0; 0, 0, -1" }
    let server = try FakeIIOD([device])
    defer { server.close() }
    let reading = try await Self.read(server, upTo: 10)
    #expect(isNear(reading.samples, [SIMD3<Float>](repeating: [-0.2, 0.1, -1], count: reading.samples.count)))
    #expect(reading.samples.count >= 10 && reading.intervals.allSatisfy { $0 > 0 } && reading.error == nil)
    #expect(reading.warnings.count == 1 && reading.warnings[0].contains("its driver has no buffer"), "\(reading)")
    #expect(!server.commands.contains { $0.hasPrefix("OPEN") })
  }

  @Test(
    "of a device without a trigger, too, however iiod tells that, and values that need no scale are m/s²",
    arguments: ["", nil])
  func untriggered(trigger: String?) async throws {
    var device = FakeIIOD.Device(scans: Self.scans)
    (device.openAnswers, device.trigger) = ([-22], trigger)
    for axis in ["x", "y", "z"] { device.attributes["accel_\(axis) input"] = axis == "z" ? "9.80665" : "0" }
    let server = try FakeIIOD([device])
    defer { server.close() }
    let reading = try await Self.read(server, upTo: 5)
    #expect(isNear(Array(reading.samples.prefix(1)), [[0, 0, 1]]))
    #expect(reading.warnings.count == 1 && reading.warnings[0].contains("iio:device0 has no trigger"), "\(reading)")
  }

  @Test(
    "that a polled device refuses or garbles are an error",
    arguments: [
      ("accel_y raw", "n/a", "reports 'n/a' instead of a number"), ("accel_z raw", nil, "not there any more"),
    ])
  func garbled(attribute: String, value: String?, words: String) async throws {
    var device = FakeIIOD.Device().polled(at: [0, 0, 1000])
    device.attributes[attribute] = value
    if value == nil { device.unreadable = [attribute] }
    let server = try FakeIIOD([device])
    defer { server.close() }
    let error = try #require(try await Self.read(server, upTo: 5).error)
    #expect("\(error)".contains(words), "\(error)")
  }

  // MARK: Errors

  @Test(
    "that iiod refuses are an error that says why and what to do",
    arguments: [
      (-16, SensorError.Kind.busy, "is in use by another program on 127.0.0.1; stop that program"),
      (
        -19, .unavailable, "the sensor is not there any more (No such device); plug it in on 127.0.0.1 and restart iiod"
      ),
      (-1, .permission, "Operation not permitted; run iiod on 127.0.0.1 as root"),
      (
        -22, .unavailable,
        "iio:device0 has no trigger, so its buffer stays empty; choose one on 127.0.0.1: echo timer |"
      ),
      (-5, .inputOutput, "Input/output error; run 'pedometer doctor' on 127.0.0.1"),
      (7, .protocolViolation, "answers '7', which iiod would not"),
    ])
  func refused(answer: Int, kind: SensorError.Kind, words: String) async throws {
    var device = FakeIIOD.Device()
    (device.openAnswers, device.trigger) = ([answer], "")
    var trigger = FakeIIOD.Device(id: "trigger0", name: "timer")
    (trigger.attributes, trigger.hasScans) = ([:], false)
    let server = try FakeIIOD([device, trigger])
    defer { server.close() }
    let error = try #require(try await Self.read(server, "iio:device0").error)
    #expect(error.kind == kind && "\(error)".contains(words), "\(error)")
  }

  @Test(
    "at an address where something else answers are an error with its answer",
    arguments: [
      ("HTTP/1.1 400 Bad Request\r\n", "answers 'HTTP/1.1 400 Bad Request"),
      (String(repeating: "x", count: 5000), "answers 'xxxx"), ("\u{1B}[2J\n", "answers '?[2J'"), ("\n", "answers ''"),
      ("-12\n", "describes no context (-12)"),
      ("1048577\n", "announces a description of 1048577 bytes, where at most 1048576 are read"),
      ("99999999999999999999\n", "answers '99999999999999999999'"), ("5\nabcdefg\n", "answers 'abcdef'"),
      ("9\n<context>\n", "XML that is damaged"), ("6\n<html/\n", "XML that is damaged"),
      ("-9223372036854775808\n", "answers '-9223372036854775808'"), ("-4096\n", "answers '-4096'"),
      ("7\n<html/>\n", "describes its devices in <html> instead of <context>"), ("0\n", "describes no context (0)"),
    ])
  func foreign(answer: String, words: String) async throws {
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "PRINT\r\n")
      connection.send(answer)
      connection.waitForEnd()
    }
    defer { server.close() }
    let source = RemoteIIOAccelerometer(try Self.address(server.port), options: .longTimeout, answer: Hang.limit)
    let error = try #require(try await Self.read(source.batches()).error)
    #expect(error.kind == .protocolViolation && error.reason.contains(words), "\(error)")
    #expect(error.remedy.contains("iiod listens on port 30431"))
  }

  @Test("of an iiod that never answers are an error after the time for answers")
  func mute() async throws {
    let server = try LoopbackServer { $0.waitForEnd() }
    defer { server.close() }
    let source = RemoteIIOAccelerometer(try Self.address(server.port), answer: .milliseconds(300))
    let error = try #require(try await Self.read(source.batches()).error)
    #expect(error.code == .silent && error.reason.hasSuffix("has sent no data for 0.3 s"), "\(error)")
  }

  @Test("of an iiod that never answers are not waited for when the reader is cancelled")
  func cancelled() async throws {
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "PRINT\r\n")
      isAsked.yield()
      connection.waitForEnd()
    }
    defer { server.close() }
    let source = RemoteIIOAccelerometer(try Self.address(server.port), options: .longTimeout, answer: Hang.limit)
    let reading = Task { try await Self.read(source.batches()) }
    for await _ in asked { break }
    reading.cancel()
    let found = try await reading.value
    #expect(found.samples.isEmpty && found.error == nil)
  }

  @Test("of a computer that refuses connections, or does not exist, are an error that names it")
  func absent() async throws {
    let server = try LoopbackServer { _ in }
    let port = server.port
    server.close()
    for (address, words) in [("127.0.0.1:\(port)", "Connection refused"), ("no.host.invalid", "no host is named")] {
      let source = RemoteIIOAccelerometer(try RemoteIIOAddress(parsing: address), answer: Hang.limit)
      let error = try #require(try await Self.read(source.batches()).error)
      #expect(error.code == .disconnected && error.reason.contains(words), "\(error)")
      #expect(error.remedy.contains("start iiod on"), "\(error)")
    }
  }

  @Test("sent in pieces that no scan fits are refused instead of decoded")
  func noScans() async throws {
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "PRINT\r\n")
      let channels = ["x", "y", "z"].enumerated().map { index, axis in
        "<channel id=\"accel_\(axis)\" type=\"input\"><scan-element index=\"\(index)\" format=\"le:s16/16&gt;&gt;0\"/>"
          + "<attribute name=\"scale\" filename=\"in_accel_scale\"/></channel>"
      }
      let xml = "<context><device id=\"iio:device0\">\(channels.joined())</device></context>"
      connection.send("\(xml.utf8.count)\n\(xml)\n")
      for answer in ["4\n0.01\n", "4\n0.01\n", "4\n0.01\n", "0\n", "0\n", "0\n"] {
        _ = connection.receive(upTo: "\r\n")
        connection.send(answer)
      }
      _ = connection.receive(upTo: "\r\n")
      connection.send("8\n00000007\nabcdefgh")
      connection.waitForEnd()
    }
    defer { server.close() }
    let source = RemoteIIOAccelerometer(try Self.address(server.port), options: .longTimeout, answer: Hang.limit)
    let reading = try await Self.read(source.batches())
    #expect(reading.samples.isEmpty)
    #expect(reading.error?.reason.contains("sends 8 bytes, which are no scans of 6 bytes each") == true, "\(reading)")
  }
}

@Suite("The clock of another computer's sensor", .timeLimit(.minutes(30)))
struct RemoteClockTests {
  /// The times of scans measured every 20 ms, ten in each buffer.
  /// - Parameters:
  ///   - stamp: the timestamp of a scan, by its true time.
  ///   - delay: how late a buffer arrives that was measured at a time.
  private func times(
    seconds: Int, stamp: (Int64) -> Int64, delay: (Int64) -> Int64 = { _ in 5_000_000 }
  ) -> (times: [Int64], faults: [ClockCheck.Fault]) {
    var clock = RemoteClock(
      frequency: SamplingFrequency(hertz: 50), hasTimestamps: true, longestDelay: .seconds(10))
    var (times, faults): ([Int64], [ClockCheck.Fault]) = ([], [])
    var arrival: Int64 = 0
    for buffer in 0..<seconds * 5 {
      let measured = (1...10).map { Int64(buffer * 10 + $0) * 20_000_000 }
      var samples = measured.map { AccelerationSample(nanoseconds: stamp($0), acceleration: .zero) }
      arrival = max(arrival, measured[9] + delay(measured[9]))
      faults += clock.take(&samples, arrivedAt: arrival).map { [$0] } ?? []
      times += samples.map(\.nanoseconds)
    }
    return (times, faults)
  }

  private func intervals(_ times: [Int64]) -> [Int64] { zip(times, times.dropFirst()).map { $1 - $0 } }

  private static let epoch: Int64 = 1_800_000_000_000_000_000

  @Test("is shifted by a constant, however late scans arrive")
  func constant() {
    let (times, faults) = times(
      seconds: 50, stamp: { Self.epoch + $0 },
      // Three seconds at once, and up to a quarter of a second of jitter.
      delay: { time in
        (20_000_000_000..<23_000_000_000).contains(time) ? 23_000_000_000 - time : time % 7 * 40_000_000 + 5_000_000
      })
    #expect(faults.isEmpty && Set(intervals(times)) == [20_000_000])
  }

  @Test("that drifts is followed, by at most a thousandth")
  func drift() {
    let (times, faults) = times(seconds: 7200) { Self.epoch + $0 - $0 / 20_000 }
    #expect(faults.isEmpty && intervals(times).allSatisfy { (19_970_000...20_030_000).contains($0) })
    let error = times[times.count - 1] - 7_200_000_000_000
    #expect(abs(error) < 50_000_000, "\(error)")
  }

  @Test("that is set while it runs goes on from the arrival", arguments: [3_600_000_000_000, -3_600_000_000_000])
  func set(by step: Int64) {
    let (times, faults) = times(seconds: 20) { Self.epoch + $0 + ($0 > 10_090_000_000 ? step : 0) }
    #expect(faults.isEmpty && intervals(times).allSatisfy { (1...60_000_000).contains($0) })
    #expect(abs(times[times.count - 1] - 20_000_000_000) < 50_000_000)
  }

  @Test("keeps an interruption of the sensor")
  func interruption() {
    var clock = RemoteClock(frequency: nil, hasTimestamps: true, longestDelay: .seconds(10))
    var first = [AccelerationSample(nanoseconds: 1, acceleration: .zero)]
    var second = [AccelerationSample(nanoseconds: 5_000_000_001, acceleration: .zero)]
    #expect(clock.take(&first, arrivedAt: 100) == nil && clock.take(&second, arrivedAt: 5_000_000_100) == nil)
    #expect(second[0].nanoseconds - first[0].nanoseconds == 5_000_000_000)
  }

  @Test("that stands still or runs at a wrong rate is replaced by counted scans, and this is said")
  func faults() {
    let standing = times(seconds: 60) { $0 > 10_000_000_000 ? 10_000_000_000 : $0 }
    #expect(standing.faults == [.standing])
    let fast = times(seconds: 400) { $0 * 3 }
    #expect(fast.faults.count == 1 && "\(fast.faults)".contains("runs 3 times too fast"), "\(fast.faults)")
    for times in [standing.times, fast.times] {
      #expect(intervals(times.suffix(500)).allSatisfy { (18_000_000...22_000_000).contains($0) })
    }
  }

  @Test("without times counts scans")
  func counted() {
    let (times, faults) = times(seconds: 30) { _ in 0 }
    #expect(faults.isEmpty && intervals(times.suffix(1000)).allSatisfy { (18_000_000...22_000_000).contains($0) })
  }
}

extension SensorOptions {
  /// Only events end a wait.
  fileprivate static let longTimeout = SensorOptions(silenceTimeout: Hang.limit)
}
