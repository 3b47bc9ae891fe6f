/// The first line of a spool: the positions of its reports and the numbers of lost ones. Its length is fixed, so that
/// it can be overwritten in place, even on a full disk.
struct SpoolHeader: Codable, Hashable {
  /// The length of the line in bytes, with its line break.
  static let length = 160

  /// The position of the oldest report.
  var head = SpoolHeader.length
  /// The position of the next report; data after it is ignored.
  var end = SpoolHeader.length
  /// The number of reports.
  var count = 0
  /// The number of reports that were dropped because there was no room, or they became unreadable.
  var dropped = 0
  /// The number of reports that the service refused.
  var refused = 0

  /// Bytes of reports.
  var live: Int { end - head }
  /// Bytes of removed reports.
  var dead: Int { head - Self.length }

  /// The line, padded with blanks.
  var line: [UInt8] {
    let text = (try? ReportJSON.bytes(of: self)) ?? []
    return text + [UInt8](repeating: 0x20, count: max(0, Self.length - 1 - text.count)) + [0x0A]
  }

  /// Parses the line; `nil` if it is invalid for a file of this size.
  init?(line: some Collection<UInt8>, fileSize: Int) {
    guard line.count == Self.length, let read = try? ReportJSON.value(SpoolHeader.self, of: line),
      Self.length <= read.head, read.head <= read.end, read.end <= fileSize, read.count >= 0, read.dropped >= 0,
      read.refused >= 0, (read.count == 0) == (read.live == 0)
    else { return nil }
    self = read
  }

  /// An empty spool.
  init() {}
}
