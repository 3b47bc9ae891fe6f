import Accelerometry
import Platform
import TestSupport
import Testing

@testable import Recordings

/// 2020-01-01T00:00 in nanoseconds since 1970.
private let newYear2020: Int64 = 1_577_836_800_000_000_000

private func g(_ counts: SIMD3<Int>, _ scale: Double) -> SIMD3<Float> {
  SIMD3<Float>(Float(Double(counts.x) / scale), Float(Double(counts.y) / scale), Float(Double(counts.z) / scale))
}

extension ReadRecording {
  /// Whether the samples are those of the writer with these indices, in order.
  fileprivate func holds(_ indices: some Collection<Int>, scale: Double, counts: (Int) -> SIMD3<Int>) -> Bool {
    samples.count == indices.count
      && zip(samples, indices).allSatisfy { sample, index in
        let difference = sample.acceleration - g(counts(index), scale)
        return abs(difference.x) < 0.0005 && abs(difference.y) < 0.0005 && abs(difference.z) < 0.0005
      }
  }

  /// The largest difference from these times since the first sample, in seconds.
  fileprivate func timeError(_ times: [Double]) -> Double {
    guard let first = samples.first?.nanoseconds, let origin = times.first else { return .infinity }
    return zip(samples, times).map { abs(Double($0.nanoseconds - first) * 1e-9 - ($1 - origin)) }.max() ?? .infinity
  }
}

@Suite("Axivity CWA", .timeLimit(.minutes(30)))
struct CWATests {
  @Test("every sample layout is read to the last sample and value", arguments: CWAWriter.Layout.allCases)
  func layouts(_ layout: CWAWriter.Layout) {
    var writer = CWAWriter(layout, start: 3600)
    writer.add(blocks: 9)
    let read = ReadRecording(writer.bytes)
    #expect(read.holds(0..<9 * writer.samplesOfBlock, scale: CWAWriter.scale) { writer.counts($0) })
    #expect(read.warnings == [])
    #expect(read.summary.format == .cwa)
    #expect(read.summary.device?.model == (layout == .sixAxes ? "AX6" : "AX3"))
    // The high word makes a serial number of more than 16 bits.
    #expect(read.summary.device?.serial == "\(4242 + 65_536)")
    #expect(abs(read.samples[0].nanoseconds - newYear2020 - 3_600_000_000_000) < 2_000_000)
  }

  @Test("times follow the actual rate, not the stated rate", arguments: [97.5, 98.87, 100, 102.2])
  func realRate(_ rate: Double) {
    var writer = CWAWriter(rate: rate)
    writer.add(blocks: 40)
    let read = ReadRecording(writer.bytes)
    #expect(read.samples.count == 3200)
    // The first and the last block are dated with the nominal frequency.
    let inner = 100..<3000
    let first = read.samples[100].nanoseconds
    var worst = 0.0
    for index in inner {
      let elapsed = Double(read.samples[index].nanoseconds - first) * 1e-9
      worst = max(worst, abs(elapsed - Double(index - 100) / rate))
    }
    #expect(worst < 0.0002)
  }

  @Test("a wrong checksum loses only its block, and the other blocks keep their times")
  func wrongChecksum() {
    var writer = CWAWriter(rate: 98)
    writer.add(blocks: 20)
    var bytes = writer.bytes
    bytes[CWAWriter.headerSize + 5 * CWAWriter.blockSize + 100] ^= 0x10
    let read = ReadRecording(bytes)
    let kept = Array(0..<400) + Array(480..<1600)
    #expect(read.holds(kept, scale: CWAWriter.scale) { writer.counts($0) })
    #expect(read.timeError(kept.map { writer.time($0) }) < 0.03)
    #expect(read.summary.damagedParts == 1)
    #expect(read.warnings.count == 1 && read.warnings[0].contains("wrong checksum in block 6 at byte 3584"))
  }

  @Test("lost bytes shift all later blocks, but lose only one")
  func lostBytes() {
    var writer = CWAWriter()
    writer.add(blocks: 20)
    var bytes = writer.bytes
    let place = CWAWriter.headerSize + 5 * CWAWriter.blockSize + 100
    bytes.removeSubrange(place..<place + 37)
    let read = ReadRecording(bytes)
    #expect(read.holds(Array(0..<400) + Array(480..<1600), scale: CWAWriter.scale) { writer.counts($0) })
    #expect(read.warnings.count == 1)
  }

  @Test("stray bytes lose no block")
  func insertedBytes() {
    var writer = CWAWriter()
    writer.add(blocks: 8)
    var bytes = writer.bytes
    bytes.insert(contentsOf: [1, 2, 3, 4, 5], at: CWAWriter.headerSize + 3 * CWAWriter.blockSize)
    let read = ReadRecording(bytes)
    #expect(read.samples.count == 640)
    #expect(read.warnings.count == 1 && read.warnings[0].hasPrefix("5 bytes"))
  }

  @Test("erased memory is a gap in the middle and ignored at the end")
  func erased() {
    var writer = CWAWriter()
    writer.add(blocks: 10)
    var bytes = writer.bytes
    for i in 0..<CWAWriter.blockSize { bytes[CWAWriter.headerSize + 4 * CWAWriter.blockSize + i] = 0xFF }
    let middle = ReadRecording(bytes)
    #expect(middle.samples.count == 720)
    #expect(middle.warnings.count == 1 && middle.warnings[0].contains("erased memory in block 5"))
    let end = ReadRecording(writer.bytes + [UInt8](repeating: 0xFF, count: 5120))
    #expect(end.samples.count == 800)
    #expect(end.warnings == [])
  }

  @Test("a restart after a pause is a gap, not damage")
  func resumed() {
    var writer = CWAWriter()
    writer.add(blocks: 4)
    writer.skip(blocks: 100, restartsSequence: true)
    writer.add(blocks: 4)
    let read = ReadRecording(writer.bytes)
    #expect(read.samples.count == 640)
    #expect(read.summary.gaps == 1)
    #expect(read.summary.damagedParts == 0)
    #expect(abs(read.summary.gapDuration / .seconds(1) - 80) < 0.1)
  }

  @Test("blocks are read without a readable header")
  func damagedHeader() {
    var writer = CWAWriter()
    writer.add(blocks: 3)
    let body = Array(writer.bytes[CWAWriter.headerSize...])
    #expect(ReadRecording(body).samples.count == 240)
    let erased = ReadRecording([UInt8](repeating: 0, count: CWAWriter.headerSize) + body)
    #expect(erased.samples.count == 240)
    #expect(erased.warnings.count == 1)
  }

  @Test("a recording reads the same from a pipe, in pieces, and compressed")
  func pieces() {
    var writer = CWAWriter()
    writer.add(blocks: 12)
    let whole = ReadRecording(writer.bytes)
    for pieces in [1, 7, 60] {
      let read = ReadRecording(writer.bytes, pieces: pieces)
      #expect(read.samples == whole.samples)
      #expect(read.warnings == whole.warnings)
    }
    #expect(ReadRecording(gzip(writer.bytes)).samples == whole.samples)
  }

  @Test("damaged bytes lose at most their own blocks")
  func anyDamage() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<60 {
      var writer = CWAWriter(CWAWriter.Layout.allCases.randomElement(using: &generator) ?? .packed)
      writer.add(blocks: 16)
      var bytes = writer.bytes
      let place = Int.random(in: CWAWriter.headerSize..<bytes.count, using: &generator)
      if Bool.random(using: &generator) {
        bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      } else {
        bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...600, using: &generator)))
      }
      let read = ReadRecording(bytes)
      #expect(read.samples.count >= 13 * writer.samplesOfBlock, "byte \(place)")
      #expect(!read.warnings.isEmpty, "byte \(place)")
    }
  }
}

@Suite("ActiGraph GT3X", .timeLimit(.minutes(30)))
struct GT3XTests {
  private static func log(_ activity: GT3XWriter.Activity, seconds: Int = 10) -> GT3XWriter {
    var writer = GT3XWriter()
    writer.add(type: 6, second: 0, Array("{\"MetadataType\":\"Bio\"}".utf8))
    for second in 0..<seconds {
      writer.add(activity, second: second)
      writer.add(type: 2, second: second, [0x10, 0x0E])
    }
    return writer
  }

  @Test("every type of activity record is read", arguments: GT3XWriter.Activity.allCases)
  func kinds(_ activity: GT3XWriter.Activity) {
    let read = ReadRecording(Self.log(activity).bytes())
    #expect(read.holds(0..<300, scale: 256) { DumpSamples.counts($0) })
    #expect(read.timeError((0..<300).map { Double($0) / 30 }) < 1e-6)
    #expect(read.warnings == [])
    #expect(read.summary.format == .gt3x)
    #expect(read.summary.utcOffset == -5 * 3600)
    #expect(read.summary.clockText(of: read.samples[0].nanoseconds) == "2024-01-01T00:00:00-05:00")
  }

  @Test("idle sleep is a gap, and socket events are not samples")
  func idleSleep() {
    var writer = GT3XWriter()
    for second in 0..<5 { writer.add(.packed, second: second) }
    writer.add(type: 3, second: 5, [8])
    writer.add(type: 27, second: 5, [1])
    writer.add(type: 3, second: 60, [9])
    for second in 60..<65 { writer.add(.packed, second: second) }
    let read = ReadRecording(writer.bytes())
    #expect(read.samples.count == 300)
    #expect(read.summary.gaps == 1)
    #expect(read.warnings == [])
  }

  @Test("a record with a wrong checksum, a wrong length or lost bytes loses one second")
  func damage() {
    let writer = Self.log(.packed)
    let place = writer.places[9]
    var flipped = writer.log
    flipped[place + 40] ^= 1
    var lengthened = writer.log
    lengthened[place + 7] = 0x30
    var shortened = writer.log
    shortened.removeSubrange(place + 30..<place + 43)
    for log in [flipped, lengthened, shortened] {
      let read = ReadRecording(writer.bytes(log: log))
      #expect(read.holds(Array(0..<120) + Array(150..<300), scale: 256) { DumpSamples.counts($0) })
      #expect(read.summary.damagedParts == 1)
      #expect(read.warnings.count == 1 && read.warnings[0].contains("record 10"))
    }
  }

  @Test("zeros after the last record are padding")
  func padding() {
    let writer = Self.log(.wide, seconds: 3)
    let read = ReadRecording(writer.bytes(log: writer.log + [UInt8](repeating: 0, count: 700)))
    #expect(read.samples.count == 90)
    #expect(read.warnings == [])
  }

  @Test("a truncated archive is read to its end, and missing settings are derived from the records")
  func cutArchive() {
    var writer = Self.log(.packed)
    // 256 in the device's encoding: 0.5 and an exponent of 9.
    var parameters = GT3XWriter()
    parameters.add(type: 21, second: 0, [0, 0, 55, 0, 0, 0, 0x40, 9])
    writer = Self.log(.packed)
    let archive = writer.bytes(log: parameters.log + writer.log, isCut: true)
    let read = ReadRecording(Array(archive.dropLast(100)))
    #expect(read.samples.count >= 270)
    #expect(read.holds(0..<read.samples.count, scale: 256) { DumpSamples.counts($0) })
    #expect(!read.warnings.isEmpty)
  }

  @Test("version 1 stores its samples without record framing")
  func version1() {
    let counts = (0..<333).map { DumpSamples.counts($0) }.map { SIMD3($0.y, $0.x, $0.z) }
    var zip = ZipWriter()
    zip.add("activity.bin", GT3XWriter.packed(counts))
    zip.add("info.txt", GT3XWriter.info(serial: "NEO1C00000001", scale: nil))
    let read = ReadRecording(zip.bytes())
    #expect(read.holds(0..<333, scale: 341) { DumpSamples.counts($0) })
    #expect(read.timeError((0..<333).map { Double($0) / 30 }) < 1e-6)
    #expect(ReadRecording(zip.bytes(), pieces: 20).samples == read.samples)
  }

  @Test("impossible numbers in info.txt are not used")
  func information() {
    let largest = Int64.max
    let info = GT3XInfo(
      Array("Start Date: \(largest)\nTimeZone: 1:\(largest)\nAcceleration Max: inf\nSample Rate: nan\n".utf8))
    #expect(info.start == nil && info.utcOffset == nil && info.device.range == nil && info.rate == nil)
    let possible = GT3XInfo(Array("Start Date: 621355968000000010\nTimeZone: -05:30:00\nAcceleration Max: 8.0\n".utf8))
    #expect(possible.start == 1000 && possible.utcOffset == -19_800 && possible.device.range == 8)
  }
}

@Suite("A window of a dump", .timeLimit(.minutes(30)))
struct DumpWindowTests {
  private func read(_ bytes: [UInt8], from start: String) throws -> ReadRecording {
    ReadRecording(bytes, RecordingOptions(window: try TimeWindow(start: start, end: nil)))
  }

  @Test("without a stated zone, a window's zone is taken as that of the device's clock, with a warning")
  func unknownZone() throws {
    var writer = CWAWriter()
    writer.add(blocks: 20)
    let typed = try read(writer.bytes, from: "2020-01-01T00:00:05+02:00")
    let plain = try read(writer.bytes, from: "2020-01-01T00:00:05")
    #expect(typed.samples == plain.samples)
    let start = try #require(plain.samples.first?.nanoseconds) - newYear2020
    #expect((5_000_000_000...5_010_000_000).contains(start))
    #expect(plain.warnings.isEmpty)
    #expect(typed.warnings.count == 1 && typed.warnings[0].contains("time zone"))
    // With the zone of the device's clock, it is the moment there.
    var options = RecordingOptions(window: try TimeWindow(start: "2019-12-31T22:00:05Z", end: nil))
    options.zone = RecordingZone(name: "+02:00") { _ in 7200 }
    let zoned = ReadRecording(writer.bytes, options)
    #expect(zoned.samples == plain.samples && zoned.warnings.isEmpty)
  }

  @Test("if the recording states its zone, times in other zones are converted")
  func statedZone() throws {
    var writer = GT3XWriter()
    for second in 0..<10 { writer.add(.packed, second: second) }
    // The device is five hours behind UTC.
    let read = try read(writer.bytes(), from: "2024-01-01T06:00:05+01:00")
    #expect(read.samples.count == 150)
    #expect(read.warnings.isEmpty)
  }
}

@Suite("GENEActiv", .timeLimit(.minutes(30)))
struct GENEActivTests {
  private static func recording(pages: Int = 4) -> GENEActivWriter {
    var writer = GENEActivWriter()
    for page in 0..<pages { writer.addPage(at: ["10:000", "13:500", "17:000", "20:500"][page]) }
    return writer
  }

  /// Pages are half a second longer than their samples at the stated frequency.
  private static let times: [Double] = (0..<1200).map { (index: Int) -> Double in
    let (page, place) = index.quotientAndRemainder(dividingBy: 300)
    return Double(page) * 3.5 + Double(place) / 85.7
  }

  @Test("pages use their own times, and values the calibration")
  func pages() {
    let read = ReadRecording(Self.recording().bytes)
    #expect(read.holds(0..<1200, scale: GENEActivWriter.scale) { DumpSamples.counts($0) })
    #expect(read.timeError(Self.times) < 0.001)
    #expect(read.warnings == [])
    #expect(read.summary.device?.serial == "012345")
    #expect(read.summary.clockText(of: read.samples[0].nanoseconds) == "2013-05-30T10:12:10+01:00")
  }

  @Test("complete samples of a truncated page are read")
  func cutPage() {
    var writer = Self.recording(pages: 2)
    writer.addPage(at: "17:000", digits: 2781)
    let read = ReadRecording(writer.bytes)
    #expect(read.holds(0..<831, scale: 256) { DumpSamples.counts($0) })
    #expect(read.warnings.count == 1 && read.warnings[0].contains("page 3"))
  }

  @Test("a lost line loses nothing that the surrounding pages state")
  func lostLine() {
    for line in ["Page Time:2013-05-30 10:12:13:500\r\n", "Unassigned:\r\n"] {
      let text = Self.recording().text
      guard let range = text.firstRange(of: line) else { continue }
      let read = ReadRecording(text.replacingCharacters(in: range))
      #expect(read.holds(0..<1200, scale: 256) { DumpSamples.counts($0) }, "\(line)")
      #expect(read.timeError(Self.times) < 0.0015)
    }
  }

  @Test("non-digit characters lose the rest of their page")
  func badDigit() {
    var bytes = Self.recording().bytes
    let place = (bytes.firstRange(of: Array("Sequence Number:1".utf8))?.lowerBound ?? 0) + 170 + 12 * 100
    bytes[place] = UInt8(ascii: "Q")
    let read = ReadRecording(bytes)
    #expect(read.samples.count > 930 && read.samples.count < 1200)
    #expect(read.warnings.count == 1 && read.warnings[0].contains("page 2"))
  }

  @Test("digits lost in the middle of a page lose the page")
  func lostDigits() {
    var bytes = Self.recording().bytes
    let place = (bytes.firstRange(of: Array("Sequence Number:1".utf8))?.lowerBound ?? 0) + 170 + 12 * 100
    bytes.removeSubrange(place..<place + 5)
    let read = ReadRecording(bytes)
    #expect(read.holds(Array(0..<300) + Array(600..<1200), scale: 256) { DumpSamples.counts($0) })
    #expect(read.warnings.count == 1)
  }

  @Test("a missing calibration is rejected by name")
  func noCalibration() {
    let text = Self.recording().text.split(separator: "\r\n").filter { !$0.hasSuffix("gain:25600") }
    let read = ReadRecording(text.joined(separator: "\r\n"))
    #expect(read.error?.description.contains("GENEActiv") == true)
    #expect(read.error?.kind == .badData)
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>) -> String {
    String(self[..<range.lowerBound] + self[range.upperBound...])
  }
}

@Suite("Matrix", .timeLimit(.minutes(30)))
struct MatrixTests {
  private static func recording() -> MatrixWriter {
    var writer = MatrixWriter()
    writer.addPacket(from: 0, to: 10, samples: 128)
    writer.addPacket(from: 11, to: 20, samples: 125)
    writer.addPacket(from: 20, to: 30, samples: 128, gyroscope: 9)
    return writer
  }

  @Test("samples are evenly spaced between the ends of their packet")
  func packets() {
    let read = ReadRecording(Self.recording().bytes)
    #expect(read.holds(0..<381, scale: 512) { DumpSamples.counts($0) })
    // A packet that begins a second after the last end begins there.
    var times: [Double] = []
    for (start, count) in [(0.0, 128), (10, 125), (20, 128)] {
      for index in 0..<count { times.append(start + Double(index) * 10 / Double(count)) }
    }
    #expect(read.timeError(times) < 1e-6)
    #expect(read.summary.gaps == 0)
    #expect(read.warnings == [])
  }

  @Test("a wrong checksum or lost bytes lose only their packet")
  func damage() {
    let writer = Self.recording()
    var flipped = writer.bytes
    flipped[writer.places[1] + 100] ^= 1
    var shortened = writer.bytes
    shortened.removeSubrange(writer.places[1] + 100..<writer.places[1] + 103)
    for bytes in [flipped, shortened] {
      let read = ReadRecording(bytes)
      #expect(read.holds(Array(0..<128) + Array(253..<381), scale: 512) { DumpSamples.counts($0) })
      #expect(read.warnings.count == 1 && read.warnings[0].contains("packet 2"))
    }
  }

  @Test("lost bytes in remarks do not matter, a lost header does")
  func header() {
    var moved = MatrixWriter(remarks: 509)
    moved.addPacket(from: 0, to: 10, samples: 128)
    #expect(ReadRecording(moved.bytes).samples.count == 128)
    var gone = Self.recording().bytes
    gone.replaceSubrange(512..<524, with: [UInt8](repeating: 0, count: 12))
    let read = ReadRecording(gone)
    #expect(read.samples.isEmpty)
    #expect(read.error?.description.contains("Matrix") == true)
  }

  @Test(
    "the header of another recording that follows is not used, however the bytes arrive", arguments: [100, 100_000])
  func laterHeader(pieces: Int) {
    var gone = Self.recording().bytes
    gone.replaceSubrange(512..<524, with: [UInt8](repeating: 0, count: 12))
    let read = ReadRecording(gone + MatrixWriter(range: 2).bytes + Self.recording().bytes[524...], pieces: pieces)
    #expect(read.samples.isEmpty)
    #expect(read.error?.description.contains("header") == true)
  }
}
