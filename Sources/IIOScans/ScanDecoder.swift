import Accelerometry

/// Turns the bytes of scans into samples: raw number, offset, scale, mount matrix, timestamp.
public struct ScanDecoder: Sendable {
  private let x: NumberExtractor
  private let y: NumberExtractor
  private let z: NumberExtractor
  private let timestamp: NumberExtractor?
  /// Offset, scale and mount matrix in one: g = ``constant`` + x · ``forX`` + y · ``forY`` + z · ``forZ``. Four lanes,
  /// because vectors of three are taken apart by the compiler.
  private let forX: SIMD4<Float>
  private let forY: SIMD4<Float>
  private let forZ: SIMD4<Float>
  private let constant: SIMD4<Float>
  /// The bytes of one scan.
  public let scanSize: Int

  /// Prepares the decoding of a layout.
  /// - Returns: nothing when one of the three axes is not in the layout or has several numbers, or when the timestamp
  ///   is not a 64-bit number.
  public init?(layout: ScanLayout, channels: IIOAccelerometerChannels, mountMatrix: MountMatrix) {
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

  /// Whether scans carry the time.
  public var hasTimestamps: Bool { timestamp != nil }

  /// Decodes every whole scan of some bytes and appends it. Without a timestamp in the scan the sample's is 0.
  public func decode(_ bytes: RawSpan, into samples: inout [AccelerationSample]) {
    guard scanSize > 0, bytes.byteCount >= scanSize else { return }
    let first = samples.count
    let blank = AccelerationSample(nanoseconds: 0, acceleration: .zero)
    samples.append(contentsOf: repeatElement(blank, count: bytes.byteCount / scanSize))
    var decoded = samples.mutableSpan
    guard x.isLike(y), x.isLike(z) else { return decodeEach(bytes, into: &decoded, from: first) }
    // Every driver there is stores its three axes alike: then the width is decided once, not for each number.
    switch x.bytes {
    case 1: decodeAlike(bytes, as: UInt8.self, into: &decoded, from: first)
    case 2: decodeAlike(bytes, as: UInt16.self, into: &decoded, from: first)
    case 4: decodeAlike(bytes, as: UInt32.self, into: &decoded, from: first)
    default: decodeAlike(bytes, as: UInt64.self, into: &decoded, from: first)
    }
  }

  @inline(__always)
  private func decodeAlike<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ bytes: RawSpan, as word: Word.Type, into samples: inout MutableSpan<AccelerationSample>, from first: Int
  ) {
    let (x, y, z, timestamp) = (x, y, z, timestamp)
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
  private func decodeEach(_ bytes: RawSpan, into samples: inout MutableSpan<AccelerationSample>, from first: Int) {
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

/// One number's place in a scan, prepared so that taking it out needs no decisions.
private struct NumberExtractor: Sendable {
  private let offset: Int
  let bytes: Int
  private let isBigEndian: Bool
  private let shift: UInt64
  /// How far to the left the number goes so that its top bit becomes the sign.
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

  /// Whether another number differs in its place only.
  func isLike(_ other: NumberExtractor) -> Bool {
    bytes == other.bytes && isBigEndian == other.isBigEndian && shift == other.shift && up == other.up
      && isSigned == other.isSigned
  }

  /// The number in the scan that begins at a byte; the caller sees to it that the scan is whole.
  @inline(__always)
  func value<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    in scan: RawSpan, at start: Int, as word: Word.Type
  ) -> Int64 {
    let stored = unsafe scan.unsafeLoadUnaligned(fromUncheckedByteOffset: start &+ offset, as: word)
    let top = (UInt64(isBigEndian ? stored.byteSwapped : stored) &>> shift) &<< up
    return isSigned ? Int64(bitPattern: top) &>> Int64(up) : Int64(bitPattern: top &>> up)
  }

  /// The same where the width is not known beforehand.
  func value(in scan: RawSpan, at start: Int) -> Int64 {
    switch bytes {
    case 1: value(in: scan, at: start, as: UInt8.self)
    case 2: value(in: scan, at: start, as: UInt16.self)
    case 4: value(in: scan, at: start, as: UInt32.self)
    default: value(in: scan, at: start, as: UInt64.self)
    }
  }
}
