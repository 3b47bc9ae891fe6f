import Accelerometry
import CDigitMask
import Platform

/// GENEActiv `.bin`: text with a header, followed by pages of ten lines, the last of which contains 300 samples in hexadecimal.
///
/// A sample has twelve digits: x, y and z as 12 bits in two's complement, then light and a button. A page states the
/// time of its first sample and its sampling frequency, from which the other times follow. Pages are found by their
/// first line, not by counting lines.
final class GENEActivDecoder: DumpDecoder {
  static let magic = Array("Device Identity".utf8)
  private static let pageMagic = Array("Recorded Data".utf8)
  /// Digits per sample: three each for x, y and z in two's complement, then three for other data.
  private static let digits = 12
  /// Samples per page.
  private static let pageSize = 300
  /// No line of a page is longer.
  private static let longestLine = 8192

  private struct Calibration {
    var gain = SIMD3<Double>()
    var offset = SIMD3<Double>()
    /// One bit for each value found.
    var found: UInt8 = 0
  }

  private struct Page {
    var sequence: Int?
    var nanoseconds: Int64?
    var rate: Double?
    var byte = 0
    var hasData = false
  }

  private var calibration = Calibration()
  private var device = RecordingDevice(maker: "Activinsights")
  private var page: Page?
  private var part = 0
  private var headerRate: Double?
  private var previous: (sequence: Int, nanoseconds: Int64, rate: Double)?
  private let path: String

  init(path: String) { self.path = path }

  func decode(_ bytes: inout DumpBytes, into sink: inout DumpSink) throws(RecordingError) -> Bool {
    for _ in 0..<64 where !sink.isFull {
      let start = bytes.offset
      guard let (length, isLast) = try nextLine(&bytes) else {
        finishPage(&sink)
        if part == 0, calibration.found != 0x3F { throw refusal }
        return false
      }
      let hasBreak = length < bytes.count && bytes[length] == 0x0A
      if page != nil, length > 1000 {
        // Long lines contain samples, and no colon.
        take(bytes.window.extracting(first: length), isLast: isLast, &sink)
      } else if page == nil || !Self.saysNothing(bytes.window.extracting(first: length)) {
        let line = bytes.prefix(length).filter { $0 != 0x0D && $0 != 0 }
        if line.starts(with: Self.pageMagic) {
          if part == 0, page == nil {
            if calibration.found != 0x3F { throw refusal }
            sink.assembler.summary.device = device
          }
          finishPage(&sink)
          page = Page(byte: start)
          part += 1
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon < 64 {
          note(key: Self.text(line[..<colon]), value: Self.text(line[(colon + 1)...]), &sink)
        } else if page != nil, line.count > 40 {
          take(line.span, isLast: isLast, &sink)
        }
      }
      bytes.consume(hasBreak ? length + 1 : length)
    }
    return true
  }

  /// Whether a line of a page can be skipped, such as device, temperature or battery: most of them.
  private static func saysNothing(_ line: Span<UInt8>) -> Bool {
    guard !line.isEmpty else { return true }
    return switch line[0] {
    case UInt8(ascii: "B"), UInt8(ascii: "D"), UInt8(ascii: "T"), UInt8(ascii: "U"):
      line.firstPlace(of: UInt8(ascii: ":"), from: 0, to: 64) < min(line.count, 64)
    default: false
    }
  }

  private var refusal: RecordingError {
    .damagedDump(
      path: path, kind: "a GENEActiv recording", reason: "its header lacks the calibration of the three axes")
  }

  /// Finds the end of the next line, or of a part of a line that exceeds the maximum length.
  /// - Returns: the number of bytes before the line feed, and whether the recording ends without one.
  private func nextLine(_ bytes: inout DumpBytes) throws(RecordingError) -> (length: Int, isLast: Bool)? {
    var searched = 0
    while true {
      let hasMore = try bytes.require(searched + 1)
      let end = bytes.window.firstPlace(of: 0x0A, from: searched, to: Self.longestLine)
      let isCut = end >= bytes.count
      if !isCut || (!hasMore && end > 0) { return (end, isCut) }
      if !hasMore { return nil }
      searched = end
    }
  }

  private func note(key: String, value: String, _ sink: inout DumpSink) {
    if page != nil { return notePage(key, value) }
    switch key {
    case "Device Unique Serial Code": device.serial = value
    case "Device Type": device.model = value
    case "Device Firmware Version": device.firmware = value
    case "Accelerometer Range": device.range = value.split(separator: " ").last.flatMap { Double($0) }
    case "Measurement Frequency":
      headerRate = value.split(separator: " ").first.flatMap { Double($0) }
      sink.nominalRate = headerRate
    case "Time Zone":
      sink.assembler.summary.utcOffset = UTCOffset.seconds(value.filter { $0 != " " })
    default: noteCalibration(key, value)
    }
  }

  private func noteCalibration(_ key: String, _ value: String) {
    guard let number = Double(value), let axis = ["x", "y", "z"].firstIndex(of: String(key.prefix(1))) else { return }
    switch key.dropFirst() {
    case " gain" where number != 0:
      calibration.gain[axis] = number
      calibration.found |= 1 << UInt8(axis)
    case " offset":
      calibration.offset[axis] = number
      calibration.found |= 8 << UInt8(axis)
    default: break
    }
  }

  private func notePage(_ key: String, _ value: String) {
    switch key {
    case "Sequence Number": page?.sequence = Int(value)
    case "Page Time":
      // `2013-05-30 10:12:54:500`: a third colon precedes the milliseconds.
      let text = Array(value.utf8)
      page?.nanoseconds = DateTimeText.parseDateAndTime(text.span, text.indices)
    case "Measurement Frequency": page?.rate = Double(value).flatMap { (1...5000).contains($0) ? $0 : nil }
    default: break
    }
  }

  private func take(_ whole: Span<UInt8>, isLast: Bool, _ sink: inout DumpSink) {
    guard var page, !page.hasData else { return }
    page.hasData = true
    self.page = page
    let rate = page.rate ?? headerRate ?? 0
    guard rate > 0, let start = page.nanoseconds ?? inferredTime(page) else {
      return sink.lose(.time, .page, number: part, byte: page.byte)
    }
    var length = whole.count
    while length > 0, whole[length - 1] == 0x0D || whole[length - 1] == 0 { length -= 1 }
    let line = whole.extracting(..<length)
    let good = Self.digitsBefore(line)
    if good < line.count { sink.lose(.digits, .page, number: part, byte: page.byte) }
    if good == line.count, line.count != Self.pageSize * Self.digits {
      // At the end of the file, complete samples are valid. Elsewhere it is unknown which samples the lost digits
      // shift.
      sink.lose(isLast ? .cutOff : .length, .page, number: part, byte: page.byte)
      if !isLast { return }
    }
    let count = min(good / Self.digits, Self.pageSize)
    // The acceleration in g is (100 × value − offset) / gain.
    let (offset, scale) = (SIMD3<Float>(calibration.offset / 100), SIMD3<Float>(100 / calibration.gain))
    unsafe sink.add(
      count, of: line.extracting(..<(count * Self.digits)), at: EvenTimes(anchor: start, period: 1e9 / rate), part: part
    ) { digits, time, samples in
      unsafe unpack_geneactiv(
        digits, count, [offset.x, offset.y, offset.z], [scale.x, scale.y, scale.z], time, samples)
    }
    if let sequence = page.sequence { previous = (sequence, start, rate) }
  }

  /// The number of hexadecimal digits at the beginning of a line.
  static func digitsBefore(_ line: Span<UInt8>) -> Int {
    let isWhole = unsafe line.withUnsafeBufferPointer { line in
      unsafe line.baseAddress.map { unsafe are_hexadecimal($0, line.count) } ?? true
    }
    return isWhole ? line.count : line.indices.first { !Character(UnicodeScalar(line[$0])).isHexDigit } ?? line.count
  }

  /// The time of a page that lost its time, if the previous page directly precedes it.
  private func inferredTime(_ page: Page) -> Int64? {
    guard let previous, page.sequence == previous.sequence + 1 else { return nil }
    // Pages begin at whole milliseconds, usually at multiples of half a second.
    return previous.nanoseconds + Int64((Double(Self.pageSize) * 1e3 / previous.rate).rounded()) * 1_000_000
  }

  private func finishPage(_ sink: inout DumpSink) {
    if let page, !page.hasData { sink.lose(.cutOff, .page, number: part, byte: page.byte) }
    page = nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
