import Accelerometry
import Czlib
import Glibc
import Recordings
import TestSupport
import Testing

private let two = [
  AccelerationSample(nanoseconds: 0, acceleration: [0.5, -0.25, 1]),
  AccelerationSample(nanoseconds: 20_000_000, acceleration: [0.0123456789, 0, -2]),
]

/// The output of a writer.
private func written(
  _ samples: [AccelerationSample] = two, _ change: (inout RecordingWriter.Options) -> Void = { _ in }
)
  throws -> String
{
  let directory = try TemporaryDirectory()
  let path = directory.path + "/walk"
  var options = RecordingWriter.Options()
  change(&options)
  var writer = try RecordingWriter(to: .file(path: path), options: options)
  try writer.write(samples)
  try writer.finish()
  return try TemporaryDirectory.text(of: path)
}

@Suite(.timeLimit(.minutes(30))) struct RecordingWriterFormatTests {
  @Test("CSV has a header and one line per sample, in seconds and g")
  func csv() throws {
    #expect(try written() == "t,x,y,z\n0,0.5,-0.25,1\n0.02,0.01234568,0,-2\n")
  }

  @Test("JSON Lines has one object per sample")
  func jsonLines() throws {
    #expect(
      try written { $0.format = .jsonLines }
        == "{\"t\":0,\"x\":0.5,\"y\":-0.25,\"z\":1}\n{\"t\":0.02,\"x\":0.01234568,\"y\":0,\"z\":-2}\n")
  }

  @Test(
    "a partial recording is kept under a name that says so, and replaces nothing",
    arguments: ["csv", "csv.gz"])
  func part(ending: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Array("former".utf8), to: "walk.\(ending)")
    let sample = AccelerationSample(timestamp: .zero, acceleration: [0, 0, 1])
    for number in ["", "-2"] {
      var writer = try RecordingWriter(to: .file(path: path))
      try writer.write([sample])
      #expect(writer.finishPart() == directory.path + "/walk.part\(number).\(ending)")
    }
    #expect(try TemporaryDirectory.text(of: path) == "former")
    var writer = try RecordingWriter(to: .file(path: directory.path + "/new.\(ending)"))
    try writer.write([sample])
    #expect(writer.finishPart() == directory.path + "/new.part.\(ending)")
    #expect(
      directory.contents == [
        "new.part.\(ending)", "walk.\(ending)", "walk.part-2.\(ending)", "walk.part.\(ending)",
      ])
    let reader = try RecordingReader(path: directory.path + "/walk.part.\(ending)", options: RecordingOptions())
    var samples: [AccelerationSample] = []
    #expect(try reader.read(into: &samples) && samples == [sample])
  }

  @Test("metadata comes first: as comments in CSV, as one object in JSON Lines")
  func metadata() throws {
    let lines = [RecordingWriter.Metadata("rate", "50 Hz"), .init("na\"me", "a\nb\\")]
    #expect(try written([]) { $0.metadata = lines } == "# rate: 50 Hz\n# na\"me: a b\\\nt,x,y,z\n")
    #expect(
      try written([]) { ($0.metadata, $0.format) = (lines, .jsonLines) }
        == "{\"metadata\":{\"rate\":\"50 Hz\",\"na\\\"me\":\"a\\nb\\\\\"}}\n")
  }

  @Test("non-finite values are nan in CSV and null in JSON")
  func notFinite() throws {
    let broken = [AccelerationSample(nanoseconds: 0, acceleration: [.nan, .infinity, 1])]
    #expect(try written(broken).hasSuffix("\n0,nan,nan,1\n"))
    #expect(try written(broken) { $0.format = .jsonLines } == "{\"t\":0,\"x\":null,\"y\":null,\"z\":1}\n")
  }

  @Test("a long recording is written completely, whatever the buffer size")
  func longRecording() throws {
    let many = (0..<20_000).map {
      AccelerationSample(nanoseconds: Int64($0) * 10_000_000, acceleration: [Float($0), 0, 0])
    }
    let lines = try written(many).split(separator: "\n")
    #expect(lines.count == 20_001)
    #expect(lines.last == "199.99,19999,0,0")
  }
}

@Suite(.timeLimit(.minutes(30))) struct RecordingWriterFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func path(_ name: String) -> String { directory.path + "/" + name }

  private func write(to path: String) throws {
    var writer = try RecordingWriter(to: .file(path: path))
    try writer.write(two)
    try writer.finish()
  }

  @Test("the file gets its name only when it is complete")
  func appearsWhole() throws {
    var writer = try RecordingWriter(to: .file(path: path("walk.csv")))
    try writer.write(two)
    #expect(directory.contents == ["walk.part.csv"])
    try writer.finish()
    #expect(directory.contents == ["walk.csv"])
  }

  @Test("an unfinished writer leaves no file, and an existing file stays")
  func abandoned() throws {
    try write(to: path("walk.csv"))
    let before = try TemporaryDirectory.text(of: path("walk.csv"))
    do {
      var writer = try RecordingWriter(to: .file(path: path("walk.csv")))
      try writer.write([])
      #expect(directory.contents.count == 2)
    }
    #expect(directory.contents == ["walk.csv"])
    #expect(try TemporaryDirectory.text(of: path("walk.csv")) == before)
  }

  @Test("finishing twice has no effect, and writing afterwards is rejected")
  func finishing() throws {
    var writer = try RecordingWriter(to: .file(path: path("walk.csv")))
    try writer.finish()
    try writer.finish()
    let error: RecordingWriterError?
    do {
      try writer.write(two)
      error = nil
    } catch let caught { error = caught }
    #expect(error == .finished(path: path("walk.csv")))
    #expect(try TemporaryDirectory.text(of: path("walk.csv")) == "t,x,y,z\n")
  }

  @Test("a replaced file keeps its mode, and a symbolic link keeps its target")
  func replacing() throws {
    try write(to: path("real.csv"))
    unsafe chmod(path("real.csv"), 0o640)
    unsafe symlink("real.csv", path("link.csv"))
    var writer = try RecordingWriter(to: .file(path: path("link.csv")))
    try writer.finish()
    var status = stat()
    #expect(unsafe lstat(path("link.csv"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(unsafe stat(path("real.csv"), &status) == 0 && status.st_mode & 0o7777 == 0o640)
    #expect(try TemporaryDirectory.text(of: path("real.csv")) == "t,x,y,z\n")
  }

  @Test("a name that ends in .gz is compressed, and decompresses to the same text")
  func gzip() throws {
    let many = (0..<30_000).map { AccelerationSample(nanoseconds: Int64($0), acceleration: [Float($0), 1, 2]) }
    for name in ["walk.csv", "walk.csv.gz"] {
      var writer = try RecordingWriter(to: .file(path: path(name)))
      for start in stride(from: 0, to: many.count, by: 1000) { try writer.write(Array(many[start..<(start + 1000)])) }
      try writer.finish()
    }
    let packed = try TemporaryDirectory.bytes(of: path("walk.csv.gz"))
    #expect(packed.starts(with: [0x1F, 0x8B]))
    let plain = try TemporaryDirectory.bytes(of: path("walk.csv"))
    #expect(packed.count < plain.count / 2)
    #expect(try unpacked(path("walk.csv.gz")) == plain)
  }

  private func unpacked(_ path: String) throws -> [UInt8] {
    let file = try unsafe #require(gzopen(path, "rb"))
    defer { unsafe gzclose(file) }
    var all: [UInt8] = []
    var some = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Int(unsafe gzread(file, &some, 65_536))
      try #require(count >= 0)
      if count == 0 { return all }
      all += some[..<count]
    }
  }

  @Test("a descriptor stays open")
  func descriptor() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var writer = try RecordingWriter(to: .descriptor(ends[1], name: "a pipe"))
    try writer.write(two)
    try writer.flush()
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = unsafe read(ends[0], &bytes, bytes.count)
    #expect(String(decoding: bytes[..<count], as: UTF8.self).hasPrefix("t,x,y,z\n0,0.5,"))
    try writer.finish()
    #expect(fcntl(ends[1], F_GETFD) >= 0)
  }

  @Test("step times are written one per line")
  func stepTimes() throws {
    var writer = try StepTimesWriter(to: .file(path: path("truth")))
    try writer.write(.milliseconds(1500))
    try writer.write(.nanoseconds(2_000_000_001))
    try writer.finish()
    #expect(try TemporaryDirectory.text(of: path("truth")) == "1.5\n2.000000001\n")
  }
}

@Suite(.timeLimit(.minutes(30))) struct RecordingWriterErrorTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func failure(_ destination: RecordingWriter.Destination) -> RecordingWriterError? {
    do throws(RecordingWriterError) {
      var writer = try RecordingWriter(to: destination)
      try writer.write(two)
      try writer.finish()
      return nil
    } catch {
      return error
    }
  }

  @Test("a missing folder, and a name that is a folder, are reported before anything is written")
  func cannotCreate() {
    let missing = directory.path + "/no/walk.csv"
    #expect(failure(.file(path: missing)) == .cannotCreate(path: missing, errno: ENOENT))
    #expect(failure(.file(path: directory.path)) == .cannotCreate(path: directory.path, errno: EISDIR))
    #expect("\(RecordingWriterError.cannotCreate(path: missing, errno: ENOENT))".contains("create its folder first"))
  }

  @Test("a full device is reported with its errno")
  func fullDevice() {
    #expect(failure(.file(path: "/dev/full")) == .io(path: "/dev/full", errno: ENOSPC))
    #expect("\(RecordingWriterError.io(path: "/dev/full", errno: ENOSPC))".contains("free some space"))
  }

  @Test("a pipe closed by its reader has a separate error")
  func brokenPipe() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    #expect(failure(.descriptor(ends[1], name: "standard output")) == .brokenPipe(path: "standard output"))
  }

  @Test("a device is written to, not replaced")
  func device() {
    #expect(failure(.file(path: "/dev/null")) == nil)
    var status = stat()
    #expect(unsafe stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }
}
