import Accelerometry

/// Turns the bytes of scans into samples: raw number, offset, scale, mount matrix, timestamp.
public struct ScanDecoder: Sendable {
  /// One number's place, prepared so that decoding needs no decisions but the width.
  private struct Extractor: Sendable {
    var offset: Int
    var bytes: Int
    var isBigEndian: Bool
    var shift: UInt64
    /// How far to the left the number goes so that its top bit becomes the sign.
    var up: UInt64
    var isSigned: Bool

    init(_ field: ScanLayout.Field) {
      offset = field.offset
      bytes = field.format.storageBits / 8
      isBigEndian = field.format.isBigEndian
      shift = UInt64(field.format.shift)
      up = UInt64(64 - field.format.bits)
      isSigned = field.format.isSigned
    }

    @inline(__always)
    func value(in scan: RawSpan, at start: Int) -> Int64 {
      let stored = load(scan, at: start + offset)
      let top = (stored &>> shift) &<< up
      return isSigned ? Int64(bitPattern: top) &>> Int64(up) : Int64(bitPattern: top &>> up)
    }

    @inline(__always)
    private func load(_ scan: RawSpan, at place: Int) -> UInt64 {
      switch bytes {
      case 2:
        let word = unsafe scan.unsafeLoadUnaligned(fromByteOffset: place, as: UInt16.self)
        return UInt64(isBigEndian ? word.byteSwapped : word)
      case 4:
        let word = unsafe scan.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self)
        return UInt64(isBigEndian ? word.byteSwapped : word)
      case 8:
        let word = unsafe scan.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
        return isBigEndian ? word.byteSwapped : word
      default: return UInt64(unsafe scan.unsafeLoad(fromByteOffset: place, as: UInt8.self))
      }
    }
  }

  private let x: Extractor
  private let y: Extractor
  private let z: Extractor
  private let timestamp: Extractor?
  private let scale: SIMD3<Float>
  private let offset: SIMD3<Float>
  private let matrix: MountMatrix?
  /// The bytes of one scan.
  public let scanSize: Int

  /// Prepares the decoding of a layout.
  /// - Returns: nothing when one of the three axes is not in the layout or has several numbers, or when the timestamp
  ///   is not a 64-bit number.
  public init?(layout: ScanLayout, channels: IIOAccelerometerChannels, mountMatrix: MountMatrix) {
    guard let x = layout[channels.x.name], let y = layout[channels.y.name], let z = layout[channels.z.name],
      [x, y, z].allSatisfy({ $0.format.repeatCount == 1 })
    else { return nil }
    self.x = Extractor(x)
    self.y = Extractor(y)
    self.z = Extractor(z)
    if let field = layout["in_timestamp"] {
      guard field.format.bits == 64, field.format.repeatCount == 1 else { return nil }
      timestamp = Extractor(field)
    } else {
      timestamp = nil
    }
    scale = channels.scaleInG
    offset = channels.offset
    matrix = mountMatrix == .identity ? nil : mountMatrix
    scanSize = layout.size
  }

  /// Whether scans carry the time.
  public var hasTimestamps: Bool { timestamp != nil }

  /// Decodes every whole scan of some bytes and appends it. Without a timestamp in the scan the sample's is 0.
  public func decode(_ bytes: RawSpan, into samples: inout [AccelerationSample]) {
    var start = 0
    while start &+ scanSize <= bytes.byteCount {
      samples.append(sample(in: bytes, at: start))
      start &+= scanSize
    }
  }

  /// Decodes the scan that begins at a byte; the caller sees to it that it is whole.
  @inline(__always)
  private func sample(in bytes: RawSpan, at start: Int) -> AccelerationSample {
    let raw = SIMD3<Float>(
      Float(x.value(in: bytes, at: start)), Float(y.value(in: bytes, at: start)), Float(z.value(in: bytes, at: start)))
    let sensor = (raw + offset) * scale
    return AccelerationSample(
      nanoseconds: timestamp?.value(in: bytes, at: start) ?? 0, acceleration: matrix?.apply(to: sensor) ?? sensor)
  }
}
