import Accelerometry
import Platform

/// Axivity CWA, as AX3 and AX6 write it: a header of 1024 bytes, then blocks of 512 with 40 to 120 samples.
///
/// The layout is Open Movement's ("AX3/AX6 CWA file format"). Times follow the rule of the maker's converter,
/// omconvert: each block states the moment of one sample, which usually lies in a later block; between two such
/// moments time is linear, before the first and behind the last of an unbroken run the nominal rate holds. A run ends
/// where a block is missing or damaged, where the sequence number does not follow, and where the settings change.
final class CWADecoder: DumpDecoder {
  static let blockSize = 512
  static let headerSize = 1024
  static let blockMagic: [UInt8] = [0x41, 0x58, 0xFC, 0x01]
  static let headerMagic: [UInt8] = [0x4D, 0x44, 0xFC, 0x03]

  private var hasStarted = false
  private var run = Run()
  private var part = 0
  private var erased = 0

  /// A moment that a block states for a sample.
  private struct Anchor {
    var index: Double
    var nanoseconds: Int64
  }

  /// Blocks that follow each other.
  private struct Run {
    var next: UInt32?
    var session: UInt32 = 0
    var setting: UInt32 = 0
    var rate = 0.0
    /// Samples so far, those that wait included.
    var count = 0
    var anchor: Anchor?
    var waiting: [SIMD3<Float>] = []
    var firstWaiting: Int { count - waiting.count }
  }

  func decode(_ bytes: inout DumpBytes, into sink: DumpSink) throws(RecordingError) -> Bool {
    if !hasStarted { try readHeader(&bytes, sink) }
    for _ in 0..<16 {
      guard try bytes.require(Self.blockSize) else {
        finish(&run, sink)
        if bytes.count > 0 {
          if erased == 0 { sink.lose(.cutOff, .block, number: part + 1, byte: bytes.offset) }
          bytes.consume(bytes.count)
        }
        return false
      }
      if Self.isWhole(bytes.storage.span.extracting(bytes.bounds), 0) {
        noteErased(sink, bytes.offset)
        part += 1
        take(bytes.storage.span.extracting(bytes.bounds), sink)
        bytes.consume(Self.blockSize)
      } else {
        try search(&bytes, sink)
      }
    }
    return true
  }

  /// Reads the header, if it is there, and goes to the first block.
  private func readHeader(_ bytes: inout DumpBytes, _ sink: DumpSink) throws(RecordingError) {
    hasStarted = true
    guard try bytes.require(Self.headerSize) else { return }
    if readHeader(bytes.storage.span.extracting(bytes.bounds), sink) { bytes.consume(Self.headerSize) }
  }

  /// - Returns: whether the header, whole or damaged, takes its place.
  private func readHeader(_ head: Span<UInt8>, _ sink: DumpSink) -> Bool {
    if head.holds(Self.blockMagic, at: 0) {
      sink.doubt("the header is missing; the device is unknown")
      return false
    }
    guard head[0] == 0x4D, head[1] == 0x44 else {
      sink.lose(.header, .block, number: 0, byte: 0)
      return true
    }
    var device = RecordingDevice(maker: "Axivity", model: head[4] == 0x64 ? "AX6" : "AX3")
    let high = head.uint16(11)
    device.serial = String(UInt32(head.uint16(5)) | UInt32(high == 0xFFFF ? 0 : high) << 16)
    device.firmware = String(head[41])
    let rate = head[36]
    if rate != 0 {
      sink.nominalRate = Self.rate(rate)
      device.range = Double(16 >> Int(rate >> 6))
    }
    let zone = head.int16(42)
    if zone != -1, zone > -24 * 60, zone < 24 * 60 { sink.assembler.summary.utcOffset = Int(zone) * 60 }
    sink.assembler.summary.device = device
    return true
  }

  /// Samples a second by the code in a header or block.
  static func rate(_ code: UInt8) -> Double { 3200 / Double(1 << (15 - Int(code & 15))) }

  /// Whether a block lies here, to its last byte.
  static func isWhole(_ bytes: borrowing Span<UInt8>, _ place: Int) -> Bool {
    guard bytes.holds(blockMagic, at: place) else { return false }
    if bytes[place + 24] != 0 {
      var sum: UInt16 = 0
      var i = place
      while i < place + blockSize {
        sum &+= bytes.uint16(i)
        i += 2
      }
      if sum != 0 { return false }
    }
    let axes = bytes[place + 25]
    let count = Int(bytes.uint16(place + 28))
    let size = axes & 15 == 0 ? 4 : Int(axes >> 4) * 2
    return [3, 6, 9].contains(axes >> 4) && count * size <= 480
      && moment(bytes.uint32(place + 14)) != nil
  }

  /// The seconds since 1970 of a packed date and time; nothing when it is none.
  static func moment(_ packed: UInt32) -> Int64? {
    let (month, day) = (Int(packed >> 22 & 15), Int(packed >> 17 & 31))
    let (hour, minute, second) = (Int(packed >> 12 & 31), Int(packed >> 6 & 63), Int(packed & 63))
    guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60 else { return nil }
    let days = CivilDays.days(year: 2000 + Int(packed >> 26), month: month, day: day)
    return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// Passes over what is no block: one on the grid first, any place at all otherwise.
  private func search(_ bytes: inout DumpBytes, _ sink: DumpSink) throws(RecordingError) {
    let start = bytes.offset
    finish(&run, sink)
    run = Run()
    if Self.isErased(bytes.storage.span.extracting(bytes.bounds)) {
      erased += 1
      part += 1
      return bytes.consume(Self.blockSize)
    }
    noteErased(sink, start)
    let isBlock =
      bytes.storage.span.extracting(bytes.bounds)[0] == 0x41 && bytes.storage.span.extracting(bytes.bounds)[1] == 0x58
    // The next one on the grid, if it is whole, was not moved by lost bytes.
    let hasNext = try bytes.require(2 * Self.blockSize)
    let followsGrid = hasNext && Self.isWhole(bytes.storage.span.extracting(bytes.bounds), Self.blockSize)
    var skipped = 0
    if followsGrid {
      skipped = Self.blockSize
    } else {
      skipped = 1
      while try bytes.require(skipped + Self.blockSize) {
        let window = bytes.storage.span.extracting(bytes.bounds)
        var place: Int? = nil
        while skipped + Self.blockSize <= window.count {
          if window[skipped] == 0x41, Self.isWhole(window, skipped) {
            place = skipped
            break
          }
          // On the grid again, and erased or damaged itself.
          if skipped == Self.blockSize, window[skipped] == 0x41 || Self.isErased(window.extracting(skipped...)) {
            place = skipped
            break
          }
          skipped += 1
        }
        if place != nil || skipped >= 1 << 16 { break }
      }
      if bytes.count < skipped + Self.blockSize { skipped = bytes.count }
    }
    let isStray = !isBlock && skipped < Self.blockSize
    if isStray {
      sink.lose(.strayBytes, .byte, number: 0, byte: start, count: skipped)
    } else {
      part += max(1, skipped / Self.blockSize)
      let reason: DumpLosses.Reason = isBlock ? (skipped == Self.blockSize ? .checksum : .length) : .header
      sink.lose(reason, .block, number: part, byte: start, count: max(1, skipped / Self.blockSize))
    }
    bytes.consume(skipped)
  }

  /// Erased memory in front of a block is a gap; at the end of a file it is nothing.
  private func noteErased(_ sink: DumpSink, _ byte: Int) {
    if erased > 0, sink.assembler.summary.recordingStart != nil {
      sink.lose(.erased, .block, number: part - erased + 1, byte: byte - erased * Self.blockSize, count: erased)
    }
    erased = 0
  }

  private static func isErased(_ bytes: Span<UInt8>) -> Bool {
    let first = bytes[0]
    guard first == 0xFF || first == 0, bytes.count >= blockSize else { return false }
    for i in 0..<blockSize where bytes[i] != first { return false }
    return true
  }

  /// Takes a whole block.
  private func take(_ block: Span<UInt8>, _ sink: DumpSink) {
    let code = block[24]
    let rate = code == 0 ? Double(block.uint16(26)) : Self.rate(code)
    let sequence = block.uint32(10)
    let setting = UInt32(code) | UInt32(block[25]) << 8 | UInt32(block.uint16(18) & 0xFC00) << 16
    if run.next != sequence || run.session != block.uint32(6) || run.setting != setting {
      finish(&run, sink)
      run = Run()
      (run.session, run.setting, run.rate) = (block.uint32(6), setting, rate)
    }
    run.next = sequence &+ 1
    if sink.nominalRate == nil { sink.nominalRate = rate }
    guard rate > 0, let second = Self.moment(block.uint32(14)) else { return }
    var offset = code == 0 ? 0 : Int(block.int16(26))
    var nanoseconds = second * 1_000_000_000
    let word = block.uint16(4)
    if word & 0x8000 != 0 {
      let fraction = Int(word & 0x7FFF) << 1
      // The device wrote an offset that makes whole seconds right; with the fraction it is undone.
      offset += (fraction * Int(rate)) >> 16
      nanoseconds += (Int64(fraction) * 1_000_000_000) >> 16
    }
    let before = run.count
    unpack(block)
    date(Anchor(index: Double(before + offset), nanoseconds: nanoseconds), sink)
  }

  /// Appends a block's samples to those that wait.
  private func unpack(_ block: Span<UInt8>) {
    let axes = block[25]
    let count = Int(block.uint16(28))
    let scale = 1 / Float(1 << (8 + Int(block.uint16(18) >> 13)))
    run.count += count
    if axes & 15 == 0 {
      for i in 0..<count {
        let word = block.uint32(30 + 4 * i)
        let exponent = Int32(word >> 30)
        let x = (Int32(bitPattern: word << 22) >> 22) << exponent
        let y = (Int32(bitPattern: word << 12) >> 22) << exponent
        let z = (Int32(bitPattern: word << 2) >> 22) << exponent
        run.waiting.append(SIMD3(Float(x), Float(y), Float(z)) * scale)
      }
      return
    }
    let stride = Int(axes >> 4) * 2
    // The gyroscope comes first where there is one.
    var place = 30 + (stride > 6 ? 6 : 0)
    for _ in 0..<count {
      run.waiting.append(
        SIMD3(Float(block.int16(place)), Float(block.int16(place + 2)), Float(block.int16(place + 4))) * scale)
      place += stride
    }
  }

  /// Hands out the samples before a stated moment.
  private func date(_ anchor: Anchor, _ sink: DumpSink) {
    let period = 1e9 / run.rate
    guard let last = run.anchor else {
      run.anchor = anchor
      return emit(below: anchor.index, from: anchor, period: period, sink)
    }
    let count = anchor.index - last.index
    let elapsed = Double(anchor.nanoseconds - last.nanoseconds)
    guard count > 0 else { return }
    // Sensors are off by 3 % at most; more is a clock that was set, behind which a new run begins.
    guard abs(elapsed / count / period - 1) < 0.2 else {
      let own = run.count
      emit(below: .infinity, from: last, period: period, sink)
      run.anchor = Anchor(index: anchor.index, nanoseconds: anchor.nanoseconds)
      run.count = own
      return
    }
    emit(below: anchor.index, from: last, period: elapsed / count, sink)
    run.anchor = anchor
  }

  private func finish(_ run: inout Run, _ sink: DumpSink) {
    guard let last = run.anchor, !run.waiting.isEmpty else { return }
    let period = 1e9 / run.rate
    for (place, acceleration) in run.waiting.enumerated() {
      let time = (Double(run.firstWaiting + place) - last.index) * period
      sink.add(last.nanoseconds + Int64(time.rounded()), acceleration, part: part)
    }
    run.waiting.removeAll(keepingCapacity: true)
  }

  private func emit(below index: Double, from anchor: Anchor, period: Double, _ sink: DumpSink) {
    let first = run.firstWaiting
    var taken = 0
    while taken < run.waiting.count, Double(first + taken) < index {
      let time = (Double(first + taken) - anchor.index) * period
      sink.add(anchor.nanoseconds + Int64(time.rounded()), run.waiting[taken], part: part)
      taken += 1
    }
    run.waiting.removeFirst(taken)
  }
}
