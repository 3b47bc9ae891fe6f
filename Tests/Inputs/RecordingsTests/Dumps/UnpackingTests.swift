import Accelerometry
import CDigitMask
import Platform
import TestSupport
import Testing

@testable import Recordings

@Suite("Unpacking blocks", .timeLimit(.minutes(30)))
struct UnpackingTests {
  private static let counts = [1, 2, 3, 7, 80, 301]
  private let time = running_time(base: 1_700_000_000_000_000_000, fixed: 1 << 23, step: 10_000_001 << 23)

  /// Lets C write this many samples, with one more that it must not change.
  private func samples(
    _ count: Int, _ unpack: (UnsafeMutablePointer<dense_sample>) -> Void
  ) -> [AccelerationSample] {
    let mark = AccelerationSample(nanoseconds: -7, acceleration: SIMD3(7, 7, 7))
    var samples = [AccelerationSample](repeating: mark, count: count + 1)
    unsafe samples.withUnsafeMutableBytes { bytes in
      unsafe unpack(bytes.bindMemory(to: dense_sample.self).baseAddress!)
    }
    #expect(samples.last == mark)
    return samples.dropLast()
  }

  private func expect(_ samples: [AccelerationSample], _ acceleration: (Int) -> SIMD3<Float>) {
    let wrong = samples.indices.first { index in
      let expected = acceleration(index)
      return samples[index].nanoseconds != time.base + ((time.fixed + Int64(index) * time.step) >> 24)
        || (0..<3).contains { samples[index].acceleration[$0].bitPattern != expected[$0].bitPattern }
    }
    #expect(wrong == nil)
  }

  /// Has exactly the required length, so that memory checkers detect reads beyond it.
  private func random(_ count: Int) -> [UInt8] {
    var generator = SplitMix64(seed: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  @Test("Swift's samples have the memory layout that C writes")
  func layout() {
    #expect(MemoryLayout<AccelerationSample>.stride == MemoryLayout<dense_sample>.stride)
    #expect(MemoryLayout<AccelerationSample>.offset(of: \.lanes) == 0)
    #expect(MemoryLayout<AccelerationSample>.offset(of: \.nanoseconds) == 16)
  }

  @Test("packed samples of Axivity", arguments: counts)
  func packed(count: Int) {
    let bytes = random(4 * count)
    let read = unsafe samples(count) { unsafe unpack_cwa_packed(bytes, count, 1 / 256, time, $0) }
    expect(read) { index in
      let word = bytes.span.uint32(4 * index)
      let counts = (0..<3).map { (Int32(bitPattern: word << (22 - 10 * $0)) >> 22) << (word >> 30) }
      return SIMD3<Float>(counts.map { Float($0) / 256 })
    }
  }

  @Test("samples of 16 bits, alone and after a gyroscope's", arguments: counts, [6, 12, 18])
  func whole(count: Int, stride: Int) {
    let bytes = random(stride * (count - 1) + 6)
    let read = unsafe samples(count) { unsafe unpack_cwa(bytes, stride, count, 1 / 2048, time, $0) }
    expect(read) { index in
      SIMD3<Float>((0..<3).map { Float(bytes.span.int16(stride * index + 2 * $0)) / 2048 })
    }
  }

  @Test("samples of 12 bits, in either axis order", arguments: counts, [false, true])
  func gt3x(count: Int, isYXZ: Bool) {
    let bytes = random((9 * count + 1) / 2)
    let read = unsafe samples(count) { unsafe unpack_gt3x(bytes, count, isYXZ, 1 / 341, time, $0) }
    let nibbles = bytes.flatMap { [$0 >> 4, $0 & 15] }
    expect(read) { index in
      let numbers = (0..<3).map { axis -> Float in
        let bits = nibbles[9 * index + 3 * axis..<9 * index + 3 * axis + 3].reduce(Int32(0)) { $0 << 4 | Int32($1) }
        return Float((bits << 20) >> 20) * (1 / 341)
      }
      return isYXZ ? SIMD3(numbers[1], numbers[0], numbers[2]) : SIMD3<Float>(numbers)
    }
  }

  @Test("samples of hexadecimal digits, in either case", arguments: counts)
  func geneactiv(count: Int) throws {
    let digits = random(12 * count).map { Array("0123456789ABCDEFabcdef".utf8)[Int($0) % 22] }
    let offset: [Float] = [1.25, -3, 0.5]
    let scale: [Float] = [1 / 256, 1 / 255, 1 / 257]
    let read = unsafe samples(count) { unsafe unpack_geneactiv(digits, count, offset, scale, time, $0) }
    expect(read) { index in
      SIMD3<Float>(
        (0..<3).map { axis in
          let place = 12 * index + 3 * axis
          let bits = Int32(String(decoding: digits[place..<place + 3], as: UTF8.self), radix: 16) ?? 0
          return (Float((bits << 20) >> 20) - offset[axis]) * scale[axis]
        })
    }
  }

  @Test("other characters than hexadecimal digits are found at any position")
  func hexadecimal() {
    var line = [UInt8](repeating: UInt8(ascii: "f"), count: 70)
    #expect(GENEActivDecoder.digitsBefore(line.span) == 70)
    for byte in UInt8.min...UInt8.max {
      let place = Int(byte) % 70
      line[place] = byte
      let isDigit = Array("0123456789ABCDEFabcdef".utf8).contains(byte)
      #expect(GENEActivDecoder.digitsBefore(line.span) == (isDigit ? 70 : place))
      line[place] = UInt8(ascii: "A")
    }
  }

  @Test("sums and parities of bytes", arguments: [2, 16, 512, 514])
  func checksums(count: Int) {
    let bytes = random(count)
    let words = stride(from: 0, to: count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    #expect(bytes.span.sum16(0, count) == words.reduce(0, &+))
    #expect(bytes.span.parity(1..<count) == bytes.dropFirst().reduce(0, ^))
  }
}
