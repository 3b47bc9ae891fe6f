import Accelerometry
import CPedometer
import Counting
import Platform
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("Counting from C", .timeLimit(.minutes(30)))
struct CountingTests {
  @Test(
    "an array has the steps of the file with the same samples, at the same times",
    arguments: [
      Fixture.day, "reference/foot-100hz.csv.gz", "reference/hand-25hz.csv.gz",
      "reference/lower-back-lost-samples.csv.gz", "reference/gravity-removed.csv.gz",
    ])
  func arrayEqualsFile(name: String) throws {
    let fixture = try Fixture(name)
    let file = try Handle()
    let expected = try file.count(fixture.path)
    let array = try Handle()
    try array.process(fixture.times, fixture.xyz)
    let total = try array.finish()
    #expect(total.steps > 0)
    #expect(total.steps == expected.steps)
    #expect(try array.steps == file.steps)
    #expect(total.samples == expected.samples)
    #expect(total.gaps == expected.gaps)
    #expect(total.distance_travelled == expected.distance_travelled)
    #expect(total.confidence == expected.confidence)
  }

  @Test("a file has the steps that the path of the command counts, with the full latency")
  func fileEqualsCommand() throws {
    let fixture = try Fixture(Fixture.day)
    let reader = try RecordingReader(path: fixture.path)
    var counting = SampleCounting(CountingOptions(latency: StepDetector.longestRevision, slice: nil))
    var samples: [AccelerationSample] = []
    while try reader.read(into: &samples) { counting.count(samples.span) }
    counting.finish()
    let total = try Handle().count(fixture.path)
    #expect(total.steps == Int64(counting.counter.steps))
    #expect(total.walking_duration == counting.counter.walkingDuration.inSeconds)
  }

  @Test("metres per second squared in double precision are detected, and counted as g are")
  func metres() throws {
    let fixture = try Fixture(Fixture.day)
    let metres = fixture.xyz.map { Double($0) * 9.80665 }
    let detected = try Handle()
    try detected.process(seconds: fixture.seconds, metres)
    let total = try detected.finish()
    let stated = try Handle(units: "m/s2")
    try stated.process(seconds: fixture.seconds, metres)
    #expect(try total.steps == stated.finish().steps)
    #expect(try total.steps == Handle().count(fixture.path).steps)
    #expect(stated.warnings.isEmpty)
  }

  @Test("gait is measured where it is asked for, and its steps are those of the count, moved a little")
  func gait() throws {
    let fixture = try Fixture(Fixture.day)
    let (plain, measured) = (try Handle(), try Handle(.init(gait: true)))
    let total = try plain.count(fixture.path)
    #expect(try measured.count(fixture.path).steps == total.steps)
    #expect(try plain.gait.bouts.isEmpty && plain.gait.total.strides == 0 && plain.gait.total.step_time.isNaN)
    let gait = try measured.gait
    #expect(gait.bouts.count == 2 && gait.bouts.allSatisfy { $0.strides > 60 && $0.end > $0.start })
    #expect(gait.total.strides == gait.bouts.reduce(0) { $0 + $1.strides })
    #expect(abs(gait.total.stride_time - 2 * gait.total.step_time) < 0.02)
    let moves = try zip(plain.steps, measured.steps).map { abs($0 - $1) }
    #expect(moves.allSatisfy { $0 <= 0.066 } && moves.contains { $0 > 0.001 })
  }

  @Test("a known walk has a confidence of 1; a profile is read, and has no use there")
  func knownWalk() throws {
    let fixture = try Fixture("reference/hand-25hz.csv.gz")
    let (plain, known) = (try Handle(), try Handle(.init(isWalk: true)))
    let total = try plain.count(fixture.path)
    let all = try known.count(fixture.path)
    #expect(all.steps > 0 && all.confidence == 1 && total.confidence < 1)
    let both = #expect(throws: Handle.Refusal.self) { _ = try Handle(.init(profile: "me", isWalk: true)) }
    #expect(both?.code == 64 && both?.text.contains("option profile") == true)
    let absent = #expect(throws: Handle.Refusal.self) { _ = try Handle(.init(profile: "/no/such.csv")) }
    #expect(absent?.code == 66)
  }

  @Test("options of the version before gait are taken")
  func formerOptions() throws {
    let former = try #require(unsafe MemoryLayout<pedometer_options>.offset(of: \.gait))
    let fixture = try Fixture(Fixture.day)
    let handle = try Handle(.init(gait: true, size: former))
    #expect(try handle.count(fixture.path).steps > 0)
    // What lies beyond their end is not read.
    #expect(try handle.gait.bouts.isEmpty)
  }

  @Test("a unit that does not fit the samples is a warning")
  func wrongUnit() throws {
    let fixture = try Fixture(Fixture.day)
    let handle = try Handle(units: "mg")
    try handle.process(fixture.times, fixture.xyz)
    _ = try handle.finish()
    #expect(handle.warnings.contains { $0.contains("option units") })
  }

  @Test("arrays in pieces of any size have the same steps as the whole", arguments: [1, 7, 999, 4096])
  func pieces(size: Int) throws {
    let fixture = try Fixture("reference/hand-25hz.csv.gz")
    let whole = try Handle(units: "g")
    try whole.process(fixture.times, fixture.xyz)
    let pieces = try Handle(units: "g")
    for start in stride(from: 0, to: fixture.times.count, by: size) {
      let end = min(start + size, fixture.times.count)
      try pieces.process(Array(fixture.times[start..<end]), Array(fixture.xyz[start * 3..<end * 3]))
    }
    #expect(try whole.finish().steps == pieces.finish().steps)
    #expect(try whole.steps == pieces.steps)
  }

  @Test("columns behind each other, rows backwards and unaligned numbers are read in place")
  func strides() throws {
    let fixture = try Fixture("reference/hand-25hz.csv.gz")
    let expected = try Handle()
    try expected.process(fixture.times, fixture.xyz)
    let steps = try expected.finish().steps
    let count = fixture.times.count
    // As Fortran, R and the transpose of a NumPy array lie; the rows from the last to the first, one byte off.
    var bytes = [UInt8](repeating: 0, count: 1 + count * 12)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      for row in 0..<count {
        for axis in 0..<3 {
          let place = 1 + (axis * count + count - 1 - row) * 4
          unsafe bytes.storeBytes(of: fixture.xyz[row * 3 + axis], toByteOffset: place, as: Float.self)
        }
      }
    }
    let handle = try Handle()
    try unsafe bytes.withUnsafeBytes { bytes in
      try unsafe fixture.times.withUnsafeBytes { times in
        try unsafe handle.process(
          count, times: times.baseAddress, type: PEDOMETER_INT64, stride: 8,
          xyz: bytes.baseAddress.map { unsafe $0 + 1 + (count - 1) * 4 }, type: PEDOMETER_FLOAT32, row: -4,
          axis: count * 4)
      }
    }
    #expect(try handle.finish().steps == steps)
  }

  @Test("without times the stated sampling frequency is used")
  func rate() throws {
    let fixture = try Fixture(Fixture.day)
    let timed = try Handle()
    try timed.process(fixture.times, fixture.xyz)
    let handle = try Handle(Handle.Options(rate: 50))
    for half in [fixture.xyz[..<30_000], fixture.xyz[30_000...]] {
      try unsafe Array(half).withUnsafeBytes { xyz in
        try unsafe handle.process(
          half.count / 3, times: nil, type: 0, stride: 0, xyz: xyz.baseAddress, type: PEDOMETER_FLOAT32, row: 12,
          axis: 4)
      }
    }
    #expect(try handle.finish().steps == timed.finish().steps)
    let slow = try Handle(Handle.Options(rate: 500))
    try unsafe fixture.xyz.withUnsafeBytes { xyz in
      try unsafe slow.process(
        fixture.times.count, times: nil, type: 0, stride: 0, xyz: xyz.baseAddress, type: PEDOMETER_FLOAT32, row: 12,
        axis: 4)
    }
    _ = try slow.finish()
    #expect(slow.warnings.contains { $0.contains("check option rate") })
  }

  @Test("epochs and bouts have all steps, and confidences are probabilities")
  func results() throws {
    let fixture = try Fixture(Fixture.day)
    let handle = try Handle()
    let total = try handle.count(fixture.path)
    let minutes = try handle.epochs(60)
    #expect(minutes.count == 5)
    #expect(minutes.map(\.start) == [0, 60, 120, 180, 240])
    #expect(minutes.map(\.steps).reduce(0, +) == total.steps)
    #expect(abs(minutes.map(\.distance_travelled).reduce(0, +) - total.distance_travelled) < 1e-6)
    #expect(try handle.epochs(1).map(\.steps).reduce(0, +) == total.steps)
    let bouts = try handle.bouts
    #expect(bouts.map(\.steps).reduce(0, +) == total.steps)
    #expect(bouts.allSatisfy { (0...1).contains($0.confidence) && $0.start <= $0.end })
    var confidences = [Double](repeating: -1, count: Int(total.steps))
    var count: Int64 = 0
    try handle.check(unsafe pedometer_steps(handle.pointer, nil, &confidences, total.steps, &count))
    #expect(confidences.allSatisfy { (0...1).contains($0) })
    let steps = try handle.steps
    #expect(steps.last ?? .infinity <= total.duration)
  }

  @Test("no more is written than fits")
  func capacity() throws {
    let handle = try Handle()
    let total = try handle.count(try Fixture(Fixture.day).path)
    var times = [Double](repeating: -1, count: 10)
    var count: Int64 = 0
    try handle.check(unsafe pedometer_steps(handle.pointer, &times, nil, 4, &count))
    #expect(count == total.steps)
    #expect(times[..<4].allSatisfy { $0 > 0 })
    #expect(times[4...].allSatisfy { $0 == -1 })
  }

  @Test("the times of day are those of the recording, and arrays have none")
  func clock() throws {
    let directory = try TemporaryDirectory()
    let fixture = try Fixture("reference/hand-25hz.csv.gz")
    var text = "time,x,y,z\n"
    for (row, time) in fixture.times.enumerated() {
      let moment = 1_780_000_000_000 + time / 1_000_000
      text += "\(moment),\(fixture.xyz[row * 3]),\(fixture.xyz[row * 3 + 1]),\(fixture.xyz[row * 3 + 2])\n"
    }
    let handle = try Handle(Handle.Options(start: "10"))
    _ = try handle.count(try directory.write(Array(text.utf8), to: "walk.csv"))
    let (origin, start) = unsafe (pedometer_origin(handle.pointer), pedometer_start(handle.pointer))
    #expect(unsafe origin.map { unsafe String(cString: $0) } == "2026-05-28T20:26:40+00:00")
    #expect(unsafe start.map { unsafe String(cString: $0) } == "2026-05-28T20:26:50+00:00")
    let array = try Handle()
    try array.process(fixture.times, fixture.xyz)
    _ = try array.finish()
    #expect(unsafe pedometer_start(array.pointer) == nil)
  }

  @Test("two threads with a handle each count what one thread counts")
  func threads() async throws {
    let fixture = try Fixture(Fixture.day)
    let expected = try Handle().count(fixture.path).steps
    let counts = try await withThrowingTaskGroup(of: Int64.self) { group in
      for index in 0..<4 {
        group.addTask {
          let handle = try Handle()
          if index % 2 == 0 { return try handle.count(fixture.path).steps }
          try handle.process(fixture.times, fixture.xyz)
          return try handle.finish().steps
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [expected, expected, expected, expected])
  }

  @Test("the version is that of the commands")
  func version() { #expect(unsafe String(cString: pedometer_version()) == Version.current) }
}
