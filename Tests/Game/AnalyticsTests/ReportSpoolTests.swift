import Foundation
import TestSupport
import Testing

@testable import Analytics

/// The spool and its folder: it never blocks the caller, whatever the disk does.
@Suite("ReportSpool", .timeLimit(.minutes(30)))
struct ReportSpoolTests {
  private func namesTaken(from spool: ReportSpool) async -> [Int] {
    var names: [String] = []
    while let report = await spool.first() {
      names.append(report.name)
      await spool.remove(report.id)
    }
    return numbers(names)
  }

  @Test("an unwanted report is not written")
  func unwanted() async throws {
    let folder = try SpoolFolder()
    let spool = ReportSpool(folder: folder.path)
    spool.append(numbered(1), if: { false }, then: { Issue.record("taken") })
    #expect(await spool.status() == ReportSpool.Status())
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test("a queue that cannot be read is a failure, not an empty queue")
  func unreadable() async throws {
    let folder = try SpoolFolder()
    try Data().write(to: URL(fileURLWithPath: folder.path))
    let spool = ReportSpool(folder: folder.path)
    #expect(spool.statusNow().waiting == 0 && spool.statusNow().failure != nil)
    #expect(await spool.first() == nil)
  }

  @Test("the next process finds the reports of the previous one")
  func nextProcess() async throws {
    let folder = try SpoolFolder()
    let former = ReportSpool(folder: folder.path)
    for number in 1...3 { former.append(numbered(number)) }
    #expect(await former.status().waiting == 3)
    #expect(await namesTaken(from: ReportSpool(folder: folder.path)) == [1, 2, 3])
  }

  @Test("without any folder, reports are dropped and counted, without errors")
  func noFolder() async {
    let spool = ReportSpool(folder: "/proc/no/such/place")
    for number in 1...5 { spool.append(numbered(number)) }
    let status = await spool.status()
    #expect((status.waiting, status.dropped) == (0, 5))
    #expect(await spool.first() == nil)
  }

  @Test(
    "a full disk: new reports are dropped, and counted on it once there is room; earlier ones stay intact",
    .enabled(if: SmallDisk.isPossible, "no disk can be made here"))
  func fullDisk() async throws {
    // A file takes a page.
    let disk = try #require(SmallDisk(kibibytes: 512))
    let spool = ReportSpool(folder: disk.path + "/analytics")
    for number in 1...30 { spool.append(numbered(number)) }
    #expect(await spool.status().waiting == 30)
    disk.fill()
    for number in 31...80 { spool.append(numbered(number)) }
    let full = await spool.status()
    #expect(full.waiting + full.dropped == 80 && full.dropped > 0)
    disk.free()
    spool.append(numbered(81))
    let free = await spool.status()
    #expect(free.waiting == full.waiting + 1 && free.dropped == full.dropped)
    #expect(await ReportSpool(folder: disk.path + "/analytics").status() == free)
    #expect(await namesTaken(from: spool) == Array(1...full.waiting) + [81])
  }

  @Test("an empty spool is not written when it is asked")
  func untouched() async throws {
    let folder = try SpoolFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let spool = ReportSpool(folder: folder.path)
    #expect(await spool.first() == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("a report is in a file once it was taken")
  func written() async throws {
    let folder = try SpoolFolder()
    let spool = ReportSpool(folder: folder.path)
    spool.append(numbered(1))
    let status = await spool.status()
    #expect(status.waiting == 1 && status.failure == nil)
    #expect(TemporaryDirectory.names(in: folder.path).count == 1)
  }

  @Test("discarding leaves no reports")
  func discard() async throws {
    let folder = try SpoolFolder()
    let spool = ReportSpool(folder: folder.path)
    for number in 1...3 { spool.append(numbered(number)) }
    _ = await spool.status()
    #expect(try spool.discardNow() == 3)
    #expect(await spool.status() == ReportSpool.Status())
  }

  @Test("a report, its folder and those above are for their owner only")
  func permissions() async throws {
    let folder = try SpoolFolder()
    let spool = ReportSpool(folder: folder.path + "/a/b")
    spool.append(numbered(1))
    #expect(await spool.status().waiting == 1)
    let file = try #require(TemporaryDirectory.names(in: folder.path + "/a/b").first)
    for (path, mode) in [("", 0o700), ("/a", 0o700), ("/a/b", 0o700), ("/a/b/" + file, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    }
  }

  @Test("too many reports: the oldest are dropped and counted")
  func tooMany() async throws {
    let folder = try SpoolFolder()
    let spool = ReportSpool(folder: folder.path, mostReports: 5)
    for number in 1...12 { spool.append(numbered(number)) }
    #expect(await spool.status().dropped == 7)
    #expect(await namesTaken(from: spool) == [8, 9, 10, 11, 12])
    #expect(await ReportSpool(folder: folder.path).status().dropped == 7)
  }

  @Test("a report of the longest size is kept, one that is longer is dropped and counted")
  func tooLong() async throws {
    let folder = try SpoolFolder()
    let spool = ReportSpool(folder: folder.path, longestReport: try numbered(1).json().count)
    for number in [1, 10, 2] { spool.append(numbered(number)) }
    let status = await spool.status()
    #expect(status.dropped == 1 && status.waiting == 2)
    #expect(await namesTaken(from: spool) == [1, 2])
  }

  @Test("an unreadable report is dropped, counted and skipped; files of others are left alone")
  func damaged() async throws {
    let folder = try SpoolFolder()
    let spool = ReportSpool(folder: folder.path)
    for number in 1...3 { spool.append(numbered(number)) }
    _ = await spool.status()
    let names = TemporaryDirectory.names(in: folder.path)
    #expect(names.count == 3)
    try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path + "/" + names.sorted()[1]))
    try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path + "/.a-draft.json"))
    #expect(await namesTaken(from: spool) == [1, 3])
    spool.append(numbered(4))
    #expect(await spool.status().dropped == 1)
    #expect(TemporaryDirectory.names(in: folder.path).contains(".a-draft.json"))
  }

  @Test("a report that another process has removed is not removed again")
  func removedElsewhere() async throws {
    let folder = try SpoolFolder()
    let (one, other) = (ReportSpool(folder: folder.path), ReportSpool(folder: folder.path))
    for number in 1...2 { one.append(numbered(number)) }
    let first = try #require(await one.first())
    await other.remove(first.id)
    await one.remove(first.id, isRefused: true)
    #expect(await one.status().refused == 0)
    #expect(await namesTaken(from: one) == [2])
  }

  @Test("several writers and one reader at once: nothing is lost or duplicated, and each writer's order is kept")
  func together() async throws {
    let folder = try SpoolFolder()
    let path = folder.path
    var taken = await withTaskGroup(of: [Int].self) { group in
      for writer in 0..<3 {
        group.addTask {
          let spool = ReportSpool(folder: path)
          for number in 0..<40 { spool.append(numbered(writer * 100 + number)) }
          _ = await spool.status()
          return []
        }
      }
      group.addTask {
        let spool = ReportSpool(folder: path)
        var names: [String] = []
        for _ in 0..<60 {
          guard let report = await spool.first() else { continue }
          names.append(report.name)
          await spool.remove(report.id)
        }
        return numbers(names)
      }
      return await group.reduce([], +)
    }
    taken += await namesTaken(from: ReportSpool(folder: path))
    for writer in 0..<3 { #expect(taken.filter { $0 / 100 == writer } == Array(writer * 100..<writer * 100 + 40)) }
    #expect(await ReportSpool(folder: path).status().dropped == 0)
  }
}
