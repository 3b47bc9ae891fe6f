import Foundation
import TestSupport
import Testing

@testable import Analytics

/// The spool and its file: it never blocks the caller, whatever the disk does.
@Suite("ReportSpool", .timeLimit(.minutes(30)))
struct ReportSpoolTests {
  private func namesTaken(from spool: ReportSpool) async -> [Int] {
    var names: [String] = []
    while let report = await spool.first() {
      names.append(report.name)
      await spool.delivered(report.id)
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
    try FileManager.default.createDirectory(atPath: folder.path + "/reports", withIntermediateDirectories: true)
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

  @Test("without any folder, reports are queued in memory, the oldest dropped and counted, without errors")
  func noFolder() async {
    let spool = ReportSpool(folder: "/proc/no/such/place", limits: SpoolLimits(count: 3))
    for number in 1...5 { spool.append(numbered(number)) }
    let status = await spool.status()
    #expect((status.waiting, status.inMemory, status.dropped) == (3, 3, 2))
    #expect(status.failure != nil)
    #expect(await namesTaken(from: spool) == [3, 4, 5])
  }

  @Test(
    "a full disk: reports are queued in memory, then on the disk, in order; earlier ones stay intact",
    .enabled(if: SmallDisk.isPossible, "no disk can be made here"))
  func fullDisk() async throws {
    let disk = try #require(SmallDisk(kibibytes: 64))
    let spool = ReportSpool(folder: disk.path + "/analytics")
    for number in 1...30 { spool.append(numbered(number)) }
    #expect(await spool.status().inMemory == 0)
    disk.fill()
    for number in 31...80 { spool.append(numbered(number)) }
    let full = await spool.status()
    #expect(full.waiting == 80 && full.inMemory > 0 && full.failure == SystemFailure(errno: ENOSPC))
    // Another process finds the reports on the disk.
    #expect(await ReportSpool(folder: disk.path + "/analytics").first()?.name == "event1")
    disk.free()
    spool.append(numbered(81))
    let free = await spool.status()
    #expect(free.waiting == 81 && free.inMemory == 0 && free.dropped == 0 && free.failure == nil)
    #expect(await namesTaken(from: ReportSpool(folder: disk.path + "/analytics")) == Array(1...81))
  }

  @Test(
    "a disk that is full from the start, and stays full",
    .enabled(if: SmallDisk.isPossible, "no disk can be made here"))
  func alwaysFull() async throws {
    let disk = try #require(SmallDisk(kibibytes: 16))
    disk.fill()
    let spool = ReportSpool(folder: disk.path + "/analytics")
    for number in 1...5 { spool.append(numbered(number)) }
    #expect(await spool.status().inMemory == 5)
    #expect(await namesTaken(from: spool) == [1, 2, 3, 4, 5])
  }

  @Test("drops in memory are counted in the file as soon as it exists")
  func countedLater() async throws {
    let folder = try SpoolFolder()
    // A file in place of the folder.
    try Data().write(to: URL(fileURLWithPath: folder.path))
    let spool = ReportSpool(folder: folder.path, limits: SpoolLimits(count: 2))
    for number in 1...5 { spool.append(numbered(number)) }
    #expect(await spool.status().dropped == 3)
    try FileManager.default.removeItem(atPath: folder.path)
    spool.append(numbered(6))
    #expect(await spool.status().dropped == 4)
    #expect(try SpoolFile(folder: folder.path).header().dropped == 4)
    #expect(await namesTaken(from: spool) == [5, 6])
  }

  @Test("an empty spool is not written when it is asked")
  func untouched() async throws {
    let folder = try SpoolFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let spool = ReportSpool(folder: folder.path)
    #expect(await spool.first() == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("a report is in the file once it was taken")
  func written() async throws {
    let folder = try SpoolFolder()
    let spool = ReportSpool(folder: folder.path)
    spool.append(numbered(1))
    let status = await spool.status()
    #expect(status.waiting == 1 && status.inMemory == 0 && status.bytes > 0 && status.failure == nil)
  }

  @Test("refused reports are counted in memory, and once in the file when it exists")
  func refusedLater() async throws {
    let folder = try SpoolFolder()
    try Data().write(to: URL(fileURLWithPath: folder.path))
    let spool = ReportSpool(folder: folder.path, limits: SpoolLimits(count: 2))
    for number in 1...3 {
      spool.append(numbered(number))
      await spool.refused(numbered(0).id)
    }
    await spool.refused(try #require(await spool.first()).id)
    #expect(await spool.status().refused == 1)
    try FileManager.default.removeItem(atPath: folder.path)
    for number in 4...5 { spool.append(numbered(number)) }
    let status = await spool.status()
    #expect((status.refused, status.dropped, status.waiting, status.inMemory) == (1, 2, 2, 0))
    #expect(await ReportSpool(folder: folder.path).status().refused == 1)
  }

  @Test(
    "discarding includes the reports in memory", .enabled(if: SmallDisk.isPossible, "no disk can be made here"))
  func discardOnFullDisk() async throws {
    let disk = try #require(SmallDisk(kibibytes: 64))
    let spool = ReportSpool(folder: disk.path + "/analytics")
    for number in 1...30 { spool.append(numbered(number)) }
    _ = await spool.status()
    disk.fill()
    for number in 31...80 { spool.append(numbered(number)) }
    #expect(await spool.status().inMemory > 0)
    #expect(try spool.discardNow() == 80)
    #expect(await spool.status() == ReportSpool.Status())
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
}
