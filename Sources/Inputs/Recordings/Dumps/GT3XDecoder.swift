import Accelerometry
import CDigitMask

/// ActiGraph GT3X, version 2: `log.bin`, a stream of records, each with a time in seconds and a checksum.
///
/// The layout is documented by ActiGraph ("GT3X File Format"). An activity record contains the samples of one second.
/// During idle sleep there are none: that is a gap.
final class GT3XLogDecoder: DumpDecoder {
  private static let start: UInt8 = 0x1E
  private static let headerSize = 8
  /// One bit for each record type.
  private static let types: UInt32 =
    [0, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 15, 16, 19, 20, 21, 24, 25, 26, 27].reduce(0) { $0 | 1 << $1 }
  /// The largest records with samples are one second at 100 Hz with 16 bits; metadata are longer.
  private static let longest = 16_384

  private let info: GT3XInfo
  private var scale: Float
  private var part = 0
  private var rate: Double
  private var hasBegun = false

  init(_ info: GT3XInfo) {
    self.info = info
    rate = info.rate ?? 0
    scale = 1 / Float(info.scale ?? info.usualScale)
  }

  func decode(_ bytes: inout DumpBytes, into sink: inout DumpSink) throws(RecordingError) -> Bool {
    if !hasBegun {
      hasBegun = true
      info.describe(&sink)
    }
    for _ in 0..<32 where !sink.isFull {
      guard try bytes.require(Self.headerSize + 1) else {
        if !Self.isPadding(bytes.prefix(bytes.count)) { sink.noteEnd(bytes, .record, number: part + 1) }
        return false
      }
      if let size = try wholeRecord(&bytes, at: 0) {
        part += 1
        take(bytes.window, size, &sink)
        bytes.consume(Self.headerSize + size + 1)
      } else if try !search(&bytes, &sink) {
        return false
      }
    }
    return true
  }

  private static func isType(_ byte: UInt8) -> Bool { byte < 32 && types >> UInt32(byte) & 1 == 1 }

  /// The payload size of a complete record at this position.
  private func wholeRecord(_ bytes: inout DumpBytes, at place: Int) throws(RecordingError) -> Int? {
    guard bytes[place] == Self.start, Self.isType(bytes[place + 1]) else { return nil }
    let size = Int(bytes.window.uint16(place + 6))
    guard size <= Self.longest, try bytes.require(place + Self.headerSize + size + 1) else { return nil }
    let window = bytes.window
    return ~window.parity(place..<place + Self.headerSize + size) == window[place + Self.headerSize + size] ? size : nil
  }

  /// Advances to the next record after damage.
  /// - Returns: `false` if there is none.
  private func search(_ bytes: inout DumpBytes, _ sink: inout DumpSink) throws(RecordingError) -> Bool {
    let start = bytes.offset
    let looksLikeRecord = bytes[0] == Self.start && Self.isType(bytes[1])
    let stated = looksLikeRecord ? Self.headerSize + Int(bytes.window.uint16(6)) + 1 : 0
    // The checksum is wrong, but the next record begins where expected: nothing else is lost.
    if stated > 0, stated <= Self.longest, try bytes.require(stated + Self.headerSize + 1),
      try wholeRecord(&bytes, at: stated) != nil
    {
      part += 1
      sink.lose(.checksum, .record, number: part, byte: start)
      bytes.consume(stated)
      return true
    }
    var skipped = 1
    while try bytes.require(skipped + Self.headerSize + 1) {
      // One in 256 positions that look like a record has the right checksum by chance, so another record must follow.
      if bytes[skipped] == Self.start, let size = try wholeRecord(&bytes, at: skipped) {
        let behind = skipped + Self.headerSize + size + 1
        if try !bytes.require(behind + 1) || bytes[behind] == Self.start || bytes[behind] == 0 { break }
      }
      skipped += 1
      if skipped > 1 << 16 {
        if !Self.isPadding(bytes.prefix(skipped)) {
          sink.lose(.strayBytes, .byte, number: 0, byte: start, count: skipped)
        }
        bytes.consume(skipped)
        return true
      }
    }
    if try !bytes.require(skipped + Self.headerSize + 1) {
      if !Self.isPadding(bytes.prefix(bytes.count)) {
        sink.lose(
          looksLikeRecord ? .cutOff : .strayBytes, looksLikeRecord ? .record : .byte, number: part + 1, byte: start,
          count: looksLikeRecord ? 1 : bytes.count)
      }
      return false
    }
    if !Self.isPadding(bytes.prefix(skipped)) {
      part += 1
      if looksLikeRecord {
        sink.lose(stated == skipped ? .checksum : .length, .record, number: part, byte: start)
      } else {
        sink.lose(.strayBytes, .byte, number: 0, byte: start, count: skipped)
      }
    }
    bytes.consume(skipped)
    return true
  }

  private static func isPadding(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { $0 == 0 } }

  private func take(_ record: Span<UInt8>, _ size: Int, _ sink: inout DumpSink) {
    let payload = record.extracting(Self.headerSize..<Self.headerSize + size)
    let seconds = Int64(record.uint32(2))
    switch record[1] {
    // A single byte is an event of the USB socket.
    case 0 where size > 1: emit(payload, size * 8 / 36, seconds, .packed(isYXZ: true), &sink)
    case 27 where size > 1: emit(payload, size * 8 / 36, seconds, .packed(isYXZ: false), &sink)
    case 26 where size > 1: emit(payload, size / 6, seconds, .whole, &sink)
    case 21: takeParameters(record, Self.headerSize, size)
    default: break
    }
  }

  private func emit(_ payload: Span<UInt8>, _ count: Int, _ second: Int64, _ kind: GT3XSamples, _ sink: inout DumpSink)
  {
    if rate == 0 {
      rate = Double(count)
      sink.nominalRate = rate
    }
    let times = EvenTimes(anchor: second * 1_000_000_000, period: 1e9 / max(rate, Double(count)))
    kind.add(payload, count, scale: scale, at: times, part: part, to: &sink)
  }

  /// Address 0, parameter 55: counts per g, in ActiGraph's 24-bit floating point format with an exponent.
  private func takeParameters(_ record: Span<UInt8>, _ payload: Int, _ size: Int) {
    guard info.scale == nil else { return }
    for i in 0..<size / 8 {
      let place = payload + 8 * i
      guard record.uint16(place) == 0, record.uint16(place + 2) == 55 else { continue }
      let value = record.uint32(place + 4)
      let exponent = Int8(bitPattern: UInt8(value >> 24))
      let fraction = Double(Int32(bitPattern: value << 8) >> 8) / 8_388_608
      let counts = fraction * Double(sign: .plus, exponent: Int(exponent), significand: 1)
      if counts >= 1, counts <= 65_536 { scale = 1 / Float(counts) }
    }
  }
}

/// ActiGraph GT3X, version 1: `activity.bin`, samples of 36 bits without times or checksums.
final class GT3XActivityDecoder: DumpDecoder {
  private let info: GT3XInfo
  private var index = 0
  private var hasBegun = false

  init(_ info: GT3XInfo) { self.info = info }

  func decode(_ bytes: inout DumpBytes, into sink: inout DumpSink) throws(RecordingError) -> Bool {
    if !hasBegun {
      hasBegun = true
      info.describe(&sink)
      sink.nominalRate = info.rate ?? 30
      if info.rate == nil { sink.doubt("the recording states no sampling frequency; assuming 30 Hz") }
      if info.start == nil { sink.doubt("the recording states no start; times are relative to the first sample") }
    }
    // Nine bytes are two samples.
    _ = try bytes.require(9 * 512)
    let count = min(bytes.count * 2 / 9, 1024)
    guard count > 0 else { return false }
    let scale = 1 / Float(info.scale ?? info.usualScale)
    let times = EvenTimes(anchor: info.start ?? 0, first: Double(index), period: 1e9 / (info.rate ?? 30))
    GT3XSamples.packed(isYXZ: true).add(bytes.window, count, scale: scale, at: times, part: index + 1, to: &sink)
    index += count
    let isLast = count < 1024
    bytes.consume(isLast ? bytes.count : count * 9 / 2)
    return !isLast
  }
}

private enum GT3XSamples {
  /// Three 12-bit numbers in two's complement, most significant bits first, without padding between samples.
  case packed(isYXZ: Bool)
  /// 16-bit numbers, little-endian.
  case whole

  func add(_ bytes: Span<UInt8>, _ count: Int, scale: Float, at times: EvenTimes, part: Int, to sink: inout DumpSink) {
    let size = if case .whole = self { count * 6 } else { (count * 9 + 1) / 2 }
    unsafe sink.add(count, of: bytes.extracting(..<size), at: times, part: part) { bytes, time, samples in
      switch self {
      case .packed(let isYXZ): unsafe unpack_gt3x(bytes, count, isYXZ, scale, time, samples)
      case .whole: unsafe unpack_cwa(bytes, 6, count, scale, time, samples)
      }
    }
  }
}
