import Accelerometry
import IIOScans
import TestSupport
import Testing

@testable import Recordings

/// Recordings whose bytes a pipe may deliver in any pieces. Most of these were found by `Fuzz/run`.
@Suite("Bytes that arrive in pieces", .timeLimit(.minutes(30)))
struct PieceTests {
  /// Reads bytes from a pipe in large pieces, and expects the same result of smaller pieces.
  private static func read(
    _ bytes: [UInt8], _ options: RecordingOptions = RecordingOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ReadRecording {
    let whole = ReadRecording(bytes, pieces: 4096, options)
    for size in [1, 7, 64, 600] {
      let cut = ReadRecording(bytes, pieces: size, options)
      #expect(cut.samples == whole.samples, "pieces of \(size)", sourceLocation: sourceLocation)
      #expect(cut.error?.code == whole.error?.code, "pieces of \(size)", sourceLocation: sourceLocation)
      if whole.error == nil {
        #expect(cut.warnings == whole.warnings, "pieces of \(size)", sourceLocation: sourceLocation)
      }
    }
    return whole
  }

  @Test("the first lines show the names of the numbers, and later ones do not change them")
  func labels() {
    let few = (0..<30).map { "ax=0.0\($0),ay=0.02,az=0.98\n" }.joined()
    let many = (0..<150).map { "accel x=0.\($0),y=0.5,z=0.98\n" }.joined()
    var options = RecordingOptions(unit: .g)
    options.samplingFrequency = SamplingFrequency(hertz: 50)
    #expect(Self.read(Array((few + many).utf8), options).samples.count == 30)
  }

  @Test("a message longer than the lines that show most formats is recognised")
  func longMessage() {
    let text = (0..<40).map { index in
      """
      header:
        stamp:
          sec: \(1_777_882_500 + index / 20)
          nanosec: \(index % 20 * 50_000_000)
      orientation_covariance:
      \(String(repeating: "- 0.0\n", count: 30))linear_acceleration:
        x: 0.5
        y: 0.0
        z: 9.80665
      ---

      """
    }
    #expect(Self.read(Array(text.joined().utf8)).samples.count == 40)
  }

  @Test("NULs in front of a log change nothing behind them")
  func logWithNULs() {
    let text =
      "\0\0\0\n" + String(repeating: "the sensor is not ready\n", count: 20)
      + (0..<60).map { "ax=0.0\($0),ay=0.02,az=0.98\n" }.joined()
    var options = RecordingOptions(unit: .g)
    options.samplingFrequency = SamplingFrequency(hertz: 50)
    #expect(Self.read(Array(text.utf8), options).samples.count == 60)
  }

  @Test("JSON lines of several sensors are recognised by the second sensor")
  func sensors() {
    let lines = (0..<100).map { index in
      let time = Double(index) / 50
      return #"{"sensor":"accelerometer","t":\#(time),"x":0.1,"y":0.0\#(index % 7),"z":0.98}"# + "\n"
        + #"{"sensor":"gyroscope","t":\#(time),"x":5,"y":5,"z":5}"# + "\n"
    }
    let read = Self.read(Array(lines.joined().utf8), RecordingOptions(unit: .g))
    #expect(read.samples.count == 100)
    #expect(read.samples.allSatisfy { $0.acceleration.x == 0.1 })
  }

  @Test("behind damage in gzip, the next member is found wherever the bytes are cut")
  func damagedGzip() {
    let first = gzip(Array(("t,x,y,z\n" + plainRows(100)).utf8))
    let second = gzip(Array(plainRows(100, from: 100).utf8))
    let garbage: [UInt8] = [7, 0x1F, 0x1F, 0x8B, 0x1F]
    let read = Self.read(first + garbage + second, RecordingOptions(unit: .g))
    #expect(read.samples.count == 200)
    #expect(read.warnings.count == 1)
  }

  @Test("a unit that is found late converts each sample alike")
  func lateUnit() {
    // Linear acceleration in m/s²: quiet at first, then a walk.
    let rows = (0..<2000).map { index in
      let size = index < 400 ? 0.02 : 9.0
      let value = Double(index * 7919 % 1000) / 500 - 1
      return "\(Double(index) / 50),\(value * size),\(-value * size / 3),\(value * size / 7)\n"
    }
    let read = Self.read(Array(("t,x,y,z\n" + rows.joined()).utf8))
    #expect(read.summary.unit == .metresPerSecondSquared)
    #expect(read.samples.count == 2000)
  }

  @Test("a date and two numbers are no three axes, whatever the later rows contain")
  func date() {
    let rows = (0..<100).map { $0 < 10 ? "2026-05-06T10:00:0\($0)Z,0.1,0.9\n" : "0.\($0),0.1,0.9\n" }
    var options = RecordingOptions(unit: .g)
    options.samplingFrequency = SamplingFrequency(hertz: 50)
    #expect(Self.read(Array(rows.joined().utf8), options).error?.code == .tooFewColumns)
  }

  @Test("a text that contains the mark of a tar at its place is no archive")
  func markOfTar() throws {
    let comment = "# a walk\n# " + String(repeating: "-", count: 246) + "ustar\n"
    let text = Array((comment + "t,x,y,z\n" + plainRows(100)).utf8)
    #expect(text[257..<262].elementsEqual("ustar".utf8))
    #expect(Self.read(text, RecordingOptions(unit: .g)).samples.count == 100)
    let folder = try TemporaryDirectory()
    let reader = try RecordingReader(path: try folder.write(text, to: "walk.csv"))
    var samples: [AccelerationSample] = []
    #expect(try reader.read(into: &samples))
    #expect(reader.fractionRead == 1)
  }

  @Test("behind lost bytes, scans are found at the same place")
  func scans() throws {
    let types = [
      ("in_accel_x", "le:s16/16>>0"), ("in_accel_y", "le:s16/16>>0"), ("in_accel_z", "le:s16/16>>0"),
      ("in_timestamp", "le:s64/64>>0"),
    ]
    let elements = try types.enumerated().map { index, type in
      ScanElement(
        name: type.0, index: index, format: try #require(ScanElementFormat(parsing: type.1)), isEnabled: true)
    }
    let axes = types.map { IIOChannel(name: $0.0, scale: 0.0098) }
    let description = ScanDescription(
      name: "lab", elements: elements, channels: IIOAccelerometerChannels(x: axes[0], y: axes[1], z: axes[2]),
      samplingFrequency: SamplingFrequency(hertz: 50))
    var bytes = (0..<200).flatMap { index in
      // One of the first is damaged.
      let stamp = index == 3 ? 0 : 1_000_000_000_000 + Int64(index) * 20_000_000
      return description.layout.bytes(["in_accel_z": 1000, "in_timestamp": stamp])
    }
    bytes.removeSubrange(500..<503)
    // Longer than the part that is searched at a time.
    bytes.replaceSubrange(1600..<2300, with: repeatElement(0xA5, count: 700))
    var options = RecordingOptions()
    options.scans = [description]
    let read = Self.read(bytes, options)
    #expect((150...155).contains(read.samples.count))
  }

  @Test("a Matrix recording is recognised below a remark")
  func remark() {
    var writer = MatrixWriter()
    writer.addPacket(from: 0, to: 10, samples: 128)
    var bytes = writer.bytes
    bytes.replaceSubrange(0..<6, with: "Ann\n7\n".utf8)
    #expect(Self.read(bytes).samples.count == 128)
  }
}
