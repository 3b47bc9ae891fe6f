import FoundationEssentials
import Glibc

/// The limits of a spool; beyond them the oldest reports are dropped.
public struct SpoolLimits: Sendable, Hashable {
  /// The maximum number of reports.
  public var count: Int
  /// The maximum size of all reports in bytes; their file takes at most twice that.
  public var bytes: Int
  /// The maximum size of one report in bytes; a longer one is dropped.
  public var reportBytes: Int

  /// Creates limits.
  public init(count: Int = 1000, bytes: Int = 512 * 1024, reportBytes: Int = 4096) {
    self.count = count
    self.bytes = bytes
    self.reportBytes = reportBytes
  }
}

/// A file of queued reports: a header, then one report per line, the oldest first.
///
/// Several processes may use it at once. Each holds a lock on the file (flock(2), which ends with its process) while it
/// reads or writes; the file is never replaced, so all of them lock the same one. A report is first written after the
/// last one and becomes effective with the header: a line torn by a crash is ignored, and overwritten by the next one.
/// Reports are removed by changing the header alone; when more has been removed than remains, the rest moves to the
/// front, without overlapping data that the old header needs.
struct SpoolFile: Sendable {
  let path: String
  let limits: SpoolLimits

  /// The file in a folder.
  init(folder: String, limits: SpoolLimits = SpoolLimits()) {
    path = folder + "/reports"
    self.limits = limits
  }

  /// Why a report was removed from the spool.
  enum Fate: Sendable {
    case delivered, refused
  }

  private func makeFolder() throws(SystemFailure) {
    try PrivateFile.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
  }

  /// Appends a report.
  /// - Returns: whether it was added; one that is too long is not, and counted as dropped.
  @discardableResult
  func append(_ report: Report) throws(SystemFailure) -> Bool {
    try makeFolder()
    let line: [UInt8] = (try? report.json()).map { $0 + [0x0A] } ?? []
    return try OpenSpool.use(path, forWriting: true) { (spool: inout OpenSpool) throws(SystemFailure) -> Bool in
      guard 1...min(limits.reportBytes, limits.bytes) ~= line.count else {
        spool.header.dropped += 1
        try spool.writeHeader()
        return false
      }
      while spool.header.count > 0,
        spool.header.count >= limits.count || spool.header.live + line.count > limits.bytes
      {
        try spool.dropFirst()
        spool.header.dropped += 1
      }
      if spool.header.dead > limits.bytes / 4 { try spool.compact() }
      do throws(SystemFailure) {
        try spool.append(line)
      } catch {
        // On a full disk, the room of removed reports is still available.
        guard try spool.compact() else { throw error }
        try spool.append(line)
      }
      return true
    } ?? false
  }

  /// The oldest report, if there is one. Unreadable ones before it are dropped.
  func first() throws(SystemFailure) -> Report? {
    try OpenSpool.use(path, forWriting: false) { (spool: inout OpenSpool) throws(SystemFailure) -> Report? in
      while spool.header.count > 0 {
        let line = try spool.firstLine()
        if let report = try? ReportJSON.value(Report.self, of: line) { return report }
        try spool.dropFirst()
        spool.header.dropped += 1
        try spool.writeHeader()
      }
      return nil
    } ?? nil
  }

  /// Removes the oldest report, if it is still this one; another process may have removed it.
  /// - Returns: whether it was removed.
  @discardableResult
  func removeFirst(_ id: UUID, _ fate: Fate) throws(SystemFailure) -> Bool {
    try OpenSpool.use(path, forWriting: false) { (spool: inout OpenSpool) throws(SystemFailure) -> Bool in
      let line = try spool.firstLine()
      guard (try? ReportJSON.value(Report.self, of: line))?.id == id else { return false }
      try spool.dropFirst()
      if fate == .refused { spool.header.refused += 1 }
      try spool.writeHeader()
      return true
    } ?? false
  }

  /// Counts reports that were dropped or refused before they were written here.
  func count(dropped: Int, refused: Int) throws(SystemFailure) {
    try makeFolder()
    try OpenSpool.use(path, forWriting: true) { (spool: inout OpenSpool) throws(SystemFailure) -> Void in
      spool.header.dropped += dropped
      spool.header.refused += refused
      try spool.writeHeader()
    }
  }

  /// The header; an empty one if there is no spool.
  func header() throws(SystemFailure) -> SpoolHeader {
    try OpenSpool.use(path, forWriting: false) { (spool: inout OpenSpool) throws(SystemFailure) in spool.header }
      ?? SpoolHeader()
  }

  /// Discards all reports and their counts.
  /// - Returns: the number of reports.
  @discardableResult
  func discard() throws(SystemFailure) -> Int {
    try OpenSpool.use(path, forWriting: false) { (spool: inout OpenSpool) throws(SystemFailure) -> Int in
      let count = spool.header.count
      spool.header = SpoolHeader()
      try spool.writeHeader()
      return count
    } ?? 0
  }
}
