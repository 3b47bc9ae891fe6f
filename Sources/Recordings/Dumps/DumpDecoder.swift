import Accelerometry
import CDigitMask

/// Decodes one kind of dump: a device's own record of raw samples.
///
/// A decoder takes one part of the dump after the other (a block, a page, a record, a packet), hands its samples to the
/// ``DumpSink`` and tells that what was damaged. Behind damage it looks for the next part that is whole.
protocol DumpDecoder: AnyObject {
  /// Decodes what comes next, until the sink is full.
  /// - Returns: whether there may be more.
  /// - Throws: what reading throws, or `damagedDump` when nothing of the dump can be understood.
  func decode(_ bytes: inout DumpBytes, into sink: DumpSink) throws(RecordingError) -> Bool
}

/// Takes samples and findings of a decoder.
final class DumpSink {
  /// Samples that were not handed out yet.
  var samples: [AccelerationSample] = []
  /// What reading at full speed needs: no timestamp repeats, so none is thought about.
  var assembler: SampleAssembler
  /// What was lost to damage.
  private(set) var losses = DumpLosses()
  /// The nominal sampling frequency, in hertz.
  var nominalRate: Double?

  init(summary: RecordingSummary, window: TimeWindow?) {
    assembler = SampleAssembler(summary: summary, window: window, period: 0)
  }

  /// Whether there are enough to be handed out. A few hundred stay in a processor's fastest cache, and two batches are
  /// under way at a time.
  var isFull: Bool { samples.count >= 400 }

  /// Adds a sample: wall-clock time in nanoseconds since 1970-01-01T00:00, and the acceleration in g.
  /// - Parameter part: the number of the block, page, record or packet.
  func add(_ nanoseconds: Int64, _ acceleration: SIMD3<Float>, part: Int) {
    assembler.admit(nanoseconds, acceleration, line: part, into: &samples)
  }

  /// Adds samples that lie evenly in time.
  /// - Parameter unpack: writes as many samples as `count`, with their times.
  func add(
    _ count: Int, at times: EvenTimes, part: Int, unpack: (running_time, UnsafeMutablePointer<dense_sample>) -> Void
  ) {
    unsafe assembler.admit(count, times, line: part, into: &samples, unpack: unpack)
  }

  /// Notes a part that is lost, or some of whose samples are.
  /// - Parameters:
  ///   - reason: what is wrong with it, as "has a wrong checksum".
  ///   - part: what it is and its number, counted from 1.
  ///   - byte: where it begins.
  func lose(_ reason: DumpLosses.Reason, _ kind: DumpLosses.Part, number: Int, byte: Int, count: Int = 1) {
    losses.note(reason, kind, number: number, byte: byte, count: count)
  }

  /// Says something that is doubtful, once.
  func doubt(_ sentence: String) {
    if !assembler.summary.doubts.contains(sentence) { assembler.summary.doubts.append(sentence) }
  }
}

/// Parts of a dump that were lost to damage, by the reason.
struct DumpLosses: Hashable {
  /// What a dump consists of.
  enum Part: String, Hashable { case block, page, record, packet, byte }

  /// What may be wrong with a part.
  enum Reason: String, Hashable, CaseIterable {
    case checksum = "a wrong checksum"
    case header = "an invalid header"
    case length = "a wrong length"
    case time = "no readable time"
    case digits = "characters that are not hexadecimal digits"
    case cutOff = "a missing end"
    case strayBytes = "stray bytes"
    case erased = "only erased memory"

    /// Whether samples in front of the damage are kept.
    var isPartial: Bool { self == .cutOff || self == .digits }
  }

  struct Entry: Hashable {
    var reason: Reason
    var part: Part
    var count: Int
    var first: Int
    var byte: Int
  }

  private(set) var entries: [Entry] = []

  mutating func note(_ reason: Reason, _ part: Part, number: Int, byte: Int, count: Int) {
    if let place = entries.firstIndex(where: { $0.reason == reason && $0.part == part }) {
      entries[place].count += count
    } else {
      entries.append(Entry(reason: reason, part: part, count: count, first: number, byte: byte))
    }
  }

  /// How many parts are damaged; stray bytes are parts of none.
  var parts: Int { entries.reduce(0) { $0 + ($1.part == .byte ? 0 : $1.count) } }

  /// One sentence for each reason.
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
