import Accelerometry
import TestSupport
import Testing

@testable import Recordings

/// The bytes of a device with an accelerometer of 8192 counts per g.
private struct InputStream {
  var bytes: [UInt8] = []
  var places: [Int] = []
  let isWide: Bool

  init(isWide: Bool, samples: Int = 100) {
    self.isWide = isWide
    for index in 0..<samples {
      places.append(bytes.count)
      let moment = 1_777_882_500_000_000 + index * 20_000
      add(moment, 3, 0, Int32(index))
      // Axes that did not change have no event.
      if index % 2 == 0 { add(moment, 3, 1, -400) }
      if index == 0 { add(moment, 3, 2, 8192) }
      add(moment, 0, 0, 0)
    }
  }

  mutating func add(_ microseconds: Int, _ type: UInt16, _ code: UInt16, _ value: Int32) {
    for part in [microseconds / 1_000_000, microseconds % 1_000_000] {
      append(UInt32(part))
      if isWide { append(UInt32(0)) }
    }
    append(type)
    append(code)
    append(value)
  }

  private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

@Suite("Raw events of an input device", .timeLimit(.minutes(30)))
struct InputStreamTests {
  @Test("every report is a sample, with 64 and with 32 bits", arguments: [true, false])
  func samples(isWide: Bool) {
    let stream = InputStream(isWide: isWide)
    let read = ReadRecording(stream.bytes, RecordingOptions(unit: .raw(countsPerG: 8192)))
    #expect(read.samples.count == 100)
    #expect(read.samples.first?.nanoseconds == 1_777_882_500_000_000_000)
    #expect(read.samples.last?.nanoseconds == 1_777_882_501_980_000_000)
    #expect(read.samples.last?.acceleration.z == 1)
    #expect(read.samples.last?.acceleration.x == Float(99) / 8192)
    #expect(
      ReadRecording(stream.bytes, pieces: 7, RecordingOptions(unit: .raw(countsPerG: 8192))).samples == read.samples)
  }

  @Test("lost bytes lose only their sample, and are reported", arguments: [true, false])
  func lostBytes(isWide: Bool) {
    let stream = InputStream(isWide: isWide)
    var bytes = stream.bytes
    bytes.removeSubrange(stream.places[50] + 3..<stream.places[50] + 8)
    let read = ReadRecording(bytes, RecordingOptions(unit: .raw(countsPerG: 8192)))
    #expect((97...99).contains(read.samples.count))
    #expect(!read.warnings.isEmpty)
  }

  @Test("lost bytes after the first report change nothing else, however the bytes arrive", arguments: [true, false])
  func earlyLoss(isWide: Bool) {
    let stream = InputStream(isWide: isWide)
    var bytes = stream.bytes
    bytes.removeSubrange(stream.places[9] + 3..<stream.places[9] + 8)
    let options = RecordingOptions(unit: .raw(countsPerG: 8192))
    let read = ReadRecording(bytes, options)
    #expect((96...99).contains(read.samples.count))
    for pieces in [1, 7, 100, 1000] {
      #expect(ReadRecording(bytes, pieces: pieces, options).samples == read.samples, "\(pieces)")
    }
  }

  @Test("after a buffer overrun, events up to the next report are dropped")
  func overrun() {
    var stream = InputStream(isWide: true)
    stream.add(1_777_882_502_000_000, 0, 3, 0)
    stream.add(1_777_882_502_000_000, 3, 0, 5000)
    stream.add(1_777_882_502_000_000, 0, 0, 0)
    stream.add(1_777_882_502_020_000, 3, 0, 7)
    stream.add(1_777_882_502_020_000, 0, 0, 0)
    let read = ReadRecording(stream.bytes, RecordingOptions(unit: .raw(countsPerG: 8192)))
    #expect(read.samples.count == 101)
    #expect(read.samples.last?.acceleration.x == Float(7) / 8192)
  }
}

@Suite("One number per line", .timeLimit(.minutes(30)))
struct FieldAdapterTests {
  private static func text(_ line: (Int) -> String) -> String { (0..<100).map(line).joined() }

  @Test("a ROS 2 message is a sample of its linear acceleration")
  func message() {
    let read = ReadRecording(
      Self.text { index in
        """
        header:
          stamp:
            sec: \(1_777_882_500 + index / 50)
            nanosec: \(index % 50 * 20_000_000)
          frame_id: imu
        angular_velocity:
          x: 5.0
          y: 5.0
          z: 5.0
        linear_acceleration:
          x: 0.\(index)
          y: 0.0
          z: 9.80665
        linear_acceleration_covariance:
        - 0.0
        ---

        """
      })
    #expect(read.samples.count == 100)
    #expect(read.samples.last?.nanoseconds == 1_777_882_501_980_000_000)
    #expect(read.samples.last.map { abs($0.acceleration.z - 1) < 1e-6 } == true)
    #expect(read.samples.last.map { abs($0.acceleration.x - 0.99 / 9.80665) < 1e-6 } == true)
  }

  @Test("Teleplot's lines of the three axes are a sample; those of a gyroscope are not")
  func teleplot() {
    let read = ReadRecording(
      Self.text { index in
        let time = 1000 + index * 20
        return ">gx:\(time):5\n>gy:\(time):5\n>gz:\(time):5\n>ax:\(time):0.\(index)§g\n>ay:\(time):0.0\n>az:\(time):1\n"
      }, RecordingOptions(unit: .g))
    #expect(read.samples.count == 100)
    #expect(read.samples.last?.nanoseconds == 2_980_000_000)
    #expect(read.samples.last?.acceleration == SIMD3(0.99, 0, 1))
  }

  @Test("Teleplot's lines without times require the sampling frequency")
  func teleplotWithoutTime() {
    let read = ReadRecording(Self.text { ">ax:0.\($0)\n>ay:0.1\n>az:1\n" })
    #expect(read.error?.description.contains("\(RecordingOption.rate)") == true)
  }

  @Test("a damaged line is skipped, wherever the bytes before it are cut", arguments: [200, 246, 250, 1000])
  func cutTuple(pieces: Int) {
    let lines = (0..<12).map { index in
      index == 4 ? "(0.08, -0.076, 0.02, 0085, 0.02, 0.98)\n" : "(\(Double(index) / 50), 0.0\(index), 0.02, 0.98)\n"
    }
    let read = ReadRecording(Array(lines.joined().utf8), pieces: pieces, RecordingOptions(unit: .g))
    #expect(read.samples.count == 11)
    #expect(read.samples.last?.acceleration == SIMD3(0.011, 0.02, 0.98))
  }

  @Test("the first of four numbers in parentheses is the time if it rises")
  func tuple() {
    let read = ReadRecording(
      Self.text { "(\(Double($0) / 50), 0.\($0 % 10), 0.0, 1.0)\n" }, RecordingOptions(unit: .g))
    #expect(read.samples.count == 100)
    #expect(read.samples.last?.nanoseconds == 1_980_000_000)
    #expect(read.samples.last?.acceleration == SIMD3(0.9, 0, 1))
  }

  @Test("times that change their unit are refused, or reported if they are few")
  func changingTimes() {
    func read(from change: Int) -> ReadRecording {
      ReadRecording(
        "t,x,y,z\n"
          + (0..<1000).map { "\(Double($0) / 50 * ($0 < change ? 1 : 700)),0.\($0 % 7),0,1\n" }.joined(),
        RecordingOptions(unit: .g))
    }
    #expect(read(from: 500).summary.refusal(path: "w")?.description.contains("\(RecordingOption.columns)") == true)
    #expect(read(from: 960).summary.refusal(path: "w") == nil)
    #expect(read(from: 960).warnings.contains { $0.contains("the unit of the times changes") })
    #expect(read(from: 1000).warnings.isEmpty)
  }
}
