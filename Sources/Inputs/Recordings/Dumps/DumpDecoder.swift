import Accelerometry
import CDigitMask

/// Decodes one kind of dump: a device's native format of raw samples.
///
/// A decoder processes one part of the dump after the other (block, page, record or packet), passes its samples to the
/// ``DumpSink`` and reports damaged parts. After damage it resumes with the next intact part.
protocol DumpDecoder {
  /// Decodes the next parts until the sink is full.
  /// - Returns: whether there may be more.
  /// - Throws: errors of reading, or `damagedDump` if nothing in the dump can be decoded.
  mutating func decode(_ bytes: inout DumpBytes, into sink: inout DumpSink) throws(RecordingError) -> Bool
}

/// Collects the samples and findings of a decoder.
struct DumpSink {
  var samples: [AccelerationSample] = []
  /// Builds the timeline and the summary. Repeated timestamps do not occur in dumps.
  var assembler: SampleAssembler
  private(set) var losses = DumpLosses()
  /// The nominal sampling frequency, in hertz.
  var nominalRate: Double?

  init(_ assembler: SampleAssembler) { self.assembler = assembler }

  /// Whether there are enough samples for a batch. The two batches in use, of 32 kB each, fit into the
  /// second-level cache; smaller ones cost more for each sample.
  var isFull: Bool { samples.count >= 1000 }

  /// Adds a sample: wall-clock time in nanoseconds since 1970-01-01T00:00, and the acceleration in g.
  /// - Parameter part: the number of the block, page, record or packet.
  mutating func add(_ nanoseconds: Int64, _ acceleration: SIMD3<Float>, part: Int) {
    assembler.admit(RecordedRow(nanoseconds: nanoseconds, acceleration: acceleration, line: part), into: &samples)
  }

  /// Adds evenly spaced samples.
  /// - Parameter unpack: writes `count` samples of the bytes with their times.
  mutating func add(
    _ count: Int, of bytes: Span<UInt8>, at times: EvenTimes, part: Int,
    unpack: (UnsafePointer<UInt8>, running_time, UnsafeMutablePointer<dense_sample>) -> Void
  ) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe assembler.admit(count, times, line: part, into: &samples) { unsafe unpack(base, $0, $1) }
    }
  }

  /// Records that a part, or some of its samples, were lost.
  /// - Parameters:
  ///   - reason: the damage, such as "a wrong checksum".
  ///   - part: the kind of the part.
  ///   - byte: the offset of its beginning.
  mutating func lose(_ reason: DumpLosses.Reason, _ part: DumpLosses.Part, number: Int, byte: Int, count: Int = 1) {
    if let place = losses.entries.firstIndex(where: { $0.reason == reason && $0.part == part }) {
      losses.entries[place].count += count
    } else {
      losses.entries.append(.init(reason: reason, part: part, count: count, first: number, byte: byte))
    }
  }

  /// Records that the last part is cut off, if bytes of it are left.
  mutating func noteEnd(_ bytes: borrowing DumpBytes, _ part: DumpLosses.Part, number: Int) {
    if bytes.count > 0 { lose(.cutOff, part, number: number, byte: bytes.offset) }
  }

  /// Records a doubt, once.
  mutating func doubt(_ sentence: String) {
    if !assembler.summary.doubts.contains(sentence) { assembler.summary.doubts.append(sentence) }
  }
}

/// Parts of a dump that were lost to damage, by reason.
struct DumpLosses: Hashable {
  enum Part: String, Hashable { case block, page, record, packet, scan, byte }

  enum Reason: String, Hashable, CaseIterable {
    case checksum = "a wrong checksum"
    case header = "an invalid header"
    case length = "a wrong length"
    case time = "no readable time"
    case digits = "characters that are not hexadecimal digits"
    case cutOff = "a missing end"
    case strayBytes = "stray bytes"
    case erased = "only erased memory"

    /// Whether samples before the damage are kept.
    var isPartial: Bool { self == .cutOff || self == .digits }
  }

  struct Entry: Hashable {
    var reason: Reason
    var part: Part
    var count: Int
    var first: Int
    var byte: Int
  }

  fileprivate(set) var entries: [Entry] = []

  /// The number of damaged parts; stray bytes do not count.
  var parts: Int { entries.reduce(0) { $0 + ($1.part == .byte ? 0 : $1.count) } }

  var sentences: [String] {
    entries.map { entry in
      switch entry.part {
      case .byte:
        "\(entry.count) byte\(entry.count == 1 ? "" : "s") outside of any sample"
          + " \(entry.count == 1 ? "was" : "were") skipped, the first at byte \(entry.byte)"
      case let part:
        "\(entry.count) \(part.rawValue)\(entry.count == 1 ? "" : "s") of the recording"
          + " \(entry.count == 1 ? "is" : "are") damaged, \(entry.reason.isPartial ? "and partly read" : "and lost"):"
          + " \(entry.reason.rawValue) in \(part.rawValue)"
          + " \(entry.first) at byte \(entry.byte)\(entry.count == 1 ? "" : ", the first of them")"
      }
    }
  }
}
