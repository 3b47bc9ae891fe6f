import Accelerometry
import Glibc
import IIOScans
import TestSupport
import Testing

@testable import LinuxSensors

@Suite("IIO accelerometers", .timeLimit(.minutes(30)))
struct IIOAccelerometerTests {
  private let machine: FakeMachine
  private let folder = FakeMachine.folder()

  init() throws {
    machine = try FakeMachine()
    try machine.addAccelerometer()
  }

  private func source(
    _ options: SensorOptions = SensorOptions()
  ) throws -> IIOAccelerometer {
    try IIOAccelerometer(IIODevice("device0", in: machine.environment), options: options, in: machine.environment)
  }

  private static let untouched = [
    "buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1", "scan_elements/in_accel_x_en": "0",
    "scan_elements/in_timestamp_en": "0", "trigger/current_trigger": "accel_3d-dev0",
  ]

  private func expectUntouched(_ location: SourceLocation = #_sourceLocation) {
    for (name, text) in Self.untouched {
      #expect(machine.text("\(folder)/\(name)") == text, "\(name)", sourceLocation: location)
    }
    #expect(machine.text("\(folder)/current_timestamp_clock").hasPrefix("realtime"), sourceLocation: location)
  }

  @Test("the buffer is set up, read in g, and restored")
  func buffered() async throws {
    let writer = try machine.addNode()
    feed(scan(20, -50, 1000, 1_000_000_000) + scan(0, 0, -500, 1_020_000_000), to: writer)
    // Longer than any machine delays the reader: only unplugging ends it.
    let source = try source(.patient)
    #expect(source.profile.name == "accel_3d")
    #expect(source.profile.samplingFrequency == SamplingFrequency(hertz: 50))
    let batches = source.batches().makeAsyncIterator()
    let batch = try #require(try await batches.next())
    #expect(batch.samples.map(\.nanoseconds) == [1_000_000_000, 1_020_000_000])
    #expect(isNear(batch.samples, [[0.02, -0.05, 1], [0, 0, -0.5]]))
    #expect(machine.text(folder + "/buffer/enable") == "1")
    #expect(machine.text(folder + "/current_timestamp_clock") == "boottime")
    let setup = IIOBufferSetup(
      trigger: "accel_3d-dev0", length: 400, watermark: 2,
      samplingFrequency: SamplingFrequency(hertz: 50), clockName: "boottime")
    #expect(source.acquisition?.mode == .buffered(setup))
    machine.closeNode(writer)
    await #expect(throws: SensorError.removed(path: "\(machine.environment.dev)/iio:device0")) {
      try await batches.next()
    }
    expectUntouched()
  }

  @Test("thrifty reading collects two seconds of samples")
  func thrifty() async throws {
    let writer = try machine.addNode()
    feed(scan(0, 0, 1000, 1), to: writer)
    let source = try source(SensorOptions(use: .thrifty))
    let batches = source.batches().makeAsyncIterator()
    _ = try await batches.next()
    #expect(machine.text(folder + "/buffer/watermark") == "100")
    #expect(machine.text(folder + "/buffer/length") == "400")
  }

  @Test("scans that arrive in pieces are reassembled")
  func pieces() async throws {
    let writer = try machine.addNode()
    let bytes = scan(1, 2, 3, 5_000_000) + scan(4, 5, 6, 25_000_000)
    feed(Array(bytes.prefix(30)), to: writer)
    let batches = try source(.patient).batches().makeAsyncIterator()
    #expect(try await batches.next()?.samples.map(\.nanoseconds) == [5_000_000])
    feed(Array(bytes.dropFirst(30)), to: writer)
    let second = try #require(try await batches.next())
    #expect(isNear(second.samples, [[0.004, 0.005, 0.006]]))
  }

  @Test("timestamps that a driver leaves at 0 are generated from the reading time and the rate")
  func zeroTimestamps() async throws {
    let writer = try machine.addNode()
    feed((0..<4).flatMap { _ in scan(0, 0, 1000, 0) }, to: writer)
    let before = SensorClock.boottime.now
    let batches = try source(.patient).batches().makeAsyncIterator()
    let samples = try #require(try await batches.next()).samples
    #expect(samples.count == 4)
    #expect(samples[3].nanoseconds >= before)
    #expect(zip(samples.dropFirst(), samples).allSatisfy { $0.nanoseconds - $1.nanoseconds == 20_000_000 })
  }

  @Test("lost time, as after a suspend, is a gap")
  func suspend() async throws {
    let writer = try machine.addNode()
    feed(scan(0, 0, 999, 1_000_000_000) + scan(0, 0, 1000, 61_000_000_000), to: writer)
    let batches = try source(.patient).batches().makeAsyncIterator()
    #expect(try await batches.next()?.gap == nil)
    #expect(try await batches.next()?.gap == .interruption(.seconds(60)))
  }

  @Test("a sensor without data is silent, and is restored")
  func silence() async throws {
    _ = try machine.addNode()
    for axis in ["x", "y", "z"] { try machine.remove("\(folder)/in_accel_\(axis)_raw") }
    let batches = try source(SensorOptions(silenceTimeout: .zero)).batches().makeAsyncIterator()
    await #expect {
      try await batches.next()
    } throws: { error in
      (error as? SensorError)?.code == .silent && (error as? SensorError)?.kind == .protocolViolation
    }
    expectUntouched()
  }

  @Test("a sensor that repeats zeros for longer than the timeout is invalid")
  func stuck() async throws {
    let writer = try machine.addNode()
    feed(scan(0, 0, 0, 1) + scan(0, 0, 0, 11_000_000_000), to: writer)
    let batches = try source().batches().makeAsyncIterator()
    await #expect {
      while try await batches.next() != nil {}
    } throws: { error in
      guard let error = error as? SensorError, error.code == .nonsense else { return false }
      return error.reason.contains("10.9 s")
    }
  }

  @Test("cancelling restores everything before the sequence ends")
  func cancelled() async throws {
    let writer = try machine.addNode()
    feed(scan(0, 0, 1000, 1), to: writer)
    let source = try source(.patient)
    let (started, announce) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for try await _ in source.batches() { announce.finish() }
    }
    for await _ in started {}
    #expect(machine.text(folder + "/buffer/enable") == "1")
    task.cancel()
    try await task.value
    expectUntouched()
  }

  @Test(
    "cancelling wakes a reader that waits for its first scan, whatever its timeout",
    .timeLimit(.minutes(30)), arguments: [Duration.seconds(3600), .seconds(86_400), .seconds(Int64.max)])
  func cancelledInSilence(timeout: Duration) async throws {
    _ = try machine.addNode()
    let source = try source(SensorOptions(silenceTimeout: timeout))
    let watch = try FolderWatch("\(machine.root)/\(folder)/buffer")
    let task = Task { try await source.batches().makeAsyncIterator().next() }
    while machine.text(folder + "/buffer/enable") != "1" { try await watch.bytes() }
    task.cancel()
    #expect(try await task.value == nil)
    expectUntouched()
  }

  @Test("unplugging is detected while programs run that were started meanwhile", .timeLimit(.minutes(30)))
  func unpluggedBesidePrograms() async throws {
    let writer = try machine.addNode()
    let program = try SleepingProgram()
    feed(scan(0, 0, 1000, 1), to: writer)
    let batches = try source(.patient).batches().makeAsyncIterator()
    _ = try await batches.next()
    machine.closeNode(writer)
    await #expect(throws: SensorError.removed(path: "\(machine.environment.dev)/iio:device0")) {
      try await batches.next()
    }
    program.end()
  }

  @Test("a buffer that a dead program left enabled is used, and disabled at the end")
  func leftOn() async throws {
    try machine.write("1\n", to: folder + "/buffer/enable")
    let writer = try machine.addNode()
    feed(scan(0, 0, 1000, 1), to: writer)
    let batches = try source(.patient).batches().makeAsyncIterator()
    #expect(try await batches.next() != nil)
    machine.closeNode(writer)
    _ = try? await batches.next()
    #expect(machine.text(folder + "/buffer/enable") == "0")
  }

  @Test("a buffer that delivers nothing is restored, and the values are polled; one that has delivered is not given up")
  func fruitlessBuffer() async throws {
    let writer = try machine.addNode()
    let options = SensorOptions(silenceTimeout: .zero)
    let source = try source(options)
    let batch = try #require(try await source.batches().makeAsyncIterator().next())
    #expect(isNear(Array(batch.samples.prefix(1)), [[0.02, -0.05, 1]]))
    guard case .polled(_, let because)? = source.acquisition?.mode else {
      Issue.record("\(source.acquisition as Any)")
      return
    }
    #expect(because.contains("delivers no samples"))
    expectUntouched()
    feed(scan(0, 0, 1000, 1), to: writer)
    let batches = try self.source(options).batches().makeAsyncIterator()
    #expect(try await batches.next() != nil)
    await #expect {
      try await batches.next()
    } throws: { error in
      (error as? SensorError)?.code == .silent
    }
  }

  @Test("without a node the values are polled, and the reason is reported")
  func polled() async throws {
    let source = try source(SensorOptions(samplingFrequency: SamplingFrequency(hertz: 200)))
    let batches = source.batches().makeAsyncIterator()
    let batch = try #require(try await batches.next())
    #expect(batch.samples.allSatisfy { $0.acceleration == [0.02, -0.05, 1] })
    let report = try #require(source.acquisition)
    guard case .polled(let frequency, let because) = report.mode else {
      Issue.record("read as \(report.mode)")
      return
    }
    #expect(frequency == 200)
    #expect(because.contains("iio:device0"))
  }

  @Test("a sensor that is slower than requested is set to a higher rate, and restored")
  func polledFaster() async throws {
    let rate = folder + "/in_accel_sampling_frequency"
    try machine.write("12.5\n", to: rate)
    try machine.write("12.5 25 100\n", to: rate + "_available")
    let source = try source()
    let batches = source.batches().makeAsyncIterator()
    #expect(try await batches.next() != nil)
    #expect(machine.text(rate) == "100")
    guard case .polled(frequency: 50, _)? = source.acquisition?.mode else {
      Issue.record("read as \(source.acquisition?.mode as Any)")
      return
    }
    try machine.write("gone", to: folder + "/in_accel_z_raw")
    await #expect(throws: SensorError.self) { while try await batches.next() != nil {} }
    #expect(machine.text(rate) == "12.5")
  }

  @Test("polling ends when the sensor is unplugged")
  func polledAndRemoved() async throws {
    for axis in ["x", "y", "z"] { try machine.remove("\(folder)/in_accel_\(axis)_raw") }
    let batches = try source().batches().makeAsyncIterator()
    await #expect(throws: SensorError.self) { try await batches.next() }
  }
}

/// A program that inherits open descriptors, and runs until it is stopped.
private final class SleepingProgram {
  private var process: pid_t = 0

  init() throws {
    let words = ["/bin/sleep", "600"]
    let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    let code = unsafe posix_spawn(&process, "/bin/sleep", nil, nil, arguments, environ)
    if code != 0 { throw SensorError.system(operation: "start", path: "/bin/sleep", errno: code) }
  }

  func end() {
    guard process > 0 else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    process = 0
  }

  deinit { end() }
}

extension SensorOptions {
  /// Longer than any machine delays a test: when hundreds of tests share two cores, one may stall for minutes between
  /// two lines.
  fileprivate static let patient = SensorOptions(silenceTimeout: .seconds(86_400))
}
