import IIOScans

/// The bytes of a scan of three `le:s16/32>>0` and an `le:s64/64>>0`, as in hid-sensor-accel-3d.
public func scan(_ x: Int16, _ y: Int16, _ z: Int16, _ nanoseconds: Int64) -> [UInt8] {
  var bytes: [UInt8] = []
  for value in [x, y, z] {
    bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8), 0, 0]
  }
  bytes += [0, 0, 0, 0]
  for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: nanoseconds >> shift)) }
  return bytes
}

extension ScanLayout {
  /// The bytes of a scan of this layout; channels without a value, padding and unused bits contain 0xA5.
  public func bytes(_ values: [String: Int64]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xA5, count: size)
    for field in fields {
      guard let value = values[field.name] else { continue }
      let format = field.format
      let count = format.storageBits / 8
      let mask: UInt64 = format.bits == 64 ? .max : (1 << UInt64(format.bits)) - 1
      let noise: UInt64 = 0xA5A5_A5A5_A5A5_A5A5
      let stored = (UInt64(bitPattern: value) & mask) << UInt64(format.shift) | noise & ~(mask << UInt64(format.shift))
      for index in 0..<count {
        let place = format.isBigEndian ? count - 1 - index : index
        bytes[field.offset + place] = UInt8(truncatingIfNeeded: stored >> UInt64(8 * index))
      }
    }
    return bytes
  }
}
