import Accelerometry
import IIOScans
import Platform
import TestSupport
import Testing

@testable import Recordings

/// A raw recording of a sensor with one of several layouts.
private struct ScanDump {
  var description: ScanDescription
  var scans: [[UInt8]] = []
  /// The samples in the scans.
  var samples: [AccelerationSample] = []

  static let start: Int64 = 1_000_000_000_000
  static let period: Int64 = 20_000_000

  /// - Parameters:
  ///   - types: names and types of x, y, z and further channels, in the order of the scan.
  ///   - jitter: whether the scans are slightly uneven.
  init(_ types: [(String, String)], count: Int = 200, jitter: Bool = true, hertz: Double? = 50) throws {
    let elements = try types.enumerated().map { index, named in
      ScanElement(
        name: named.0, index: index, format: try #require(ScanElementFormat(parsing: named.1)), isEnabled: true)
    }
    let channel = { (axis: String) in IIOChannel(name: "in_accel_\(axis)", scale: 0.0098, offset: axis == "y" ? 3 : 0) }
    description = ScanDescription(
      name: "lab", elements: elements,
      channels: IIOAccelerometerChannels(x: channel("x"), y: channel("y"), z: channel("z")),
      mountMatrix: try #require(MountMatrix(parsing: "0, 1, 0; -1, 0, 0; 0, 0, 1")),
      samplingFrequency: hertz.flatMap { SamplingFrequency(hertz: $0) }, clockName: "boottime")
    let decoder = try #require(description.decoder)
    for index in 0..<count {
      let wobble = jitter ? Int64(index * 7919 % 6_000_000) - 3_000_000 : 0
      let values: [String: Int64] = [
        "in_accel_x": Int64(index % 90), "in_accel_y": Int64(-(index % 50)), "in_accel_z": Int64(100 + index % 20),
        "in_timestamp": Self.start + Int64(index) * Self.period + wobble,
      ]
      scans.append(description.layout.bytes(values))
    }
    unsafe decoder.decode(bytes.span.bytes, into: &samples)
  }

  var bytes: [UInt8] { scans.flatMap { $0 } }
  var size: Int { description.layout.size }

  var options: RecordingOptions {
    var options = RecordingOptions()
    options.scans = [description]
    return options
  }
}

private let hub = [
  ("in_accel_x", "le:s16/32>>0"), ("in_accel_y", "le:s16/32>>0"), ("in_accel_z", "le:s16/32>>0"),
  ("in_timestamp", "le:s64/64>>0"),
]

/// Layouts of real drivers and others that the ABI allows.
private let scanLayouts: [[(String, String)]] = [
  hub,
  [
    ("in_accel_x", "le:s12/16>>4"), ("in_accel_y", "le:s12/16>>4"), ("in_accel_z", "le:s12/16>>4"),
    ("in_timestamp", "le:s64/64>>0"),
  ],
  [
    ("in_accel_x", "be:s16/16>>0"), ("in_accel_y", "be:s16/16>>0"), ("in_accel_z", "be:s16/16>>0"),
    ("in_temp", "be:s16/16>>0"), ("in_anglvel_x", "be:s16/16>>0"), ("in_anglvel_y", "be:s16/16>>0"),
    ("in_anglvel_z", "be:s16/16>>0"), ("in_timestamp", "le:s64/64>>0"),
  ],
  [
    ("in_illuminance", "le:u24/32>>8"), ("in_accel_x", "le:s8/8>>0"), ("in_accel_y", "le:s8/8>>0"),
    ("in_accel_z", "le:s8/8>>0"), ("in_timestamp", "be:s64/64>>0"),
  ],
  [
    ("in_timestamp", "le:s64/64>>0"), ("in_accel_x", "le:s20/32>>4"), ("in_accel_y", "be:u14/16>>1"),
    ("in_rot_quaternion", "le:s16/16X4>>0"), ("in_accel_z", "le:s64/64>>0"),
  ],
]

@Suite("Raw scans of an IIO buffer", .timeLimit(.minutes(30)))
struct ScanDumpTests {
  @Test("every layout is read to the last sample, as live reading decodes it", arguments: 0..<scanLayouts.count)
  func everyLayout(_ index: Int) throws {
    let dump = try ScanDump(scanLayouts[index])
    for read in [ReadRecording(dump.bytes, dump.options), ReadRecording(dump.bytes, pieces: 13, dump.options)] {
      #expect(read.samples == dump.samples)
      #expect(read.error == nil && read.warnings == [])
      #expect(read.summary.format == .iio && !read.summary.timestampsAreAbsolute)
    }
  }

  @Test("an incomplete last scan is skipped and reported")
  func torn() throws {
    let dump = try ScanDump(hub)
    let read = ReadRecording(Array(dump.bytes.dropLast(5)), dump.options)
    #expect(read.samples == Array(dump.samples.dropLast()))
    #expect(read.warnings.count == 1 && read.warnings[0].contains("scan 200 at byte 4776"))
  }

  @Test(
    "lost bytes lose only their scan, wherever and however many they are",
    arguments: [1, 2, 3, 4, 7, 8, 11, 15, 16, 20, 23])
  func lostBytes(_ count: Int) throws {
    for layout in [hub, scanLayouts[1]] {
      let dump = try ScanDump(layout)
      var bytes = dump.bytes
      let place = 100 * dump.size + 5
      bytes.removeSubrange(place..<place + count)
      let read = ReadRecording(bytes, dump.options)
      let lost = (count + 5 + dump.size - 1) / dump.size
      // The bytes before the loss may form a scan with those after it: its time is right, its values may be wrong.
      #expect(read.samples.prefix(100) == dump.samples.prefix(100))
      #expect(read.samples.suffix(99 - lost) == dump.samples.suffix(99 - lost))
      #expect(read.samples.count <= 200 - lost + 1)
      // A missing complete scan only leaves a longer step.
      #expect(count == dump.size || read.warnings.contains { $0.contains("outside of any sample") })
    }
  }

  @Test("stray bytes lose no scan")
  func addedBytes() throws {
    let dump = try ScanDump(hub)
    var bytes = dump.bytes
    bytes.insert(contentsOf: [9, 9, 9, 9, 9], at: 50 * dump.size)
    let read = ReadRecording(bytes, dump.options)
    #expect(read.samples == dump.samples)
    #expect(read.warnings.count == 1 && read.warnings[0].hasPrefix("5 bytes"))
  }

  @Test("the beginning of the first scan may be missing")
  func tornStart() throws {
    let dump = try ScanDump(hub)
    let read = ReadRecording(Array(dump.bytes.dropFirst(10)), dump.options)
    #expect(read.samples.suffix(199) == dump.samples.suffix(199))
    #expect(read.warnings.count == 1 && read.warnings[0].hasPrefix("14 bytes"))
  }

  @Test("after random damage, times increase and most scans are read")
  func damage() throws {
    var random = SplitMix64(seed: 11)
    for round in 0..<200 {
      let dump = try ScanDump(scanLayouts[round % 4])
      var bytes = dump.bytes
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count - 40, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.removeSubrange(place..<place + Int.random(in: 1...40, using: &random))
        case 1: bytes.insert(contentsOf: (0..<9).map { _ in UInt8.random(in: 0...255, using: &random) }, at: place)
        default: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
        }
      }
      let read = ReadRecording(bytes, dump.options)
      #expect(zip(read.nanoseconds, read.nanoseconds.dropFirst()).allSatisfy { $0 < $1 })
      #expect(read.samples.count >= 180 && read.samples.count <= 201, "\(read.warnings)")
      #expect(Set(read.samples).intersection(dump.samples).count >= 180, "\(read.warnings)")
    }
  }

  @Test("a pause is a gap, not damage")
  func pause() throws {
    let dump = try ScanDump(hub)
    let read = ReadRecording(dump.scans[..<60].flatMap { $0 } + dump.scans[140...].flatMap { $0 }, dump.options)
    #expect(read.samples == Array(dump.samples[..<60] + dump.samples[140...]))
    #expect(read.summary.gaps == 1 && read.warnings == [])
  }

  @Test("without timestamps, samples are spaced by the stated sampling frequency; without one they are refused")
  func unstamped() throws {
    let dump = try ScanDump(Array(hub.prefix(3)), hertz: nil)
    let refused = ReadRecording(dump.bytes, dump.options)
    #expect(refused.error?.kind == .badData && "\(refused.error!)".contains("\(RecordingOption.rate)"))
    var options = dump.options
    options.samplingFrequency = SamplingFrequency(hertz: 40)
    let read = ReadRecording(dump.bytes, options)
    #expect(read.samples.map(\.acceleration) == dump.samples.map(\.acceleration))
    #expect(read.nanoseconds == (0..<200).map { Int64($0) * 25_000_000 })
  }

  @Test("timestamps of 0 are replaced by the sampling frequency, with a warning")
  func standing() throws {
    var dump = try ScanDump(hub)
    dump.scans = (0..<200).map { dump.description.layout.bytes(["in_accel_x": Int64($0), "in_timestamp": 0]) }
    let read = ReadRecording(dump.bytes, dump.options)
    #expect(read.nanoseconds == (0..<200).map { Int64($0) * 20_000_000 })
    #expect(read.warnings.count == 1 && read.warnings[0].contains("evenly at 50 Hz"))
  }

  @Test("of several layouts, the one with rising timestamps is used", arguments: [0, 1, 2])
  func candidates(_ wanted: Int) throws {
    var all = try ScanDump(scanLayouts[2]).description
    for index in all.elements.indices { all.elements[index].isEnabled = false }
    let kept: Set<String> =
      wanted == 1
      ? Set(scanLayouts[2].map(\.0)) : ["in_accel_x", "in_accel_y", "in_accel_z", "in_timestamp"]
    var dump = try ScanDump(scanLayouts[2].filter { kept.contains($0.0) }, count: 0)
    dump.description.isPacked = wanted == 2
    let layout = dump.description.layout
    #expect(layout.size == [16, 24, 14][wanted])
    var bytes: [UInt8] = []
    for index in 0..<100 {
      bytes += layout.bytes([
        "in_accel_x": Int64(index), "in_accel_y": -3, "in_accel_z": 7,
        "in_timestamp": ScanDump.start + Int64(index) * ScanDump.period,
      ])
    }
    var options = RecordingOptions()
    options.scans = all.candidates
    let read = ReadRecording(bytes, options)
    #expect(read.samples.count == 100 && read.warnings == [])
    #expect(read.nanoseconds.last == ScanDump.start + 99 * ScanDump.period)
  }

  @Test("scans of another layout are refused, not counted")
  func wrongLayout() throws {
    let dump = try ScanDump(scanLayouts[2])
    var options = RecordingOptions()
    options.scans = [try ScanDump(scanLayouts[1]).description]
    let read = ReadRecording(Array(dump.bytes.prefix(dump.size * 50)), options)
    #expect(read.samples.isEmpty)
    #expect(read.error?.kind == .badData && "\(read.error!)".contains("scan_elements"))
  }

  @Test("scans without a description are refused with the remedy", arguments: [0, 1, 2, 4])
  func unknown(_ index: Int) throws {
    let dump = try ScanDump(scanLayouts[index])
    let read = ReadRecording(dump.bytes)
    #expect(read.samples.isEmpty)
    #expect(read.error?.kind == .badData && "\(read.error!)".contains("\(RecordingOption.scans)"))
  }
}
