import Accelerometry
import CDigitMask
import Platform

/// Axivity CWA, as written by AX3 and AX6: a header of 1024 bytes, then blocks of 512 bytes with 40 to 120 samples.
///
/// The layout is documented by Open Movement ("AX3/AX6 CWA file format"). Times follow the rule of the manufacturer's
/// converter, omconvert: each block states the time of one sample, which is usually in a later block. Between two such
/// times, samples are spaced evenly; before the first and after the last one of an unbroken run, at the nominal
/// frequency. A run ends at a missing or damaged block, a break in the sequence numbers, or a change of settings.
struct CWADecoder: DumpDecoder {
  static let blockSize = 512
  static let headerSize = 1024
  static let blockMagic: [UInt8] = [0x41, 0x58, 0xFC, 0x01]
  static let headerMagic: [UInt8] = [0x4D, 0x44, 0xFC, 0x03]

  private var hasStarted = false
  private var run = Run()
  private var part = 0
  private var erased = 0

  /// The time that a block states for a sample.
  private struct Anchor {
    var index: Double
    var nanoseconds: Int64
  }

  /// Consecutive blocks.
  private struct Run {
    var next: UInt32?
    var session: UInt32 = 0
    var setting: UInt32 = 0
    var rate = 0.0
    /// Samples so far, including waiting ones.
    var count = 0
    var anchor: Anchor?
    /// Raw samples as in the blocks; those before `taken` were already delivered.
    var waiting: [UInt8] = []
    var taken = 0
    /// Bytes per sample.
    var stride = 4
    /// The size of a count in g.
    var scale: Float = 0
    var countWaiting: Int { (waiting.count - taken) / stride }
    var firstWaiting: Int { count - countWaiting }
  }

  mutating func decode(_ bytes: inout DumpBytes, into sink: inout DumpSink) throws(RecordingError) -> Bool {
    if !hasStarted { try readHeader(&bytes, &sink) }
    for _ in 0..<16 where !sink.isFull {
      guard try bytes.require(Self.blockSize) else {
        finish(&sink)
        if erased == 0 { sink.noteEnd(bytes, .block, number: part + 1) }
        return false
      }
      if Self.isWhole(bytes.window, 0) {
        noteErased(&sink, bytes.offset)
        part += 1
        take(bytes.window, &sink)
        bytes.consume(Self.blockSize)
      } else {
        finish(&sink)
        run = Run()
        try search(&bytes, &sink)
      }
    }
    return true
  }

  /// Reads the header, if present, and advances to the first block.
  private mutating func readHeader(_ bytes: inout DumpBytes, _ sink: inout DumpSink) throws(RecordingError) {
    hasStarted = true
    guard try bytes.require(Self.headerSize) else { return }
    if readHeader(bytes.window, &sink) { bytes.consume(Self.headerSize) }
  }

  /// - Returns: whether there is a header, intact or damaged.
  private func readHeader(_ head: Span<UInt8>, _ sink: inout DumpSink) -> Bool {
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

  /// Samples per second, from the code in a header or block.
  static func rate(_ code: UInt8) -> Double { 3200 / Double(1 << (15 - Int(code & 15))) }

  static func isWhole(_ bytes: borrowing Span<UInt8>, _ place: Int) -> Bool {
    guard bytes.holds(blockMagic, at: place) else { return false }
    if bytes[place + 24] != 0, bytes.sum16(place, blockSize) != 0 { return false }
    let axes = bytes[place + 25]
    let count = Int(bytes.uint16(place + 28))
    let size = axes & 15 == 0 ? 4 : Int(axes >> 4) * 2
    return [3, 6, 9].contains(axes >> 4) && count * size <= 480 && isMoment(bytes.uint32(place + 14))
  }

  static func isMoment(_ packed: UInt32) -> Bool {
    (1...12).contains(packed >> 22 & 15) && packed >> 17 & 31 > 0 && packed >> 12 & 31 < 24 && packed >> 6 & 63 < 60
      && packed & 63 < 60
  }

  /// The seconds since 1970 of a packed date and time; `nil` if it is invalid.
  static func moment(_ packed: UInt32) -> Int64? {
    guard isMoment(packed) else { return nil }
    let days = CivilDays.days(
      year: 2000 + Int(packed >> 26), month: Int(packed >> 22 & 15), day: Int(packed >> 17 & 31))
    let seconds: UInt32 = (packed >> 12 & 31) * 3600 + (packed >> 6 & 63) * 60 + (packed & 63)
    return Int64(days) * 86_400 + Int64(seconds)
  }

  /// Skips bytes up to the next block: first at multiples of the block size, then at any offset.
  private mutating func search(_ bytes: inout DumpBytes, _ sink: inout DumpSink) throws(RecordingError) {
    let start = bytes.offset
    if Self.isErased(bytes.window) {
      erased += 1
      part += 1
      return bytes.consume(Self.blockSize)
    }
    noteErased(&sink, start)
    let isBlock = bytes[0] == 0x41 && bytes[1] == 0x58
    // If the next aligned block is intact, no bytes were lost or added.
    let hasNext = try bytes.require(2 * Self.blockSize)
    let followsGrid = hasNext && Self.isWhole(bytes.window, Self.blockSize)
    var skipped = followsGrid ? Self.blockSize : 1
    if !followsGrid {
      while try bytes.require(skipped + Self.blockSize) {
        let window = bytes.window
        var isFound = false
        while !isFound, skipped + Self.blockSize <= window.count {
          // Aligned again, the block may be erased or damaged.
          isFound =
            (window[skipped] == 0x41 && (skipped == Self.blockSize || Self.isWhole(window, skipped)))
            || (skipped == Self.blockSize && Self.isErased(window.extracting(skipped...)))
          if !isFound { skipped += 1 }
        }
        if isFound || skipped >= 1 << 16 { break }
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

  /// Erased memory before a block is a gap; at the end of the file it means nothing.
  private mutating func noteErased(_ sink: inout DumpSink, _ byte: Int) {
    if erased > 0, sink.assembler.summary.recordingStart != nil {
      sink.lose(.erased, .block, number: part - erased + 1, byte: byte - erased * Self.blockSize, count: erased)
    }
    erased = 0
  }

  private static func isErased(_ bytes: Span<UInt8>) -> Bool {
    let first = bytes[0]
    guard first == 0xFF || first == 0, bytes.count >= blockSize else { return false }
    return (0..<blockSize).allSatisfy { bytes[$0] == first }
  }

  private mutating func take(_ block: Span<UInt8>, _ sink: inout DumpSink) {
    let code = block[24]
    let rate = code == 0 ? Double(block.uint16(26)) : Self.rate(code)
    let sequence = block.uint32(10)
    let setting = UInt32(code) | UInt32(block[25]) << 8 | UInt32(block.uint16(18) & 0xFC00) << 16
    if run.next != sequence || run.session != block.uint32(6) || run.setting != setting {
      finish(&sink)
      run = Run()
      (run.session, run.setting, run.rate) = (block.uint32(6), setting, rate)
      run.scale = 1 / Float(1 << (8 + Int(block.uint16(18) >> 13)))
      run.stride = block[25] & 15 == 0 ? 4 : Int(block[25] >> 4) * 2
    }
    run.next = sequence &+ 1
    if sink.nominalRate == nil { sink.nominalRate = rate }
    guard rate > 0, let second = Self.moment(block.uint32(14)) else { return }
    var offset = code == 0 ? 0 : Int(block.int16(26))
    var nanoseconds = second * 1_000_000_000
    let word = block.uint16(4)
    if word & 0x8000 != 0 {
      let fraction = Int(word & 0x7FFF) << 1
      // The device added an offset to get whole seconds; with the fraction known, it is undone.
      offset += (fraction * Int(rate)) >> 16
      nanoseconds += (Int64(fraction) * 1_000_000_000) >> 16
    }
    let before = run.count
    gather(block)
    date(Anchor(index: Double(before + offset), nanoseconds: nanoseconds), &sink)
  }

  /// Appends a block's samples to the waiting ones.
  private mutating func gather(_ block: Span<UInt8>) {
    let count = Int(block.uint16(28))
    run.count += count
    if run.taken > 1 << 12 {
      run.waiting.removeFirst(run.taken)
      run.taken = 0
    }
    let payload = block.extracting(30..<30 + count * run.stride)
    unsafe payload.withUnsafeBufferPointer { unsafe run.waiting.append(contentsOf: $0) }
  }

  /// Delivers the samples before a stated time.
  private mutating func date(_ anchor: Anchor, _ sink: inout DumpSink) {
    let period = 1e9 / run.rate
    guard let last = run.anchor else {
      run.anchor = anchor
      return emit(below: anchor.index, from: anchor, period: period, &sink)
    }
    let count = anchor.index - last.index
    let elapsed = Double(anchor.nanoseconds - last.nanoseconds)
    guard count > 0 else { return }
    // Clocks of sensors deviate by at most 3 %. A larger deviation means that the clock was set: a new run begins.
    if abs(elapsed / count / period - 1) < 0.2 {
      emit(below: anchor.index, from: last, period: elapsed / count, &sink)
    } else {
      emit(below: .infinity, from: last, period: period, &sink)
    }
    run.anchor = anchor
  }

  private mutating func finish(_ sink: inout DumpSink) {
    guard let last = run.anchor, run.countWaiting > 0 else { return }
    emit(run.countWaiting, from: last, period: 1e9 / run.rate, &sink)
  }

  private mutating func emit(below index: Double, from anchor: Anchor, period: Double, _ sink: inout DumpSink) {
    let before = (index - Double(run.firstWaiting)).rounded(.up)
    guard before > 0 else { return }
    let count = before < Double(run.countWaiting) ? Int(before) : run.countWaiting
    emit(count, from: anchor, period: period, &sink)
  }

  /// Delivers the first waiting samples.
  private mutating func emit(_ count: Int, from anchor: Anchor, period: Double, _ sink: inout DumpSink) {
    let times = EvenTimes(anchor: anchor.nanoseconds, first: Double(run.firstWaiting) - anchor.index, period: period)
    let (stride, scale) = (run.stride, run.scale)
    let raw = run.taken..<run.taken + count * stride
    unsafe sink.add(count, of: run.waiting.span.extracting(raw), at: times, part: part) { bytes, time, samples in
      if stride == 4 {
        unsafe unpack_cwa_packed(bytes, count, scale, time, samples)
      } else {
        // If there is a gyroscope, its values come first.
        unsafe unpack_cwa(bytes + (stride > 6 ? 6 : 0), stride, count, scale, time, samples)
      }
    }
    run.taken += count * run.stride
    if run.taken == run.waiting.count {
      run.waiting.removeAll(keepingCapacity: true)
      run.taken = 0
    }
  }
}
