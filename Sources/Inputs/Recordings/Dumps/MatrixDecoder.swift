import Accelerometry
import Czlib

/// Matrix `.BIN` (MTX): 512 bytes of remarks, the ranges, then packets of up to some minutes, each with a checksum.
///
/// A packet states the whole seconds at its ends; its samples are evenly spaced between them. Acceleration, gyroscope,
/// temperature and heart rate have separate numbers of samples in a packet.
final class MatrixDecoder: DumpDecoder {
  static let magic = Array("MDTC".utf8)
  private static let packetMagic = Array("MDTCPACK".utf8)
  private static let packetHeader = 36
  /// Longer packets have a damaged length.
  private static let longestPacket = 16 << 20

  private var range: Float = 0
  private var part = 0
  private var hasStarted = false
  private var lastEnd: UInt32?
  private let path: String

  init(path: String) { self.path = path }

  /// The position of the ranges in the first bytes: after 512 bytes of remarks, unless some were lost or added.
  static func header(in head: Span<UInt8>) -> Int? {
    var place = 0
    while let found = head.firstPlace(of: magic.span, from: place) {
      if !head.holds(packetMagic, at: found), head.holds(packetMagic, at: found + 12) { return found }
      place = found + 1
    }
    return nil
  }

  func decode(_ bytes: inout DumpBytes, into sink: inout DumpSink) throws(RecordingError) -> Bool {
    if !hasStarted {
      hasStarted = true
      _ = try bytes.require(2048)
      guard let place = Self.header(in: bytes.window.extracting(first: 2048)) else {
        throw .damagedDump(
          path: path, kind: "a Matrix recording", reason: "its header, which holds the range, is missing")
      }
      range = Float(bytes.window.uint16(place + 8))
      var device = RecordingDevice(maker: "Matrix")
      device.range = Double(range)
      sink.assembler.summary.device = device
      sink.assembler.summary.utcOffset = 0
      guard (1...64).contains(range) else {
        throw .damagedDump(
          path: path, kind: "a Matrix recording", reason: "its header states a range of \(Int(range)) g")
      }
      bytes.consume(place + 12)
    }
    guard try bytes.require(Self.packetHeader) else {
      sink.noteEnd(bytes, .packet, number: part + 1)
      return false
    }
    guard bytes.window.holds(Self.packetMagic, at: 0) else {
      let start = bytes.offset
      guard try search(&bytes, from: 1) else { return false }
      sink.lose(.strayBytes, .byte, number: 0, byte: start, count: bytes.offset - start)
      return true
    }
    part += 1
    let length = Self.length(bytes.window)
    let start = bytes.offset
    guard length <= Self.longestPacket else {
      sink.lose(.length, .packet, number: part, byte: start)
      return try search(&bytes, from: 1)
    }
    guard try bytes.require(length) else {
      // The rest is shorter than this packet's length: either the file is truncated or the length is wrong.
      let isLast = bytes.window.firstPlace(of: Self.packetMagic.span, from: 1) == nil
      sink.lose(isLast ? .cutOff : .length, .packet, number: part, byte: start)
      return try search(&bytes, from: 1)
    }
    guard Self.checksum(bytes.window, 12..<length) == bytes.window.uint32(8) else {
      sink.lose(.checksum, .packet, number: part, byte: start)
      return try search(&bytes, from: 1)
    }
    take(bytes.window, &sink)
    bytes.consume(length)
    return true
  }

  /// Advances to the next packet.
  private func search(_ bytes: inout DumpBytes, from place: Int) throws(RecordingError) -> Bool {
    bytes.consume(place)
    while try bytes.require(Self.packetMagic.count) {
      if let found = bytes.window.firstPlace(of: Self.packetMagic.span, from: 0) {
        bytes.consume(found)
        return true
      }
      bytes.consume(bytes.count - Self.packetMagic.count + 1)
    }
    bytes.consume(bytes.count)
    return false
  }

  private static func checksum(_ bytes: Span<UInt8>, _ part: Range<Int>) -> UInt32 {
    unsafe bytes.extracting(part).withUnsafeBufferPointer { part in
      UInt32(truncatingIfNeeded: unsafe crc32(0, part.baseAddress, UInt32(part.count)))
    }
  }

  /// The size of a packet in bytes, from the numbers in its header.
  private static func length(_ packet: Span<UInt8>) -> Int {
    var length = packetHeader
    for (place, size) in [(20, 6), (24, 6), (28, 4), (32, 4)] { length += Int(packet.uint32(place)) * size }
    return length
  }

  private func take(_ packet: Span<UInt8>, _ sink: inout DumpSink) {
    let count = Int(packet.uint32(20))
    var (start, end) = (packet.uint32(12), packet.uint32(16))
    guard count > 0 else { return }
    guard end >= start else { return sink.lose(.time, .packet, number: part, byte: 0) }
    // Both ends are whole seconds, rounded up or down.
    if let lastEnd, start != lastEnd, max(start, lastEnd) - min(start, lastEnd) <= 1 { start = lastEnd }
    if end < start { end = start }
    lastEnd = end
    let period = Double(end - start) * 1e9 / Double(count)
    for i in 0..<count {
      let place = Self.packetHeader + 6 * i
      var g = SIMD3<Float>()
      for axis in 0..<3 {
        let value = Float(packet.int16(place + 2 * axis))
        // Full scale is the range on either side.
        g[axis] = value * range / (value < 0 ? 32768 : 32767)
      }
      sink.add(Int64(start) * 1_000_000_000 + Int64((Double(i) * period).rounded()), g, part: part)
    }
  }
}
