import Accelerometry
import CPedometer
import Platform
import Recordings
import TestSupport
import Testing

@Suite("Reading from C", .timeLimit(.minutes(30)))
struct ReadingTests {
  /// A recording in each format that has a file.
  enum Format: String, CaseIterable, Sendable {
    case csv, jsonl, packedCWA, unpackedCWA, gt3x, geneactiv, matrix

    func write(to directory: TemporaryDirectory) throws -> String {
      switch self {
      case .csv: return Repository.path("Fixtures/\(Fixture.day)")
      case .jsonl:
        let fixture = try Fixture("reference/hand-25hz.csv.gz")
        let lines = fixture.times.indices.map { i in
          #"{"t":\#(fixture.seconds[i]),"x":\#(fixture.xyz[3 * i]),"y":\#(fixture.xyz[3 * i + 1]),"#
            + #""z":\#(fixture.xyz[3 * i + 2])}"# + "\n"
        }
        return try directory.write(Array(lines.joined().utf8), to: "walk.jsonl")
      case .packedCWA, .unpackedCWA:
        var writer = CWAWriter(self == .packedCWA ? .packed : .unpacked)
        writer.add(blocks: 50)
        return try directory.write(writer.bytes, to: "walk.cwa")
      case .gt3x:
        var writer = GT3XWriter()
        for second in 0..<100 { writer.add(.packed, second: second) }
        return try directory.write(writer.bytes(), to: "walk.gt3x")
      case .geneactiv:
        var writer = GENEActivWriter()
        for time in ["10:000", "13:500", "17:000", "20:500"] { writer.addPage(at: time) }
        return try directory.write(writer.bytes, to: "walk.bin")
      case .matrix:
        var writer = MatrixWriter()
        for packet in 0..<9 { writer.addPacket(from: packet * 10, to: packet * 10 + 10, samples: 128) }
        return try directory.write(writer.bytes, to: "walk.BIN")
      }
    }

    var clock: Int {
      switch self {
      case .csv, .jsonl: PEDOMETER_CLOCK_NONE
      case .packedCWA, .unpackedCWA: PEDOMETER_CLOCK_LOCAL
      case .gt3x, .geneactiv, .matrix: PEDOMETER_CLOCK_UTC
      }
    }

    /// The offset from UTC that the recording states, in seconds.
    var offset: Int64? {
      switch self {
      case .gt3x: -5 * 3600
      case .geneactiv: 3600
      case .matrix: 0
      default: nil
      }
    }
  }

  @Test(
    "the samples of each format are those that are counted, however many fit at once", arguments: Format.allCases,
    [1, 999, 100_000])
  func samples(format: Format, capacity: Int) throws {
    let directory = try TemporaryDirectory()
    let path = try format.write(to: directory)
    let expected = try RecordingReader(path: path)
    var (batch, all): ([AccelerationSample], [AccelerationSample]) = ([], [])
    while try expected.read(into: &batch) { all += batch }
    let reader = try Reader(path)
    let table = try reader.readAll(capacity)
    #expect(table.x.count >= 1000)
    #expect(table.x == all.map(\.acceleration.x))
    #expect(table.y == all.map(\.acceleration.y))
    #expect(table.z == all.map(\.acceleration.z))
    let description = try unsafe reader.description
    #expect(unsafe description.clock == Int32(format.clock))
    #expect(unsafe description.has_utc_offset == (format.offset == nil ? 0 : 1))
    #expect(unsafe description.utc_offset == format.offset ?? 0)
    let ahead = (format.offset ?? 0) * 1_000_000_000
    let zero = format.clock == PEDOMETER_CLOCK_NONE ? all[0].nanoseconds : ahead
    #expect(table.times == all.map { $0.nanoseconds - zero })
    #expect(unsafe description.samples == Int64(all.count))
    #expect(try Handle().count(path).samples == Int64(all.count))
    #expect(table.warnings == expected.summary.warnings)
  }

  @Test("the device, its range and frequency, and the times of the first and last sample are known")
  func description() throws {
    let directory = try TemporaryDirectory()
    let reader = try Reader(Format.gt3x.write(to: directory))
    _ = try reader.readAll()
    let found = try unsafe reader.description
    let text = { (pointer: UnsafePointer<CChar>?) in unsafe pointer.map { unsafe String(cString: $0) } }
    #expect(unsafe text(found.format) == "gt3x")
    #expect(unsafe text(found.unit) == "g")
    #expect(unsafe text(found.maker) == "ActiGraph")
    #expect(unsafe text(found.serial) == "TAS1E00000001")
    #expect(unsafe text(found.firmware) == "1.7.2")
    #expect(unsafe text(found.start) == "2024-01-01T00:00:00-05:00")
    #expect(unsafe text(found.end) == "2024-01-01T00:01:39.967-05:00")
    #expect(unsafe found.nominal_frequency == 30)
    #expect(unsafe abs(found.sampling_frequency - 30) < 0.01)
    // The same strings are not copied again.
    let again = try unsafe reader.description
    #expect(unsafe found.serial == again.serial)
  }

  @Test(
    "text states UTC, local time or no day",
    arguments: [
      ("2026-05-06T10:00:00Z", PEDOMETER_CLOCK_UTC, 0 as Int64?, 1_778_061_600 as Int64),
      ("2026-05-06T10:00:00+02:00", PEDOMETER_CLOCK_UTC, 7200, 1_778_061_600 - 7200),
      ("2026-05-06T10:00:00", PEDOMETER_CLOCK_LOCAL, nil, 1_778_061_600),
      ("1778061600.000", PEDOMETER_CLOCK_UTC, nil, 1_778_061_600), ("17.000", PEDOMETER_CLOCK_NONE, nil, 0),
    ])
  func clocks(first: String, clock: Int, offset: Int64?, seconds: Int64) throws {
    let directory = try TemporaryDirectory()
    var text = "time,x,y,z\n"
    for row in 0..<500 {
      let thousandths = row * 20 % 1000
      let fraction = "00\(thousandths)".suffix(3)
      let whole: String
      if first.contains("T") {
        whole =
          first.prefix(17) + (row / 50 < 10 ? "0" : "") + "\(row / 50).\(fraction)" + first.dropFirst(19)
      } else {
        whole = "\((Int64(first.prefix { $0 != "." }) ?? 0) + Int64(row / 50)).\(fraction)"
      }
      text += "\(whole),0.0\(row % 7),0.1,0.9\(row % 5)\n"
    }
    let reader = try Reader(try directory.write(Array(text.utf8), to: "walk.csv"))
    let table = try reader.readAll()
    let description = try unsafe reader.description
    #expect(table.times == (0..<500).map { seconds * 1_000_000_000 + Int64($0) * 20_000_000 })
    #expect(unsafe description.clock == Int32(clock))
    #expect(unsafe description.has_utc_offset == (offset == nil ? 0 : 1))
    #expect(unsafe description.utc_offset == offset ?? 0)
  }

  @Test("times without a day count from the recording's first sample, also where a part is read")
  func window() throws {
    let path = Repository.path("Fixtures/\(Fixture.day)")
    let reader = try Reader(path, Handle.Options(start: "10", end: "20"))
    let table = try reader.readAll()
    #expect(table.times.first == 10_000_000_000 && table.times.count == 500)
    #expect(try unsafe reader.description.samples_outside >= 500)
  }

  @Test("what was skipped is counted, and the warnings have the reason")
  func skipped() throws {
    let directory = try TemporaryDirectory()
    var text = "t,x,y,z\n"
    for row in 0..<500 {
      text += row % 50 == 7 ? "\(row),broken,0,1\n" : "\(Double(row) / 50),0.0\(row % 7),0.1,0.95\n"
    }
    let reader = try Reader(try directory.write(Array(text.utf8), to: "walk.csv"))
    let table = try reader.readAll()
    #expect(table.x.count == 490)
    #expect(try unsafe reader.description.rows_skipped == 10)
    #expect(table.warnings.contains { $0.contains("10 rows were skipped") })
  }

  @Test("a compressed file that is cut is read up to the cut, with a warning")
  func cut() throws {
    let directory = try TemporaryDirectory()
    let bytes = try TemporaryDirectory.bytes(of: Repository.path("Fixtures/\(Fixture.day)"))
    let reader = try Reader(try directory.write(Array(bytes[..<(bytes.count / 2)]), to: "walk.csv.gz"))
    let table = try reader.readAll()
    #expect((1000..<15_000).contains(table.x.count))
    #expect(table.warnings.contains { $0.contains("ends") || $0.contains("cut") }, "\(table.warnings)")
  }

  @Test("a sensor that lay still has samples, though no steps")
  func still() throws {
    let directory = try TemporaryDirectory()
    let text = "t,x,y,z\n" + (0..<1000).map { "\(Double($0) / 50),0,0,1\n" }.joined()
    let path = try directory.write(Array(text.utf8), to: "still.csv")
    let table = try Reader(path).readAll()
    #expect(table.x.count == 1000)
    #expect(table.warnings.contains { $0.contains("all 1000 samples are the same") })
    #expect(refusal { _ = try Handle().count(path) }?.code == 65)
  }

  @Test("what cannot be counted is refused with the same code and sentence")
  func refusals() throws {
    let directory = try TemporaryDirectory()
    let bad = (0..<500).map { $0 % 3 == 0 ? "\(Double($0) / 50),0.0\($0 % 7),0.1,0.95\n" : "bad,bad,bad,bad\n" }
    let files = [
      directory.path + "/none.csv", directory.path, "", try directory.write([], to: "empty.csv"),
      try directory.write(Array("hello\n".utf8), to: "hello.csv"),
      try directory.write(Array(("t,x,y,z\n" + bad.joined()).utf8), to: "bad.csv"),
      try directory.write(Array("1,0,1\n2,0,1\n3,1,1\n".utf8), to: "without-times.csv"),
      try directory.write([0x1F, 0x8B, 8, 0], to: "header.csv.gz"),
    ]
    for path in files {
      let expected = refusal { _ = try Handle().count(path) }
      let found = refusal { _ = try Reader(path).readAll() }
      #expect(found != nil && found == expected, "\(path): \(found?.text ?? "") instead of \(expected?.text ?? "")")
    }
    let day = Repository.path("Fixtures/\(Fixture.day)")
    #expect(refusal { _ = try Reader(day, Handle.Options(units: "furlongs")) }?.code == 64)
    #expect(refusal { _ = try Reader(day, Handle.Options(format: "cwa")) }?.code == 65)
  }

  @Test("a reader that failed keeps its answer, and one that ended stays at its end")
  func ends() throws {
    let directory = try TemporaryDirectory()
    let bad = "t,x,y,z\n0,0,0,1\n" + String(repeating: "bad,bad,bad,bad\n", count: 100)
    if let reader = try? Reader(try directory.write(Array(bad.utf8), to: "bad.csv")) {
      let first = refusal { _ = try reader.readAll() }
      #expect(first?.code == 65)
      #expect(refusal { _ = try reader.readAll() } == first)
    }
    let reader = try Reader(Repository.path("Fixtures/\(Fixture.day)"))
    #expect(try reader.readAll().x.count == 15_000)
    #expect(try reader.readAll().x.isEmpty)
    #expect(unsafe pedometer_reader_warning(reader.pointer, 9) == nil)
    #expect(unsafe pedometer_reader_warning(reader.pointer, -1) == nil)
  }

  @Test("NULL, no capacity and too small structures are errors, and arrays may be left out")
  func arguments() throws {
    let path = Repository.path("Fixtures/\(Fixture.day)")
    var count: Int64 = 7
    var pointer: OpaquePointer?
    #expect(unsafe pedometer_open(nil, nil, &pointer) == 64)
    #expect(unsafe pedometer_open(nil, path, nil) == 64)
    #expect(unsafe pedometer_open(nil, "/nowhere/none.csv", &pointer) == 66 && pointer == nil)
    #expect(unsafe pedometer_read(nil, nil, nil, nil, nil, 1, &count) == 64)
    #expect(pedometer_describe(nil, nil) == 64)
    #expect(unsafe pedometer_reader_warning(nil, 0) == nil)
    pedometer_close(nil)
    let reader = try Reader(path)
    #expect(unsafe pedometer_read(reader.pointer, nil, nil, nil, nil, 1, nil) == 64)
    #expect(unsafe pedometer_read(reader.pointer, nil, nil, nil, nil, 0, &count) == 64 && count == 0)
    #expect(unsafe pedometer_read(reader.pointer, nil, nil, nil, nil, .min, &count) == 64)
    var small = unsafe pedometer_recording()
    unsafe small.size = 8
    #expect(unsafe pedometer_describe(reader.pointer, &small) == 64)
    #expect(unsafe pedometer_describe(reader.pointer, nil) == 64)
    var z = [Float](repeating: .nan, count: 10)
    #expect(unsafe pedometer_read(reader.pointer, nil, nil, nil, &z, 4, &count) == 0 && count == 4)
    #expect(z[..<4].allSatisfy(\.isFinite) && z[4...].allSatisfy(\.isNaN))
  }

  @Test("damaged files are read or refused, and never end the program", arguments: Format.allCases)
  func damage(format: Format) throws {
    let directory = try TemporaryDirectory()
    let whole = try TemporaryDirectory.bytes(of: format.write(to: directory))
    var random = SplitMix64(seed: 0xDA_3A6E)
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      let path = try directory.write(bytes, to: "damaged")
      do {
        var table = try Reader(path).readAll()
        // What is read can be used.
        if !table.x.isEmpty {
          #expect(zip(table.times, table.times.dropFirst()).allSatisfy { $0 < $1 })
          _ = try table.calibrated()
          _ = try table.worn()
        }
      } catch let refusal as Handle.Refusal {
        #expect([64, 65, 74].contains(refusal.code) && !refusal.text.isEmpty)
      }
    }
  }

  @Test("a name that is not UTF-8 is opened, and two threads read the same file at the same time")
  func threads() async throws {
    let directory = try TemporaryDirectory()
    let path = Repository.path("Fixtures/\(Fixture.day)")
    var name = Array("\(directory.path)/caf".utf8CString.dropLast())
    name += [CChar(bitPattern: 0xE9), 0]
    try #require(unsafe symlink(path, name) == 0)
    let named = Reader()
    try named.check(unsafe pedometer_open(nil, name, &named.pointer))
    let expected = try named.readAll()
    #expect(expected.x.count == 15_000)
    let tables = try await withThrowingTaskGroup(of: Reader.Table.self) { group in
      for _ in 0..<4 { group.addTask { try Reader(path).readAll() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tables.allSatisfy { $0 == expected })
    unsafe unlink(name)
  }

  @Test("a reader that another thread uses is busy, and that thread is not disturbed", .ownThreads)
  func busy() async throws {
    let directory = try TemporaryDirectory()
    let bytes = try TemporaryDirectory.bytes(of: Repository.path("Fixtures/\(Fixture.day)"))
    let pipe = directory.path + "/pipe"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    // Opened for both, so that opening the reader does not wait.
    let writer = unsafe open(pipe, O_RDWR | O_CLOEXEC)
    try #require(writeWhole(Array(bytes[..<30_000]), to: writer) == 0)
    let shared = Shared(reader: try Reader(pipe))
    async let reading = shared.readAll()
    // Its call waits for more from the pipe, sooner or later.
    var codes: Set<Int32> = []
    while !codes.contains(75) {
      var description = unsafe pedometer_recording()
      unsafe description.size = MemoryLayout<pedometer_recording>.size
      codes.insert(unsafe pedometer_describe(shared.reader.pointer, &description))
      await Task.yield()
    }
    #expect(codes.isSubset(of: [0, 75]))
    try #require(writeWhole(Array(bytes[30_000...]), to: writer) == 0)
    close(writer)
    let table = try await reading
    #expect(table.x.count == 15_000)
  }

  private struct Shared: @unchecked Sendable {
    let reader: Reader

    func readAll() throws -> Reader.Table {
      while true {
        // Before its call has begun, it may itself meet a busy reader.
        do { return try reader.readAll(1_000_000) } catch let refusal as Handle.Refusal where refusal.code == 75 {}
      }
    }
  }

  // MARK: Calibration and wear

  /// Rest in 60 directions, 20 s each, as a sensor with these gains and offsets shows it.
  private static func resting(_ gain: SIMD3<Double>, _ offset: SIMD3<Double>, up: Bool = false) -> Reader.Table {
    var table = Reader.Table()
    for i in 0..<60 {
      let z = 1 - 2 * (Double(i) + 0.5) / 60
      if up, z < 0 { break }
      let r = (1 - z * z).squareRoot()
      // Sixteen directions around, without trigonometry: a point on a square, put on the circle.
      let side = [(1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0), (0.7, -0.7)]
      let (a, b) = side[i % 8]
      let length = (a * a + b * b).squareRoot()
      let value = (SIMD3(r * a / length, r * b / length, z) - offset) / gain
      for _ in 0..<200 {
        table.times.append(Int64(table.times.count) * 100_000_000)
        table.x.append(Float(value.x))
        table.y.append(Float(value.y))
        table.z.append(Float(value.z))
      }
    }
    return table
  }

  @Test("calibration finds gain and offset, and changes the samples where they are")
  func calibration() throws {
    let (gain, offset) = (SIMD3(1.03, 0.97, 1.01), SIMD3(0.02, -0.03, 0.01))
    var table = Self.resting(gain, offset)
    let found = try table.calibrated()
    #expect(found.outcome == Int32(PEDOMETER_CALIBRATED))
    #expect(found.intervals > 50)
    #expect(abs(found.gain.0 - gain.x) < 0.001 && abs(found.gain.1 - gain.y) < 0.001)
    #expect(abs(found.offset.2 - offset.z) < 0.001)
    #expect(found.error_before > 0.01 && found.error_after < 0.0001)
    for i in table.x.indices {
      let length = (table.x[i] * table.x[i] + table.y[i] * table.y[i] + table.z[i] * table.z[i]).squareRoot()
      #expect(abs(length - 1) < 0.001)
    }
  }

  @Test("where nothing can be fitted the samples stay, and the outcome says why")
  func noCalibration() throws {
    let one = SIMD3<Double>(repeating: 1)
    var up = Self.resting(one * 1.02, .zero, up: true)
    let before = up
    #expect(try up.calibrated().outcome == Int32(PEDOMETER_FEW_ORIENTATIONS))
    #expect(up == before)
    var triple = Self.resting(one / 3, .zero)
    #expect(try triple.calibrated().outcome == Int32(PEDOMETER_NO_IMPROVEMENT))
    var none = Reader.Table()
    let found = try none.calibrated()
    #expect(found.outcome == Int32(PEDOMETER_LITTLE_REST) && found.intervals == 0 && found.error_before.isNaN)
    #expect(found.gain == (1, 1, 1) && found.offset == (0, 0, 0))
  }

  @Test("a night on the bedside table is non-wear, as in a study; half an hour of rest is wear")
  func wear() throws {
    var table = Reader.Table()
    for (seconds, swing) in [(8 * 3600, 0.2), (8 * 3600, 0.001), (4 * 3600, 0.2), (1800, 0.001), (3600, 0.2)] {
      for i in 0..<seconds * 10 {
        table.times.append(Int64(table.times.count) * 100_000_000)
        let value = Float(i % 2 == 0 ? swing : -swing)
        table.x.append(value)
        table.y.append(value)
        table.z.append(1 + value)
      }
    }
    let worn = try table.worn()
    let (night, day) = (8 * 36_000, 16 * 36_000)
    #expect(worn[..<night].allSatisfy { $0 == 1 })
    #expect(worn[night..<day].allSatisfy { $0 == 0 })
    #expect(worn[day...].allSatisfy { $0 == 1 })
  }

  @Test("samples that are none are refused with their place")
  func badSamples() throws {
    var table = Self.resting(SIMD3(repeating: 1), .zero)
    table.times[77] = 0
    #expect(refusal { _ = try table.worn() }?.text.contains("time 77 is earlier") == true)
    table.times[77] = 7_700_000_000
    table.y[8] = .infinity
    #expect(refusal { _ = try table.worn() }?.text.contains("sample 8 is not a finite number") == true)
    #expect(refusal { _ = try table.calibrated() }?.code == 65)
    for times in [[Int64.min, 0], [0, .max], [.min, .max]] {
      var extreme = Reader.Table(times: times, x: [0, 0], y: [0, 0], z: [1, 1])
      #expect(refusal { _ = try extreme.worn() }?.code == 65)
      #expect(refusal { _ = try extreme.calibrated() }?.code == 65)
    }
    // The longest time that two clocks may be apart does not need memory for each quarter of an hour without limit.
    let long = Reader.Table(times: [-1 << 60, 1 << 61], x: [0, 0], y: [0, 0], z: [1, 1])
    #expect(try long.worn().count == 2)
    var worn: UInt8 = 0
    #expect(unsafe pedometer_wear(nil, nil, nil, nil, 0, &worn) == 64)
    #expect(unsafe pedometer_wear(nil, nil, nil, nil, -1, &worn) == 64)
    #expect(pedometer_wear(nil, nil, nil, nil, .max, nil) == 64)
    #expect(pedometer_calibrate(nil, nil, nil, nil, 0, nil) == 64)
  }

  private func refusal(_ body: () throws -> Void) -> Handle.Refusal? {
    do { try body() } catch { return error as? Handle.Refusal }
    return nil
  }
}
