/// A GENEActiv recording: a header and pages of hexadecimal digits.
public struct GENEActivWriter {
  /// The lines of the pages so far.
  public private(set) var text: String
  private var samples = 0
  private var pages = 0
  private let rate: String

  /// Starts with a header; a gain of 25600 and an offset of 0 give 256 counts per g.
  public init(rate: String = "85.7") {
    self.rate = rate
    text = "Device Identity\r\nDevice Unique Serial Code:012345\r\nDevice Type:GENEActiv\u{0}  \r\n"
    text += "Device Model:1.1\r\nDevice Firmware Version:Ver1.30\r\nCalibration Date:2012-04-03 11:08:52:000\r\n\r\n"
    text += "Accelerometer Range:-8 to 8   \r\nMeasurement Frequency:\(rate) Hz\r\n"
    text += "Start Time:2013-05-30 10:12:49:500\r\nTime Zone:GMT +01:00\r\n\r\nCalibration Data\r\n"
    for axis in ["x", "y", "z"] { text += "\(axis) gain:25600\r\n\(axis) offset:0\r\n" }
    text += "Volts:300\r\nLux:800\r\n\r\nMemory Status\r\nNumber of Pages:222048\r\n\r\n"
  }

  /// Counts per g.
  public static let scale = 256.0

  /// Adds a page of 300 samples that starts at a second of 2013-05-30T10:12, optionally with its time and number.
  public mutating func addPage(at time: String, digits: Int? = nil, statesTime: Bool = true) {
    text += "Recorded Data\r\nDevice Unique Serial Code:012345\r\nSequence Number:\(pages)\r\n"
    if statesTime { text += "Page Time:2013-05-30 10:12:\(time)\r\n" }
    text += "Unassigned:\r\nTemperature:21.5\r\nBattery voltage:4.1\r\nDevice Status:Recording\r\n"
    text += "Measurement Frequency:\(rate)\r\n"
    var line = ""
    for index in samples..<samples + 300 {
      let counts = DumpSamples.counts(index)
      for axis in 0..<3 {
        let hex = String(UInt32(bitPattern: Int32(counts[axis])) & 0xFFF, radix: 16, uppercase: true)
        line += String(repeating: "0", count: 3 - hex.count) + hex
      }
      line += "014"
    }
    samples += 300
    pages += 1
    text += digits.map { String(line.prefix($0)) } ?? line + "\r\n"
  }

  /// The recording.
  public var bytes: [UInt8] { Array(text.utf8) }
}

/// A Matrix recording: packets with their checksums.
public struct MatrixWriter {
  private var builder = DumpBuilder()
  private var samples = 0
  /// The position of each packet.
  public private(set) var places: [Int] = []

  /// 2024-01-01T00:00Z in seconds since 1970.
  public static let start = 1_704_067_200

  /// Starts with 512 bytes of remarks.
  public init(remarks: Int = 512, range: Int = 8) {
    builder.zeros(remarks)
    builder.add("MDTC")
    builder.add(UInt32(1))
    builder.add(UInt16(range))
    builder.add(UInt16(2000))
  }

  /// Adds a packet between two times in seconds since the start.
  public mutating func addPacket(from first: Int, to last: Int, samples count: Int, gyroscope: Int = 3) {
    places.append(builder.bytes.count)
    var packet = DumpBuilder()
    packet.add(UInt32(Self.start + first))
    packet.add(UInt32(Self.start + last))
    for number in [count, gyroscope, 2, 1] { packet.add(UInt32(number)) }
    for index in samples..<samples + count {
      let counts = DumpSamples.counts(index)
      for axis in 0..<3 { packet.add(Int16(counts[axis] * 8)) }
    }
    packet.zeros(gyroscope * 6 + 3 * 4)
    samples += count
    builder.add("MDTCPACK")
    builder.add(DumpSamples.crc32(packet.bytes))
    builder.bytes += packet.bytes
  }

  /// The recording.
  public var bytes: [UInt8] { builder.bytes }
}
