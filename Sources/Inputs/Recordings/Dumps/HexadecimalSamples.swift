import CDigitMask

/// Samples of twelve hexadecimal digits: three each for x, y and z in two's complement, then three for other data.
struct HexadecimalSamples {
  /// Digits per sample.
  static let digits = 12

  /// The number of hexadecimal digits at the beginning of a line.
  static func digitsBefore(_ line: Span<UInt8>) -> Int {
    let isWhole = unsafe line.withUnsafeBufferPointer { line in
      unsafe line.baseAddress.map { unsafe are_hexadecimal($0, line.count) } ?? true
    }
    return isWhole ? line.count : line.indices.first { value(line[$0]) == nil } ?? line.count
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }

  private let offset: SIMD3<Float>
  private let scale: SIMD3<Float>

  /// The acceleration in g is (100 × value − offset) / gain.
  init(gain: SIMD3<Double>, offset: SIMD3<Double>) {
    self.offset = SIMD3<Float>(offset / 100)
    scale = SIMD3<Float>(100 / gain)
  }

  /// Adds the first samples of a line, whose digits must all be valid.
  func add(_ count: Int, of line: Span<UInt8>, at times: EvenTimes, part: Int, to sink: inout DumpSink) {
    unsafe line.extracting(..<(count * Self.digits)).withUnsafeBufferPointer { digits in
      guard let base = digits.baseAddress else { return }
      unsafe sink.add(count, at: times, part: part) { time, samples in
        unsafe unpack_geneactiv(
          base, count, [offset.x, offset.y, offset.z], [scale.x, scale.y, scale.z], time, samples)
      }
    }
  }
}
