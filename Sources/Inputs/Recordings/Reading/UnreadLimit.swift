import Platform

/// Decides when to give up a stream without samples, such as /dev/zero or a board that prints only its menu.
///
/// A regular file is read to its end instead, since it has one.
struct UnreadLimit {
  /// Bytes behind the latest sample; fewer in tests.
  var mostBytes = 16 << 20
  /// A stream without any sample so far ends after this time,
  static let longest = Duration.seconds(10)
  /// if it has sent as much as this; a logger may print more than a screen of other text first.
  static let fewestBytes = 16_384

  /// The time; replaced in tests.
  var now: () -> ContinuousClock.Instant = { .now }
  private var start: ContinuousClock.Instant?
  private var bytesAtSample: Int?

  mutating func noteSample(at bytes: Int) { bytesAtSample = bytes }

  /// Whether a stream is at its end.
  /// - Parameter bytes: all bytes so far, those that were dropped included.
  mutating func isReached(by bytes: Int) -> Bool {
    if bytes - (bytesAtSample ?? 0) > mostBytes { return true }
    guard bytesAtSample == nil else { return false }
    let start = start ?? now()
    self.start = start
    return bytes >= Self.fewestBytes && start.duration(to: now()) >= Self.longest
  }
}

extension LineBuffer {
  /// The latest bytes as text, for a message.
  var excerpt: String {
    // The last line may not have arrived as a whole.
    let lines = latest.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    let text = lines.dropLast(lines.count > 1 && latest.last != 0x0A ? 1 : 0).last ?? latest[...]
    if text.allSatisfy({ $0 == 0 }) { return "bytes of zero" }
    return "'\(PrintableText.line(String(decoding: text, as: UTF8.self), longest: 60))'"
  }
}
