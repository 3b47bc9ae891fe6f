/// Bytes in little-endian order.
public struct DumpBuilder {
  /// The bytes so far.
  public var bytes: [UInt8] = []

  /// Starts empty.
  public init() {}

  mutating func add(_ value: UInt8) { bytes.append(value) }
  mutating func add(_ value: UInt16) {
    for shift in [0, 8] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
  mutating func add(_ value: Int16) { add(UInt16(bitPattern: value)) }
  mutating func add(_ value: UInt32) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
  mutating func add(_ text: String) { bytes += Array(text.utf8) }
  mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

  mutating func put(_ value: UInt16, at place: Int) {
    bytes[place] = UInt8(truncatingIfNeeded: value)
    bytes[place + 1] = UInt8(truncatingIfNeeded: value >> 8)
  }
}

/// Samples in the counts of a device, each distinguishable from its neighbours.
public enum DumpSamples {
  /// x, y and z of a sample, between -limit and limit.
  public static func counts(_ index: Int, limit: Int = 2047) -> SIMD3<Int> {
    SIMD3((index * 7) % limit, -((index * 13) % limit), (index * 29) % (2 * limit) - limit)
  }

  /// CRC-32 of IEEE 802.3, as in zip and Matrix.
  public static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}

/// A zip archive, usually of uncompressed files.
public struct ZipWriter {
  private var local = DumpBuilder()
  private var directory = DumpBuilder()
  private var count: UInt16 = 0

  /// An archive without files.
  public init() {}

  /// Adds a file.
  /// - Parameter deflated: its content as deflate data (RFC 1951), if it is to be compressed.
  public mutating func add(_ name: String, _ bytes: [UInt8], deflated: [UInt8]? = nil) {
    let start = UInt32(local.bytes.count)
    local.add(UInt32(0x0403_4B50))
    header(&local, name, bytes, deflated)
    local.add(name)
    local.bytes += deflated ?? bytes
    directory.add(UInt32(0x0201_4B50))
    directory.add(UInt16(20))
    header(&directory, name, bytes, deflated)
    for _ in 0..<3 { directory.add(UInt16(0)) }
    directory.add(UInt32(0))
    directory.add(start)
    directory.add(name)
    count += 1
  }

  private func header(_ builder: inout DumpBuilder, _ name: String, _ bytes: [UInt8], _ deflated: [UInt8]?) {
    for value: UInt16 in [20, 0, deflated == nil ? 0 : 8, 0, 0x5821] { builder.add(value) }
    builder.add(DumpSamples.crc32(bytes))
    builder.add(UInt32((deflated ?? bytes).count))
    builder.add(UInt32(bytes.count))
    builder.add(UInt16(name.utf8.count))
    builder.add(UInt16(0))
  }

  /// The archive; `isCut` omits the directory at its end.
  public func bytes(isCut: Bool = false) -> [UInt8] {
    if isCut { return local.bytes }
    var end = DumpBuilder()
    end.add(UInt32(0x0605_4B50))
    for value: UInt16 in [0, 0, count, count] { end.add(value) }
    end.add(UInt32(directory.bytes.count))
    end.add(UInt32(local.bytes.count))
    end.add(UInt16(0))
    return local.bytes + directory.bytes + end.bytes
  }
}

/// A tar archive.
public struct TarWriter {
  /// The archive's bytes so far, without the two empty blocks at the end.
  private var builder = DumpBuilder()

  /// An archive without files.
  public init() {}

  /// Adds a file.
  public mutating func add(_ name: String, _ bytes: [UInt8]) {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ place: Int) { header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8) }
    func octal(_ value: Int, _ width: Int) -> String {
      let digits = String(value, radix: 8)
      return String(repeating: "0", count: width - digits.count) + digits
    }
    put(name, 0)
    put(octal(0o644, 7), 100)
    put(octal(0, 7), 108)
    put(octal(0, 7), 116)
    put(octal(bytes.count, 11), 124)
    put(octal(0, 11), 136)
    put("        ", 148)
    put("0", 156)
    put("ustar", 257)
    put("00", 263)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6), 148)
    header[154] = 0
    builder.bytes += header + bytes
    builder.zeros((512 - bytes.count % 512) % 512)
  }

  /// The archive.
  public var bytes: [UInt8] { builder.bytes + [UInt8](repeating: 0, count: 1024) }
}
