import Accelerometry
import IIOScans
import Platform
import TestSupport
import Testing

@Suite("Decoding scans", .timeLimit(.minutes(30)))
struct ScanDecoderTests {
  private func decoder(
    _ types: [String], timestamp: Bool = false, scale: Double = standardGravity, offset: Double = 0,
    matrix: MountMatrix = .identity
  ) throws -> ScanDecoder {
    var elements: [ScanElement] = []
    for (index, name) in ["in_accel_x", "in_accel_y", "in_accel_z"].enumerated() {
      let format = try #require(ScanElementFormat(parsing: types[index % types.count]))
      elements.append(ScanElement(name: name, index: index, format: format, isEnabled: true))
    }
    if timestamp {
      let format = try #require(ScanElementFormat(parsing: "le:s64/64>>0"))
      elements.append(ScanElement(name: "in_timestamp", index: 3, format: format, isEnabled: true))
    }
    let channels = ["in_accel_x", "in_accel_y", "in_accel_z"].map {
      IIOChannel(name: $0, scale: scale, offset: offset)
    }
    return try #require(
      ScanDecoder(
        layout: ScanLayout(elements),
        channels: IIOAccelerometerChannels(x: channels[0], y: channels[1], z: channels[2]),
        mountMatrix: matrix))
  }

  private func decode(_ decoder: ScanDecoder, _ bytes: [UInt8]) -> [AccelerationSample] {
    var samples: [AccelerationSample] = []
    unsafe decoder.decode(bytes.span.bytes, into: &samples)
    return samples
  }

  @Test("twelve bits in the upper part of a word are shifted down and keep their sign")
  func shifted() throws {
    let samples = decode(try decoder(["le:s12/16>>4"]), [0xF0, 0xFF, 0x10, 0x00, 0x00, 0x80])
    #expect(samples.map(\.acceleration) == [SIMD3(-1, 1, -2048)])
  }

  @Test("padding bits are ignored")
  func masked() throws {
    let samples = decode(try decoder(["le:u12/16>>0"]), [0x01, 0xF0, 0xFF, 0xFF, 0x00, 0x70])
    #expect(samples.map(\.acceleration) == [SIMD3(1, 4095, 0)])
  }

  @Test("big-endian words of every width are decoded")
  func bigEndian() throws {
    #expect(decode(try decoder(["be:s16/16>>0"]), [0xFF, 0xFE, 0, 3, 1, 0])[0].acceleration == SIMD3(-2, 3, 256))
    #expect(
      decode(try decoder(["be:s20/32>>12"]), [0xFF, 0xFF, 0xE0, 0, 0, 0, 0x30, 0, 0, 0, 0, 0])[0].acceleration
        == SIMD3(-2, 3, 0))
    let wide: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 7]
    #expect(decode(try decoder(["be:s64/64>>0"]), wide + wide + wide)[0].acceleration == SIMD3(7, 7, 7))
    #expect(decode(try decoder(["le:s8/8>>0"]), [0xFF, 0x7F, 0x80])[0].acceleration == SIMD3(-1, 127, -128))
  }

  @Test("the offset is added before scaling, which gives m/s²")
  func scaleAndOffset() throws {
    let samples = decode(try decoder(["le:s16/16>>0"], scale: 0.0980665, offset: 10), [90, 0, 0, 0, 246, 255])
    #expect(abs(samples[0].acceleration.x - 1) < 1e-6)
    #expect(abs(samples[0].acceleration.y - 0.1) < 1e-6)
    #expect(abs(samples[0].acceleration.z) < 1e-6)
  }

  @Test("the mount matrix rotates the sensor's axes to the device's")
  func matrix() throws {
    let matrix = try #require(MountMatrix(parsing: "0, 1, 0; -1, 0, 0; 0, 0, 1"))
    let samples = decode(try decoder(["le:s8/8>>0"], matrix: matrix), [1, 2, 3])
    #expect(samples[0].acceleration == SIMD3(2, -1, 3))
  }

  @Test("each complete scan is a sample; a partial scan is not")
  func several() throws {
    let decoder = try decoder(["le:s16/32>>0"], timestamp: true)
    #expect(decoder.scanSize == 24)
    let bytes = scan(1, 2, 3, 1000) + scan(-4, 5, 6, 2000) + Array(scan(0, 0, 0, 3000).prefix(23))
    let samples = decode(decoder, bytes)
    #expect(samples.map(\.nanoseconds) == [1000, 2000])
    #expect(samples.map(\.acceleration) == [SIMD3(1, 2, 3), SIMD3(-4, 5, 6)])
  }

  @Test("axes of different formats are decoded by their formats")
  func mixed() throws {
    let decoder = try decoder(["le:s8/8>>0", "be:s16/16>>0", "le:s12/32>>8"])
    #expect(decode(decoder, [5, 99, 0, 6, 0xEE, 0x07, 0x00, 0xEE])[0].acceleration == SIMD3(5, 6, 7))
  }

  @Test("a layout without an axis has no decoder")
  func missingAxis() throws {
    let format = try #require(ScanElementFormat(parsing: "le:s16/16>>0"))
    let layout = ScanLayout([ScanElement(name: "in_accel_x", index: 0, format: format, isEnabled: true)])
    let channel = IIOChannel(name: "in_accel_x", scale: 1, offset: 0)
    let channels = IIOAccelerometerChannels(
      x: channel, y: IIOChannel(name: "in_accel_y", scale: 1, offset: 0),
      z: channel)
    #expect(ScanDecoder(layout: layout, channels: channels, mountMatrix: .identity) == nil)
  }

  @Test("decoding agrees with the definition for random formats and bytes")
  func definition() throws {
    var random = SplitMix64(seed: 42)
    for _ in 0..<500 {
      let storage = [8, 16, 32, 64].randomElement(using: &random)!
      let bits = Int.random(in: 1...storage, using: &random)
      let shift = Int.random(in: 0...storage - bits, using: &random)
      let (big, signed) = (Bool.random(using: &random), Bool.random(using: &random))
      let type = "\(big ? "be" : "le"):\(signed ? "s" : "u")\(bits)/\(storage)>>\(shift)"
      let bytes = (0..<storage / 8 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
      let samples = decode(try decoder([type]), bytes)
      let word = (big ? bytes.prefix(storage / 8).reversed() : Array(bytes.prefix(storage / 8)))
        .enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element) << (8 * $1.offset) }
      let masked = (word >> shift) & (bits == 64 ? .max : (1 << bits) - 1)
      let isNegative = signed && masked >> (bits - 1) & 1 == 1
      let value = isNegative ? -Float(bits == 64 ? ~masked &+ 1 : (1 << bits) - masked) : Float(masked)
      let got = try #require(samples.first).acceleration.x
      // An unsigned number of all 64 bits is beyond any sensor; the decoder treats it as signed.
      if bits < 64 || signed { #expect(got == value, "\(type)") }
    }
  }
}
