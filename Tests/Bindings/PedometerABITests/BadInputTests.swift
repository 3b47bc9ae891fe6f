import CPedometer
import Platform
import TestSupport
import Testing

@Suite("What C gets for bad input", .timeLimit(.minutes(30)))
struct BadInputTests {
  /// A second of a sensor that swings.
  private static let times: [Double] = (0..<200).map { Double($0) * 0.02 }
  private static let xyz: [Double] = (0..<600).map { [0, 0.1 * Double($0 / 3 % 10), 1][$0 % 3] }

  private func refusal(_ body: () throws -> Void) -> Handle.Refusal? {
    do { try body() } catch { return error as? Handle.Refusal }
    return nil
  }

  @Test(
    "a value or a time that cannot be is an error with its place, and nothing is counted",
    arguments: [
      (150, Double.nan, "time 150 is nan"), (150, .infinity, "time 150 is inf"),
      (150, 2.98, "time 150 is 2.98 s and the one before is 2.98 s"), (150, 1, "sort the samples by time"),
      (199, 1.7e12, "divide milliseconds by 1000"), (199, -1e300, "which no clock shows"),
      (199, .greatestFiniteMagnitude, "which no clock shows"),
    ])
  func times(place: Int, time: Double, words: String) throws {
    let handle = try Handle()
    var times = Self.times
    times[place] = time
    let refusal = refusal { try handle.process(seconds: times, Self.xyz) }
    #expect(refusal?.code == 65)
    #expect(refusal?.text.contains(words) == true, "\(refusal?.text ?? "")")
    #expect(try handle.totals.samples == 0)
  }

  @Test(
    "a sample that is not finite is an error with its place", arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func values(value: Double) throws {
    let handle = try Handle()
    var xyz = Self.xyz
    xyz[3 * 77 + 1] = value
    let refusal = refusal { try handle.process(seconds: Self.times, xyz) }
    #expect(refusal?.code == 65)
    #expect(refusal?.text.hasPrefix("row 77 of xyz") == true)
    // What was refused can be mended.
    try handle.process(seconds: Self.times, Self.xyz)
    #expect(try handle.finish().samples == 200)
  }

  @Test(
    "times at the ends of what integers hold do not overflow",
    arguments: [[.min, 0], [0, .max], [.min, .max], [.max - 1, .max], [-1 << 60, 1 << 61]] as [[Int64]])
  func extremes(times: [Int64]) throws {
    let handle = try Handle(units: "g")
    let refusal = refusal {
      try handle.process(times, [0, 0, 1, 0, 0, 1.1])
      _ = try handle.finish()
    }
    if let refusal { #expect(refusal.code == 65) }
  }

  @Test("the next piece has to be later than the last one")
  func pieces() throws {
    let handle = try Handle()
    try handle.process(seconds: Self.times, Self.xyz)
    let refusal = refusal { try handle.process(seconds: Self.times, Self.xyz) }
    #expect(refusal?.code == 65)
    #expect(refusal?.text.contains("time 0 is 0.0 s and the one before is 3.98 s") == true)
  }

  @Test(
    "times in another unit are refused at the end, not counted as zero steps",
    arguments: [(1000.0, "more than a second apart"), (25, "samples a second"), (1e-9, "samples a second")])
  func wrongTimes(factor: Double, words: String) throws {
    let fixture = try Fixture(Fixture.day)
    let handle = try Handle(units: "g")
    try handle.process(
      seconds: factor < 1 ? fixture.times.indices.map { Double($0) * 2e-8 } : fixture.seconds.map { $0 * factor },
      fixture.xyz.map { Double($0) })
    let refusal = refusal { _ = try handle.finish() }
    #expect(refusal?.code == 65)
    #expect(refusal?.text.contains(words) == true, "\(refusal?.text ?? "")")
    // The handle keeps its answer.
    #expect(self.refusal { _ = try handle.totals } == refusal)
  }

  @Test("samples that are all the same, and values of no unit, are refused")
  func noData() throws {
    let stuck = try Handle()
    try stuck.process(
      seconds: (0..<1000).map { Double($0) * 0.02 }, (0..<3000).map { $0 % 3 == 2 ? 1 : 0 })
    #expect(refusal { _ = try stuck.finish() }?.text.contains("all samples are the same") == true)
    let handle = try Handle()
    let refusal = refusal { try handle.process(seconds: Self.times, Self.xyz.map { $0 * 1e9 }) }
    #expect(refusal?.code == 65)
    #expect(refusal?.text.contains("matches no known unit") == true)
  }

  @Test(
    "invalid options are refused with a sentence that names them",
    arguments: [
      (Handle.Options(units: "furlongs"), "units 'furlongs' is not a unit"), (.init(units: ""), "is not a unit"),
      (.init(rate: 1), "rate 1.0 is out of range"), (.init(rate: .nan), "rate nan is out of range"),
      (.init(height: 180), "height is in metres"), (.init(stepLength: -.infinity), "step_length is in metres"),
      (.init(format: "wav"), "input_format 'wav' is not supported"),
      (.init(columns: "a,b"), "columns takes four names"),
      (.init(start: "yesterday"), "'yesterday' is not a time"),
      (.init(start: "20", end: "10"), "end is earlier than start"), (.init(size: 8), "sizeof(pedometer_options)"),
    ])
  func options(options: Handle.Options, words: String) throws {
    let refusal = refusal { _ = try Handle(options) }
    #expect(refusal?.code == 64)
    #expect(refusal?.text.contains(words) == true, "\(refusal?.text ?? "")")
  }

  @Test("NULL is an error everywhere")
  func null() throws {
    let handle = try Handle()
    var count: Int64 = 0
    #expect(pedometer_create(nil, nil) == 64)
    #expect(pedometer_process(nil, nil) == 64)
    #expect(unsafe pedometer_process(handle.pointer, nil) == 64)
    #expect(pedometer_finish(nil) == 64)
    #expect(unsafe pedometer_count_file(nil, "walk.csv") == 64)
    #expect(unsafe pedometer_count_file(handle.pointer, nil) == 64)
    #expect(pedometer_totals(nil, nil) == 64)
    #expect(unsafe pedometer_totals(handle.pointer, nil) == 64)
    #expect(unsafe pedometer_steps(handle.pointer, nil, nil, 0, nil) == 64)
    #expect(unsafe pedometer_steps(handle.pointer, nil, nil, -1, &count) == 64)
    #expect(unsafe pedometer_epochs(nil, 60, nil, 0, &count) == 64)
    #expect(unsafe pedometer_bouts(nil, nil, 0, &count) == 64)
    #expect(unsafe pedometer_warning(nil, 0) == nil)
    #expect(unsafe pedometer_start(nil) == nil)
    pedometer_destroy(nil)
    #expect(refusal { try handle.check(pedometer_finish(nil)) }?.text.contains("the handle is NULL") == true)
  }

  @Test("arrays without rows, of unknown types, or with absurd sizes are refused")
  func tables() throws {
    let handle = try Handle()
    let floats = [Float](repeating: 0, count: 30)
    let refuses = { (count: Int, type: Int, stride: Int, axis: Int) -> Int32? in
      unsafe floats.withUnsafeBytes { bytes in
        self.refusal {
          try unsafe handle.process(
            count, times: bytes.baseAddress, type: type, stride: stride, xyz: bytes.baseAddress,
            type: PEDOMETER_FLOAT32, row: 12, axis: axis)
        }?.code
      }
    }
    #expect(refuses(0, 1, 4, 4) == 65)
    #expect(refuses(-1, 1, 4, 4) == 64)
    #expect(refuses(.max, 1, 4, 4) == 64)
    #expect(refuses(2, 9, 4, 4) == 64)
    #expect(refuses(2, 1, .max, 4) == 64)
    #expect(refuses(2, 1, 4, .min) == 64)
    #expect(
      refusal {
        try unsafe handle.process(
          1, times: nil, type: 0, stride: 0, xyz: nil, type: PEDOMETER_FLOAT32, row: 0, axis: 0)
      }?.text.contains("xyz is NULL") == true)
    #expect(
      unsafe floats.withUnsafeBytes { bytes in
        self.refusal {
          try unsafe handle.process(
            1, times: nil, type: 0, stride: 0, xyz: bytes.baseAddress, type: PEDOMETER_FLOAT32, row: 12, axis: 4)
        }?.text.contains("state the sampling frequency with option rate")
      } == true)
  }

  @Test("files that are not there, no files, no recordings and not to be read have the command's exit codes")
  func files() throws {
    let directory = try TemporaryDirectory()
    let code = { (path: String) in self.refusal { _ = try Handle().count(path) }?.code }
    #expect(code(directory.path + "/none.csv") == 66)
    #expect(code(directory.path) == 66)
    #expect(code("") == 66)
    #expect(code(try directory.write([], to: "empty.csv")) == 65)
    #expect(code(try directory.write(Array("hello\n".utf8), to: "hello.csv")) == 65)
    let locked = try directory.write(Array("t,x,y,z\n0,0,0,1\n".utf8), to: "locked.csv")
    unsafe chmod(locked, 0)
    // Root may read everything.
    #expect(code(locked) == (geteuid() == 0 ? 65 : 77) || geteuid() == 0)
    let text = refusal { _ = try Handle().count(directory.path + "/none.csv") }?.text
    #expect(text?.contains("none.csv: no such file") == true)
  }

  @Test("a name that is not UTF-8 is opened")
  func encoding() throws {
    let directory = try TemporaryDirectory()
    let fixture = try Fixture("reference/hand-25hz.csv.gz")
    let handle = try Handle()
    var name = Array("\(directory.path)/caf".utf8CString.dropLast())
    name += [CChar(bitPattern: 0xE9), 0]
    try #require(unsafe symlink(fixture.path, name) == 0)
    try handle.check(unsafe pedometer_count_file(handle.pointer, name))
    #expect(try handle.totals.steps == Handle().count(fixture.path).steps)
    unsafe unlink(name)
  }

  @Test("calls that come at the wrong time are refused, and the results stay")
  func order() throws {
    let handle = try Handle()
    #expect(refusal { _ = try handle.finish() }?.code == 65)
    try handle.process(seconds: Self.times, Self.xyz)
    let total = try handle.finish()
    #expect(try handle.finish().samples == total.samples)
    #expect(refusal { try handle.process(seconds: Self.times, Self.xyz) }?.code == 64)
    #expect(refusal { _ = try handle.count("walk.csv") }?.code == 64)
    #expect(try handle.totals.samples == 200)
    #expect(refusal { _ = try handle.epochs(.nan) }?.code == 64)
    #expect(refusal { _ = try handle.epochs(0) }?.code == 64)
  }

  @Test("more epochs than memory may hold are refused")
  func epochs() throws {
    let handle = try Handle(units: "g")
    for month in 0..<12 {
      try handle.process(seconds: Self.times.map { $0 + Double(month) * 2_600_000 }, Self.xyz)
    }
    _ = try handle.finish()
    #expect(refusal { _ = try handle.epochs(1) }?.text.contains("ten million epochs") == true)
    #expect(try !handle.epochs(60).isEmpty)
  }

  @Test("a handle that another thread uses is busy, and that thread is not disturbed", .ownThreads)
  func busy() async throws {
    let directory = try TemporaryDirectory()
    let fixture = try Fixture("reference/hand-25hz.csv.gz")
    let pipe = directory.path + "/pipe"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let handle = try Handle()
    let shared = Shared(handle: handle)
    async let total = shared.handle.count(pipe).steps
    // Opening a pipe waits for its reader, which is then within its call.
    let writer = unsafe open(pipe, O_WRONLY | O_CLOEXEC)
    #expect(refusal { _ = try handle.totals }?.code == 75)
    #expect(unsafe pedometer_warning(handle.pointer, 0) == nil)
    let bytes = try TemporaryDirectory.bytes(of: fixture.path)
    try #require(writeWhole(bytes, to: writer) == 0)
    close(writer)
    let counted = try await total
    #expect(try counted == Handle().count(fixture.path).steps)
  }

  /// What two threads use at once, which a program should not do.
  private struct Shared: @unchecked Sendable {
    let handle: Handle
  }
}
