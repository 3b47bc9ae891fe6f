import Accelerometry
import IIOScans

/// Raw scans of an IIO buffer, as written by the kernel, `iio_readdev` and `record --raw` of version 0.1.
///
/// There is no header, checksum or separator. Only the timestamps show where a scan begins: they increase by about the
/// same amount from scan to scan. Where they do not, bytes were lost or added, and decoding resumes at the next
/// position with four consecutive scans. A pause followed by regular scans is a gap.
final class ScanDumpDecoder: DumpDecoder {
  private enum Timing {
    /// From timestamps; the usual interval between scans, in nanoseconds.
    case stamps(period: Int64)
    case even(EvenTimes)
  }

  private let candidates: [ScanDescription]
  private let path: String
  private let rate: SamplingFrequency?
  private var decoder: ScanDecoder?
  private var stampField: ScanLayout.Field?
  private var timing = Timing.stamps(period: 0)
  private var scratch: [AccelerationSample] = []
  /// The raw timestamp of the last scan.
  private var last: Int64?
  private var part = 0

  /// - Parameters:
  ///   - candidates: possible layouts of the scans, the most probable first.
  ///   - path: the name of the recording in errors.
  ///   - rate: the stated sampling frequency, for a recording without times.
  init(_ candidates: [ScanDescription], path: String, rate: SamplingFrequency?) {
    (self.candidates, self.path, self.rate) = (candidates, path, rate)
  }

  /// The number of scans from which the layout is detected.
  private static let scansOfHead = 8
  /// The number of consecutive scans that cannot be a coincidence.
  fileprivate static let scansOfRun = 4
  /// The number of scans after lost bytes that are searched at a time.
  private static let scansOfSearch = 12
  /// Longer intervals are pauses, in nanoseconds.
  private static let longestStep = SampleAssembler.longestStep
  private static let scansAtOnce = 512

  func decode(_ bytes: inout DumpBytes, into sink: inout DumpSink) throws(RecordingError) -> Bool {
    if decoder == nil { try choose(&bytes, &sink) }
    guard let size = decoder?.scanSize, try bytes.require(size) else {
      noteEnd(bytes, &sink)
      return false
    }
    switch timing {
    case .even(let times): takeEvenly(&bytes, times, &sink)
    case .stamps(let period): try takeStamped(&bytes, period: period, &sink)
    }
    return true
  }

  // MARK: Scans

  private func takeEvenly(_ bytes: inout DumpBytes, _ times: EvenTimes, _ sink: inout DumpSink) {
    let count = decodeWhole(bytes)
    var times = times
    times.first = Double(part)
    for index in 0..<count { sink.add(times[index], scratch[index].acceleration, part: part + 1 + index) }
    part += count
    bytes.consume(count * (decoder?.scanSize ?? 0))
  }

  private func takeStamped(_ bytes: inout DumpBytes, period: Int64, _ sink: inout DumpSink) throws(RecordingError) {
    guard let decoder else { return }
    let count = decodeWhole(bytes)
    if last == nil, count > 0 {
      // The time since boot means nothing a day later; values of a realtime clock are recognised by their size.
      sink.assembler.summary.timestampsAreAbsolute = Self.unixTimes.contains(scratch[0].nanoseconds)
    }
    var taken = 0
    while taken < count {
      let stamp = scratch[taken].nanoseconds
      guard isOrdinary(stamp, period: period) else { break }
      part += 1
      last = stamp
      sink.add(stamp, scratch[taken].acceleration, part: part)
      taken += 1
    }
    bytes.consume(taken * decoder.scanSize)
    if taken < count { try passDisorder(&bytes, decoder, period: period, &sink) }
  }

  /// 2001 to 2100, in nanoseconds.
  private static let unixTimes: ClosedRange<Int64> = 1_000_000_000_000_000_000...4_102_444_800_000_000_000

  private func decodeWhole(_ bytes: borrowing DumpBytes) -> Int {
    guard let decoder else { return 0 }
    let count = min(bytes.count / decoder.scanSize, Self.scansAtOnce)
    decode(count, bytes, decoder)
    return count
  }

  private func decode(_ count: Int, _ bytes: borrowing DumpBytes, _ decoder: ScanDecoder) {
    scratch.removeAll(keepingCapacity: true)
    unsafe decoder.decode(bytes.window.bytes.extracting(first: count * decoder.scanSize), into: &scratch)
  }

  /// Whether a scan can follow the last one without further checks. A short step back does not mean that bytes were
  /// lost: drivers that empty a chip's FIFO interpolate their timestamps.
  private func isOrdinary(_ stamp: Int64, period: Int64) -> Bool {
    guard let last else { return true }
    let (step, overflow) = stamp.subtractingReportingOverflow(last)
    return !overflow && step.magnitude <= UInt64(Self.longestOrdinaryStep(period))
  }

  /// A longer step needs further checks: a single wrong time would otherwise cost all scans up to it.
  private static func longestOrdinaryStep(_ period: Int64) -> Int64 { max(8 * period, 50_000_000) }

  // MARK: Damage

  /// Handles a scan whose time does not follow: a pause, or lost bytes.
  private func passDisorder(
    _ bytes: inout DumpBytes, _ decoder: ScanDecoder, period: Int64, _ sink: inout DumpSink
  ) throws(RecordingError) {
    // In a pipe, a pause is recognised once a few more scans have arrived.
    let length = decoder.scanSize * Self.scansOfRun
    let isWhole = try bytes.require(length)
    if !isWhole || !run(bytes, at: 0, decoder, period, isLater: true) {
      // The same number of bytes is searched however many have arrived, so the result does not depend on that.
      _ = try bytes.require(length + decoder.scanSize * Self.scansOfSearch)
      let window = min(bytes.count, length + decoder.scanSize * Self.scansOfSearch)
      // At the end of the data, shorter runs suffice.
      let isEnd = try !bytes.require(window + 1)
      let places = max(0, window - (isEnd ? decoder.scanSize : length) + 1)
      // A clock that was set back is accepted only if no scan continues from the previous time.
      let place =
        (0..<places).first { run(bytes, at: $0, decoder, period, isLater: true) }
        ?? (0..<places).first { run(bytes, at: $0, decoder, period, isLater: false) }
      // If nothing fits, what may be the beginning of a run is kept.
      guard let place else { return lose(max(1, places), &bytes, &sink) }
      if place > 0 { lose(place, &bytes, &sink) }
    }
    decode(1, bytes, decoder)
    part += 1
    last = scratch[0].nanoseconds
    sink.add(scratch[0].nanoseconds, scratch[0].acceleration, part: part)
    bytes.consume(decoder.scanSize)
  }

  private func lose(_ count: Int, _ bytes: inout DumpBytes, _ sink: inout DumpSink) {
    sink.lose(.strayBytes, .byte, number: 0, byte: bytes.offset, count: count)
    bytes.consume(count)
  }

  /// Whether consecutive scans begin at a position after the last one; at the end of the data, fewer suffice.
  private func run(
    _ bytes: borrowing DumpBytes, at place: Int, _ decoder: ScanDecoder, _ period: Int64, isLater: Bool,
    of scans: Int = ScanDumpDecoder.scansOfRun
  ) -> Bool {
    let size = decoder.scanSize
    let count = min(scans, (bytes.count - place) / size)
    guard count > 0, let field = stampField else { return false }
    var previous: Int64?
    for index in 0..<count {
      let stamp = Self.stamp(bytes, at: place + index * size + field.offset, field.format.isBigEndian)
      guard stamp > 0 else { return false }
      if let previous {
        let step = stamp &- previous
        guard step >= period / 8, step <= Self.longestOrdinaryStep(period) else { return false }
      } else if let last {
        let (step, overflow) = stamp.subtractingReportingOverflow(last)
        if overflow || (isLater && (step <= 0 || step > SampleAssembler.longestPause)) { return false }
        // A single scan counts only if it continues from the last one.
        if count == 1, step > Self.longestStep { return false }
      }
      previous = stamp
    }
    return true
  }

  private static func stamp(_ bytes: borrowing DumpBytes, at place: Int, _ isBigEndian: Bool) -> Int64 {
    let stored = bytes.window.uint64(place)
    return Int64(bitPattern: isBigEndian ? stored.byteSwapped : stored)
  }

  private func noteEnd(_ bytes: borrowing DumpBytes, _ sink: inout DumpSink) {
    sink.noteEnd(bytes, .scan, number: part + 1)
    guard bytes.count > 0, case .even = timing else { return }
    sink.doubt("the scans have no usable timestamps, so bytes that are missing before the end would go unnoticed")
  }
}

// MARK: - What the scans hold

extension ScanDumpDecoder {
  /// The result of comparing a description with the first scans.
  private enum Fit {
    /// The timestamps increase by about this many nanoseconds.
    case rises(by: Int64)
    /// All timestamps are the same.
    case stands
    case unstamped
    /// The values are not timestamps.
    case no
  }

  /// Finds the description that fits, and adds its facts to the summary.
  private func choose(_ bytes: inout DumpBytes, _ sink: inout DumpSink) throws(RecordingError) {
    let usable = candidates.filter { ($0.decoder?.scanSize ?? 0) > 0 }
    guard let largest = usable.map(\.layout.size).max() else {
      throw .unreadableScans(
        path: path,
        reason: "the description of the scans has no three axes of acceleration; name another device with"
          + " \(option: .scans)")
    }
    // A pipe may not deliver more than is required, and must not have another result.
    let head = largest * 2 * Self.scansOfHead
    _ = try bytes.require(head)
    let fits = usable.map { ($0, fit(of: $0, bytes, in: min(head, bytes.count))) }
    for (candidate, fit) in fits {
      if case .rises(let period) = fit { return begin(candidate, .stamps(period: period), &sink) }
    }
    if bytes.count == 0 { throw .empty(path: path) }
    // Without timestamps, only a single description can be trusted.
    let others = fits.filter { if case .no = $0.1 { false } else { true } }
    guard let (candidate, fit) = others.first, others.count == 1 else {
      if try findStart(usable, &bytes, &sink) { return }
      throw .unreadableScans(path: path, reason: misfit(usable))
    }
    guard let frequency = rate ?? candidate.samplingFrequency else {
      throw .unreadableScans(
        path: path,
        reason: "the scans have no usable timestamps, and nothing states the sampling frequency; give \(option: .rate)")
    }
    if case .stands = fit {
      sink.doubt("the timestamps of the scans do not rise, so samples are spaced evenly at \(frequency)")
    }
    begin(candidate, .even(EvenTimes(anchor: 0, period: frequency.periodInNanoseconds)), &sink)
    sink.nominalRate = frequency.hertz
    sink.assembler.summary.timestampsAreAbsolute = false
  }

  /// Finds the first position with consecutive scans: the first scan may be incomplete.
  private func findStart(
    _ usable: [ScanDescription], _ bytes: inout DumpBytes, _ sink: inout DumpSink
  ) throws(RecordingError) -> Bool {
    let head = (usable.map(\.layout.size).max() ?? 0) * 4 * Self.scansOfHead
    _ = try bytes.require(head)
    for candidate in usable {
      guard let decoder = candidate.decoder, decoder.hasTimestamps else { continue }
      stampField = candidate.layout["in_timestamp"]
      let period = candidate.usualPeriod
      let places = max(0, min(head, bytes.count) - Self.scansOfHead * decoder.scanSize + 1)
      let place = (0..<places).first { place in
        run(bytes, at: place, decoder, period, isLater: false, of: Self.scansOfHead)
      }
      guard let place else { continue }
      begin(candidate, .stamps(period: period), &sink)
      if place > 0 { lose(place, &bytes, &sink) }
      return true
    }
    return false
  }

  private func misfit(_ usable: [ScanDescription]) -> String {
    let tried = usable.prefix(3).map { "\($0.layout)\($0.isPacked ? ", packed" : "")" }
    return "no rising timestamps where the layout has them (\(tried.joined(separator: "; or ")));"
      + " switch on the channels that were recorded (echo 1 > /sys/bus/iio/devices/iio:deviceN/scan_elements/in_…_en)"
      + " and try again, or name the right device with \(option: .scans)"
  }

  private func begin(_ found: ScanDescription, _ timing: Timing, _ sink: inout DumpSink) {
    decoder = found.decoder
    stampField = found.layout["in_timestamp"]
    self.timing = timing
    sink.nominalRate = found.samplingFrequency?.hertz
    sink.assembler.summary.isWallClock = false
    var device = RecordingDevice(maker: found.name)
    device.range = found.range
    sink.assembler.summary.device = device
    if case .stamps = timing, rate != nil {
      sink.doubt("the given sampling frequency was ignored, because the recording has timestamps")
    }
  }

  private func fit(of candidate: ScanDescription, _ bytes: borrowing DumpBytes, in length: Int) -> Fit {
    let layout = candidate.layout
    guard let field = layout["in_timestamp"] else { return .unstamped }
    let count = min(2 * Self.scansOfHead, length / layout.size)
    let stamps = (0..<count).map {
      Self.stamp(bytes, at: $0 * layout.size + field.offset, field.format.isBigEndian)
    }
    return Self.fit(of: stamps, candidate)
  }

  private static func fit(of stamps: [Int64], _ candidate: ScanDescription) -> Fit {
    guard let first = stamps.first else { return .no }
    if stamps.count == 1 { return first > 0 ? .rises(by: candidate.usualPeriod) : .no }
    if stamps.allSatisfy({ $0 == first }) { return .stands }
    let steps = zip(stamps.dropFirst(), stamps).map { $0 &- $1 }
    let good = steps.filter { $0 >= shortestStep && $0 <= longestStep }
    // A single bad scan or pause among the first ones does not disqualify a layout.
    guard first > 0, good.count * 4 >= steps.count * 3 else { return .no }
    return .rises(by: good.median)
  }

  /// The shortest interval between samples of any accelerometer, in nanoseconds.
  private static let shortestStep: Int64 = 10_000

  /// The number of bytes that show whether they may be scans.
  static let headLength = 512

  /// Whether the bytes look like scans with a timestamp: a number at a fixed position that increases steadily.
  static func mayBeScans(_ bytes: [UInt8]) -> Bool {
    let head = Array(bytes.prefix(headLength))
    guard head.contains(where: { $0 < 9 }), !head.starts(with: [0xFF, 0xFE]),
      !head.starts(with: [0xFE, 0xFF])
    else { return false }
    return stride(from: 16, through: 64, by: 8).contains { size in
      let count = min(head.count / size, 16)
      guard count >= 6 else { return false }
      return stride(from: 0, to: size, by: 8).contains { place in
        let stamps = (0..<count).map { Int64(bitPattern: head.span.uint64($0 * size + place)) }
        let steps = zip(stamps.dropFirst(), stamps).map { $0 &- $1 }
        return stamps[0] > 0 && steps.allSatisfy { $0 >= shortestStep && $0 <= longestStep }
      }
    }
  }
}

extension ScanDescription {
  fileprivate var usualPeriod: Int64 { samplingFrequency.map { Int64($0.periodInNanoseconds) } ?? 20_000_000 }
}
