/// An ActiGraph recording: the records of a `log.bin`, or the samples of an `activity.bin`, and the zip archive.
public struct GT3XWriter {
  /// The format of samples in an activity record.
  public enum Activity: UInt8, Sendable, CaseIterable {
    /// 12 bits, y before x.
    case packedYXZ = 0
    /// 16 bits.
    case wide = 26
    /// 12 bits.
    case packed = 27
  }

  /// The records so far.
  public private(set) var log: [UInt8] = []
  /// The position of each record.
  public private(set) var places: [Int] = []
  private var samples = 0
  private let rate: Int

  /// 2024-01-01T00:00 in seconds since 1970.
  public static let start = 1_704_067_200
  /// Counts per g.
  public static let scale = 256.0

  /// Starts a log.
  public init(rate: Int = 30) { self.rate = rate }

  /// Adds a record of any type.
  public mutating func add(type: UInt8, second: Int, _ payload: [UInt8]) {
    places.append(log.count)
    var record = DumpBuilder()
    record.add(UInt8(0x1E))
    record.add(type)
    record.add(UInt32(Self.start + second))
    record.add(UInt16(payload.count))
    record.bytes += payload
    record.add(~record.bytes.reduce(0, ^))
    log += record.bytes
  }

  /// Adds a second of samples.
  public mutating func add(_ activity: Activity, second: Int) {
    let counts = (samples..<samples + rate).map { DumpSamples.counts($0) }
    samples += rate
    switch activity {
    case .wide:
      var payload = DumpBuilder()
      for sample in counts { for axis in 0..<3 { payload.add(Int16(sample[axis])) } }
      add(type: activity.rawValue, second: second, payload.bytes)
    case .packed: add(type: activity.rawValue, second: second, Self.packed(counts))
    case .packedYXZ:
      add(type: activity.rawValue, second: second, Self.packed(counts.map { SIMD3($0.y, $0.x, $0.z) }))
    }
  }

  /// 12-bit numbers without padding.
  public static func packed(_ samples: [SIMD3<Int>]) -> [UInt8] {
    var nibbles: [UInt8] = []
    for sample in samples {
      for axis in 0..<3 { for shift in [8, 4, 0] { nibbles.append(UInt8(sample[axis] >> shift & 15)) } }
    }
    if !nibbles.count.isMultiple(of: 2) { nibbles.append(0) }
    return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
  }

  /// `info.txt`.
  public static func info(rate: Int = 30, serial: String = "TAS1E00000001", scale: String? = "256.0") -> [UInt8] {
    let ticks = (start + 62_135_596_800) * 10_000_000
    var text = "\u{FEFF}Serial Number: \(serial)\r\nDevice Type: Link\r\nFirmware: 1.7.2\r\nSample Rate: \(rate)\r\n"
    text += "Start Date: \(ticks)\r\nStop Date: 0\r\nTimeZone: -05:00:00\r\n"
    if let scale { text += "Acceleration Scale: \(scale)\r\n" }
    return Array(text.utf8)
  }

  /// The archive with a log.
  public func bytes(log: [UInt8]? = nil, isCut: Bool = false) -> [UInt8] {
    var zip = ZipWriter()
    zip.add("epoch.bin", [1, 2, 3])
    if !isCut { zip.add("info.txt", Self.info(rate: rate)) }
    zip.add("log.bin", log ?? self.log)
    return zip.bytes(isCut: isCut)
  }
}
