/// The first line of a spool: where its reports are, and what became of others. A fixed number of bytes, so that it can
/// be replaced in place, even on a full disk.
struct SpoolHeader: Codable, Hashable {
  /// Bytes of the line, with its end.
  static let length = 160

  /// Where the oldest report begins.
  var head = SpoolHeader.length
  /// Where the next one goes; what is behind is nothing.
  var end = SpoolHeader.length
  /// How many reports there are.
  var count = 0
  /// How many were dropped because there was no room, or they could not be read any more.
  var dropped = 0
  /// How many the service would not have.
  var refused = 0

  /// Bytes of reports.
  var live: Int { end - head }
  /// Bytes of reports that are gone.
  var dead: Int { head - Self.length }

  /// The line, filled up with blanks.
  var line: [UInt8] {
    let text = (try? ReportJSON.bytes(of: self)) ?? []
    return text + [UInt8](repeating: 0x20, count: max(0, Self.length - 1 - text.count)) + [0x0A]
  }

  /// Reads the line; `nil` when it makes no sense for a file of this size.
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
