import FoundationEssentials
import Glibc

/// How much a spool keeps; beyond that the oldest reports are dropped.
public struct SpoolLimits: Sendable, Hashable {
  /// Reports at most.
  public var count: Int
  /// Bytes of reports at most; their file takes at most twice that.
  public var bytes: Int
  /// Bytes of one report at most; a longer one is dropped.
  public var reportBytes: Int

  /// Makes limits.
  public init(count: Int = 1000, bytes: Int = 512 * 1024, reportBytes: Int = 4096) {
    self.count = count
    self.bytes = bytes
    self.reportBytes = reportBytes
  }
}

/// Reports that wait in a file: a header, then one report a line, the oldest first.
///
/// Several processes may use it at once. Each holds a lock on the file (flock(2), which goes with its process) while it
/// looks or writes; the file is never replaced, so all of them lock the same one. A report is written behind the last
/// one first and counts once the header says so: what a crash tears in between is no report, and the next one is written
/// over it. Reports leave by the header alone; when more is gone than left, what is left moves to the front, to where it
/// overlaps nothing that the old header needs.
struct SpoolFile: Sendable {
  let path: String
  let limits: SpoolLimits

  /// The file in a folder.
  init(folder: String, limits: SpoolLimits = SpoolLimits()) {
    path = folder + "/reports"
    self.limits = limits
  }

  /// Why a report came out of the spool.
  enum Fate: Sendable {
    case delivered, refused
  }

  /// Adds a report behind the others.
  /// - Returns: whether it was taken; one that is too long is not, and counted as dropped.
  @discardableResult
  func append(_ report: Report) throws(SystemFailure) -> Bool {
    try SmallFile.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
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
        // A full disk still has the room of what is gone.
        guard try spool.compact() else { throw error }
        try spool.append(line)
      }
      return true
    } ?? false
  }

  /// The oldest report, if there is one. What cannot be read any more is dropped on the way.
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

  /// Takes out the oldest report, if it is this one still; another process may have been faster.
  /// - Returns: whether it was.
  @discardableResult
  func removeFirst(_ id: UUID, _ fate: Fate) throws(SystemFailure) -> Bool {
    try OpenSpool.use(path, forWriting: false) { (spool: inout OpenSpool) throws(SystemFailure) -> Bool in
      guard spool.header.count > 0, (try? ReportJSON.value(Report.self, of: spool.firstLine()))?.id == id else {
        return false
      }
      try spool.dropFirst()
      if fate == .refused { spool.header.refused += 1 }
      try spool.writeHeader()
      return true
    } ?? false
  }

  /// Counts reports that were dropped or refused before they came here.
  func count(dropped: Int, refused: Int) throws(SystemFailure) {
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

  /// Throws all reports away, and the counts with them.
  /// - Returns: how many there were.
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
