import Accelerometry

/// Converts the bytes of scans to samples: raw number, offset, scale, mount matrix, timestamp.
package struct ScanDecoder: Sendable {
  private let x: NumberExtractor
  private let y: NumberExtractor
  private let z: NumberExtractor
  private let timestamp: NumberExtractor?
  /// Offset, scale and mount matrix combined: g = ``constant`` + x · ``forX`` + y · ``forY`` + z · ``forZ``. Four
  /// lanes, because the compiler splits vectors of three.
  private let forX: SIMD4<Float>
  private let forY: SIMD4<Float>
  private let forZ: SIMD4<Float>
  private let constant: SIMD4<Float>
  package let scanSize: Int

  /// Prepares decoding of a layout.
  /// - Returns: `nil` if an axis is missing or has several numbers, or if the timestamp is not a 64-bit number.
  package init?(layout: ScanLayout, channels: IIOAccelerometerChannels, mountMatrix: MountMatrix) {
    guard let x = layout[channels.x.name], let y = layout[channels.y.name], let z = layout[channels.z.name],
      [x, y, z].allSatisfy({ $0.format.repeatCount == 1 })
    else { return nil }
    self.x = NumberExtractor(x)
    self.y = NumberExtractor(y)
    self.z = NumberExtractor(z)
    if let field = layout["in_timestamp"] {
      guard field.format.bits == 64, field.format.repeatCount == 1 else { return nil }
      timestamp = NumberExtractor(field)
    } else {
      timestamp = nil
    }
    let scale = channels.scaleInG
    forX = SIMD4(mountMatrix.apply(to: [scale.x, 0, 0]), 0)
    forY = SIMD4(mountMatrix.apply(to: [0, scale.y, 0]), 0)
    forZ = SIMD4(mountMatrix.apply(to: [0, 0, scale.z]), 0)
    constant = SIMD4(mountMatrix.apply(to: channels.offset * scale), 0)
    scanSize = layout.size
  }

  /// Whether scans contain timestamps.
  package var hasTimestamps: Bool { timestamp != nil }

  /// Decodes all complete scans and appends the samples. Without a timestamp in the scan, it is 0.
  package func decode(_ bytes: RawSpan, into samples: inout [AccelerationSample]) {
    guard scanSize > 0, bytes.byteCount >= scanSize else { return }
    let first = samples.count
    let blank = AccelerationSample(nanoseconds: 0, acceleration: .zero)
    samples.append(contentsOf: repeatElement(blank, count: bytes.byteCount / scanSize))
    guard x.isLike(y), x.isLike(z) else { return decodeEach(bytes, into: &samples, from: first) }
    // All known drivers store the three axes alike, so the width is selected once and not for each number.
    switch x.bytes {
    case 1: decodeAlike(bytes, as: UInt8.self, into: &samples, from: first)
    case 2: decodeAlike(bytes, as: UInt16.self, into: &samples, from: first)
    case 4: decodeAlike(bytes, as: UInt32.self, into: &samples, from: first)
    default: decodeAlike(bytes, as: UInt64.self, into: &samples, from: first)
    }
  }

  @inline(__always)
  private func decodeAlike<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ bytes: RawSpan, as word: Word.Type, into samples: inout [AccelerationSample], from first: Int
  ) {
    let (x, y, z, timestamp) = (x, y, z, timestamp)
    var samples = samples.mutableSpan
    for index in first..<samples.count {
      let start = (index &- first) &* scanSize
      let g = acceleration(
        Float(x.value(in: bytes, at: start, as: word)), Float(y.value(in: bytes, at: start, as: word)),
        Float(z.value(in: bytes, at: start, as: word)))
      let time = timestamp?.value(in: bytes, at: start, as: UInt64.self) ?? 0
      samples[index] = AccelerationSample(nanoseconds: time, acceleration: g)
    }
  }

  /// Axes of different widths in one scan.
  private func decodeEach(_ bytes: RawSpan, into samples: inout [AccelerationSample], from first: Int) {
    var samples = samples.mutableSpan
    for index in first..<samples.count {
      let start = (index &- first) &* scanSize
      let g = acceleration(
        Float(x.value(in: bytes, at: start)), Float(y.value(in: bytes, at: start)), Float(z.value(in: bytes, at: start))
      )
      samples[index] = AccelerationSample(nanoseconds: timestamp?.value(in: bytes, at: start) ?? 0, acceleration: g)
    }
  }

  @inline(__always)
  private func acceleration(_ x: Float, _ y: Float, _ z: Float) -> SIMD3<Float> {
    let g = constant + forX * x + forY * y + forZ * z
    return SIMD3(g.x, g.y, g.z)
  }
}

/// The position of a number in a scan, prepared for extraction without branches.
private struct NumberExtractor: Sendable {
  private let offset: Int
  let bytes: Int
  private let isBigEndian: Bool
  private let shift: UInt64
  /// How far to shift left so that the top bit becomes the sign.
  private let up: UInt64
  private let isSigned: Bool

  init(_ field: ScanLayout.Field) {
    offset = field.offset
    bytes = field.format.storageBits / 8
    isBigEndian = field.format.isBigEndian
    shift = UInt64(field.format.shift)
    up = UInt64(64 - field.format.bits)
    isSigned = field.format.isSigned
  }

  /// Whether another number differs only in its position.
  func isLike(_ other: NumberExtractor) -> Bool {
    bytes == other.bytes && isBigEndian == other.isBigEndian && shift == other.shift && up == other.up
      && isSigned == other.isSigned
  }

  /// Extracts the number from the scan that starts at a byte. The caller ensures that the scan is complete.
  @inline(__always)
  func value<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    in scan: RawSpan, at start: Int, as word: Word.Type
  ) -> Int64 {
    let stored = unsafe scan.unsafeLoadUnaligned(fromUncheckedByteOffset: start &+ offset, as: word)
    let top = (UInt64(isBigEndian ? stored.byteSwapped : stored) &>> shift) &<< up
    return isSigned ? Int64(bitPattern: top) &>> Int64(up) : Int64(bitPattern: top &>> up)
  }

  /// The same for any width.
  func value(in scan: RawSpan, at start: Int) -> Int64 {
    switch bytes {
    case 1: value(in: scan, at: start, as: UInt8.self)
    case 2: value(in: scan, at: start, as: UInt16.self)
    case 4: value(in: scan, at: start, as: UInt32.self)
    default: value(in: scan, at: start, as: UInt64.self)
    }
  }
}
