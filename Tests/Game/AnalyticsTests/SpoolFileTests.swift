import Foundation
import TestSupport
import Testing

@testable import Analytics

/// The file of queued reports.
@Suite("SpoolFile", .timeLimit(.minutes(30)))
struct SpoolFileTests {
  private let folder: SpoolFolder

  init() throws { folder = try SpoolFolder() }

  private func spool(_ limits: SpoolLimits = SpoolLimits()) -> SpoolFile {
    SpoolFile(folder: folder.path, limits: limits)
  }

  /// Removes all reports.
  private func numbersTaken(from spool: SpoolFile) throws -> [Int] {
    var names: [String] = []
    while let report = try spool.first() {
      names.append(report.name)
      try spool.removeFirst(report.id, .delivered)
    }
    return numbers(names)
  }

  @Test("reports are read back intact and in order, by another process too, and leave an empty file")
  func order() throws {
    let reports = (1...50).map(numbered)
    for report in reports { try spool().append(report) }
    for report in reports {
      #expect(try spool().first() == report)
      #expect(try spool().removeFirst(report.id, .delivered))
    }
    #expect(try spool().first() == nil)
    #expect(try spool().header() == SpoolHeader())
    #expect(try TemporaryDirectory.bytes(of: spool().path).count == SpoolHeader.length)
  }

  @Test("reading a missing spool does not create it")
  func nothing() throws {
    #expect(try spool().first() == nil)
    #expect(try spool().header().count == 0 && spool().discard() == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test("only its owner may read it")
  func permissions() throws {
    try spool().append(numbered(1))
    for (path, mode) in [(folder.path, 0o700), (spool().path, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    }
  }

  @Test("folders that are missing are created for their owner only; a file in their place is an error")
  func folders() throws {
    let path = folder.path + "/a/b"
    for _ in 0..<2 { try PrivateFile.makeFolder(path) }
    for each in [folder.path, folder.path + "/a", path] {
      let attributes = try FileManager.default.attributesOfItem(atPath: each)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }
    try PrivateFile.replace(path + "/file", with: [])
    #expect(throws: SystemFailure(errno: ENOTDIR)) { try PrivateFile.makeFolder(path + "/file/c") }
  }

  @Test("one report per line, after a line with their number")
  func lines() throws {
    for number in 1...3 { try spool().append(numbered(number)) }
    let lines = try TemporaryDirectory.text(of: spool().path).split(separator: "\n")
    #expect(lines.count == 4 && lines[0].hasPrefix("{\"count\":3,") && lines[0].utf8.count == 159)
    #expect(try JSONDecoder().decode(Report.self, from: Data(lines[2].utf8)).name == "event2")
  }

  @Test("too many reports: the oldest are dropped and counted")
  func tooMany() throws {
    let small = spool(SpoolLimits(count: 5))
    for number in 1...12 { try small.append(numbered(number)) }
    #expect(try small.header().dropped == 7)
    #expect(try numbersTaken(from: small) == [8, 9, 10, 11, 12])
    #expect(try small.header().dropped == 7)
  }

  @Test("too many bytes: the same, and the file stays below twice the limit")
  func tooManyBytes() throws {
    let limits = SpoolLimits(bytes: 2000)
    let size = try numbered(100).json().count + 1
    for number in 100..<400 {
      try spool(limits).append(numbered(number))
      let bytes = try TemporaryDirectory.bytes(of: spool().path).count
      #expect(bytes <= SpoolHeader.length + 2 * limits.bytes)
    }
    let kept = 2000 / size
    #expect(try spool(limits).header().dropped == 300 - kept)
    #expect(try numbersTaken(from: spool(limits)) == Array((400 - kept)..<400))
  }

  @Test("a report that is too long is dropped and counted")
  func tooLong() throws {
    let long = Report(
      name: String(repeating: "x", count: 5000), recordedDate: Date(), type: "", device: "", os: "", appVersion: "")
    #expect(try !spool().append(long))
    try spool().append(numbered(1))
    #expect(try spool().header().dropped == 1)
    #expect(try numbersTaken(from: spool()) == [1])
  }

  /// Every place at which a crash could truncate the last write.
  @Test("a write torn at any byte costs at most the last report")
  func torn() throws {
    for number in 1...3 { try spool().append(numbered(number)) }
    let before = try TemporaryDirectory.bytes(of: spool().path)
    let line = try numbered(4).json() + [0x0A]
    for length in stride(from: 0, through: line.count, by: 7) {
      try Data(before + line.prefix(length)).write(to: URL(fileURLWithPath: spool().path))
      try spool().append(numbered(5))
      #expect(try numbersTaken(from: spool()) == [1, 2, 3, 5])
    }
  }

  @Test("a truncated file keeps its complete reports", arguments: [1, 100, 250, 400])
  func truncated(_ lost: Int) throws {
    for number in 1...4 { try spool().append(numbered(number)) }
    let whole = try TemporaryDirectory.bytes(of: spool().path)
    try Data(whole.dropLast(lost)).write(to: URL(fileURLWithPath: spool().path))
    try spool().append(numbered(9))
    let size = try numbered(1).json().count + 1
    // A line that has only lost its line break is complete.
    #expect(try numbersTaken(from: spool()) == Array(1...4).dropLast((lost - 1 + size - 1) / size) + [9])
  }

  @Test("an invalid header is rebuilt from the reports", arguments: ["head", "end", "count", "noise"])
  func header(_ field: String) throws {
    for number in 1...3 { try spool().append(numbered(number)) }
    var bytes = try TemporaryDirectory.bytes(of: spool().path)
    var header = SpoolHeader()
    switch field {
    case "head": (header.head, header.end, header.count) = (1_000_000, 1_000_000, 3)
    case "end": (header.end, header.count) = (1_000_000, 3)
    case "count": (header.end, header.count) = (bytes.count, 0)
    default: break
    }
    let line = field == "noise" ? [UInt8](repeating: 0, count: SpoolHeader.length) : header.line
    bytes.replaceSubrange(0..<SpoolHeader.length, with: line)
    try Data(bytes).write(to: URL(fileURLWithPath: spool().path))
    #expect(try spool().header().dropped == 0)
    #expect(try numbersTaken(from: spool()) == [1, 2, 3])
  }

  @Test("reports that are lost with the header are counted as dropped, but not a torn last line")
  func lostWithHeader() throws {
    for number in 1...3 { try spool().append(numbered(number)) }
    var bytes = try TemporaryDirectory.bytes(of: spool().path)
    bytes[0] = 0
    let second = try #require(bytes[SpoolHeader.length...].firstIndex(of: 0x0A)) + 1
    bytes[second] = 0x78
    try Data(bytes + [0x78]).write(to: URL(fileURLWithPath: spool().path))
    #expect(try spool().header().count == 2 && spool().header().dropped == 1)
  }

  @Test("an unreadable report is dropped, counted and skipped")
  func unreadable() throws {
    for number in 1...3 { try spool().append(numbered(number)) }
    var bytes = try TemporaryDirectory.bytes(of: spool().path)
    let size = try numbered(1).json().count + 1
    for index in 0..<size - 1 { bytes[SpoolHeader.length + size + index] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: spool().path))
    #expect(try numbersTaken(from: spool()) == [1, 3])
    #expect(try spool().header().dropped == 1)
  }

  @Test("a report that is no longer the first is not removed: another process was faster")
  func removedElsewhere() throws {
    for number in 1...2 { try spool().append(numbered(number)) }
    let first = try #require(try spool().first())
    #expect(try spool().removeFirst(first.id, .delivered))
    #expect(try !spool().removeFirst(first.id, .delivered))
    #expect(try numbersTaken(from: spool()) == [2])
  }

  @Test(
    "several writers and one reader at once: nothing is lost, duplicated or torn, and each writer's order is kept")
  func together() async throws {
    let path = folder.path
    var taken = try await withThrowingTaskGroup(of: [Int].self) { group in
      for writer in 0..<3 {
        group.addTask {
          for number in 0..<40 { try SpoolFile(folder: path).append(numbered(writer * 100 + number)) }
          return []
        }
      }
      group.addTask {
        var names: [String] = []
        for _ in 0..<60 {
          guard let report = try SpoolFile(folder: path).first() else { continue }
          names.append(report.name)
          try SpoolFile(folder: path).removeFirst(report.id, .delivered)
        }
        return numbers(names)
      }
      return try await group.reduce([], +)
    }
    taken += try numbersTaken(from: spool())
    for writer in 0..<3 { #expect(taken.filter { $0 / 100 == writer } == Array(writer * 100..<writer * 100 + 40)) }
    #expect(try spool().header().dropped == 0)
  }

  @Test("waiting for a held lock ends soon")
  func locked() throws {
    try spool().append(numbered(1))
    // Not for programs that other tests start meanwhile: they would hold the lock on.
    let descriptor = unsafe open(spool().path, O_RDWR | O_CLOEXEC)
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(throws: SystemFailure(errno: EWOULDBLOCK)) { try spool().append(numbered(2)) }
    close(descriptor)
    try spool().append(numbered(3))
    #expect(try numbersTaken(from: spool()) == [1, 3])
  }

  @Test("a spool takes exactly its limits of reports and of bytes")
  func limits() throws {
    let size = try numbered(1).json().count + 1
    let small = spool(SpoolLimits(bytes: 2 * size, reportBytes: size))
    for number in 1...2 { #expect(try small.append(numbered(number))) }
    #expect(try small.header().count == 2 && small.header().live == 2 * size && small.header().dropped == 0)
    #expect(try small.append(numbered(3)))
    #expect(try small.header().count == 2 && small.header().dropped == 1)
    // One digit more.
    #expect(try !small.append(numbered(10)))
    #expect(try small.header().count == 2 && small.header().dropped == 2)
    #expect(try numbersTaken(from: small) == [2, 3])
    #expect(SpoolLimits() == SpoolLimits(count: 1000, bytes: 524_288, reportBytes: 4096))
  }

  @Test("after most reports were delivered, the rest moves to the front, once, in order and without leftovers")
  func compaction() throws {
    let size = try numbered(10).json().count + 1
    let limits = SpoolLimits(bytes: 12 * size)
    for number in 10..<20 { try spool(limits).append(numbered(number)) }
    for _ in 0..<5 { try spool(limits).removeFirst(try #require(try spool(limits).first()).id, .delivered) }
    #expect(try spool(limits).header().dead == 5 * size && spool(limits).header().live == 5 * size)
    try spool(limits).append(numbered(20))
    let header = try spool(limits).header()
    #expect(header.head == SpoolHeader.length && header.end == SpoolHeader.length + 6 * size && header.count == 6)
    #expect(try TemporaryDirectory.bytes(of: spool().path).count == header.end)
    #expect(try numbersTaken(from: spool(limits)) == Array(15...20))
  }

  @Test("a rebuilt header is written at once, and reports of any length are read")
  func rebuilt() throws {
    let long = Report(
      name: String(repeating: "x", count: 3000), recordedDate: Date(timeIntervalSince1970: 0), type: "", device: "",
      os: "", appVersion: "")
    for report in [numbered(1), long, numbered(2)] { try spool().append(report) }
    let whole = try TemporaryDirectory.bytes(of: spool().path)
    var bytes = whole
    bytes[0] = 0
    try Data(bytes + [0x78]).write(to: URL(fileURLWithPath: spool().path))
    #expect(try spool().header().count == 3)
    #expect(try TemporaryDirectory.bytes(of: spool().path) == whole)
    try spool().removeFirst(try #require(try spool().first()).id, .delivered)
    #expect(try spool().first() == long)
  }

  @Test("moved reports are found by their new header, and nothing is moved while more remain than were removed")
  func moved() throws {
    for number in 1...5 { try spool().append(numbered(number)) }
    func compact() throws -> Bool? {
      try OpenSpool.use(spool().path, forWriting: false) { (open: inout OpenSpool) throws(SystemFailure) in
        try open.compact()
      }
    }
    for removed in 1...3 {
      try spool().removeFirst(try #require(try spool().first()).id, .delivered)
      #expect(try compact() == (removed == 3))
    }
    #expect(try spool().header().head == SpoolHeader.length && spool().header().dead == 0)
    #expect(try numbersTaken(from: spool()) == [4, 5])
  }

  @Test("from a missing spool nothing is removed")
  func removedNowhere() throws {
    #expect(try !spool().removeFirst(numbered(1).id, .delivered))
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test("a folder in place of a file has no bytes")
  func noFile() throws {
    #expect(PrivateFile.bytes(of: "/") == nil && PrivateFile.bytes(of: folder.path + "/nothing") == nil)
  }

  @Test("reports that were refused or dropped elsewhere are counted")
  func counts() throws {
    try spool().count(dropped: 2, refused: 3)
    try spool().append(numbered(1))
    #expect(try spool().removeFirst(try #require(try spool().first()).id, .refused))
    #expect(try spool().header().dropped == 2 && spool().header().refused == 4)
  }

  @Test("discarding removes reports and counts")
  func discard() throws {
    for number in 1...3 { try spool(SpoolLimits(count: 2)).append(numbered(number)) }
    #expect(try spool().discard() == 2)
    #expect(try spool().header() == SpoolHeader() && spool().first() == nil)
    #expect(try !TemporaryDirectory.text(of: spool().path).contains("event"))
  }
}
