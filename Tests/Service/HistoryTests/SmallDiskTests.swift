import Foundation
import Platform
import TestSupport
import Testing

@testable import History

/// A small file system in memory that fills up quickly; root only.
final class SmallDisk {
  let path: String
  private let directory: TemporaryDirectory

  init(bytes: Int) throws {
    directory = try TemporaryDirectory()
    path = directory.path
    guard unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
      throw HistoryError.system(errno, path: path)
    }
  }

  deinit { _ = unsafe umount2(path, Int32(MNT_DETACH)) }

  /// Changes its size, so that some bytes are left.
  func resize(leaving bytes: Int) throws {
    var system = statvfs()
    guard unsafe statvfs(path, &system) == 0 else { throw HistoryError.system(errno, path: path) }
    let used = Int((system.f_blocks - system.f_bfree) * system.f_frsize)
    // A size of 0 would be no limit.
    guard unsafe mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(max(4096, used + bytes))") == 0 else {
      throw HistoryError.system(errno, path: path)
    }
  }

  func makeReadOnly() -> Bool {
    unsafe mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
  }

  /// Whether this process may create one.
  static let isPermitted = (try? SmallDisk(bytes: 65_536)) != nil
}

@Suite("Full and read-only disks", .timeLimit(.minutes(30))) struct SmallDiskTests {
  private static let reason: Comment = "mounting a small file system needs root"

  @Test(
    "a full disk loses no recorded steps, and the others may be submitted again",
    .enabled(if: SmallDisk.isPermitted, reason))
  func full() throws {
    let disk = try SmallDisk(bytes: 1 << 20)
    let clock = TestClock(TestHistory.morning)
    let folder = HistoryFolder(path: disk.path + "/state")
    let writer = try HistoryWriter(folder: folder, application: "tests", clock: clock.history)
    let reader = { try HistoryReader(folder: folder).totals(from: .distantPast, to: .distantFuture).steps }
    var recorded = 0
    var batch: [WalkedStep] = []
    var error: HistoryError?
    for _ in 0..<1000 where error == nil {
      let start = clock.now
      clock.pass(100)
      batch = (1...200).map { TestHistory.step(start + Double($0) * 0.5) }
      do throws(HistoryError) { recorded += try writer.record(batch, source: TestHistory.wrist).recorded } catch let
        full
      {
        error = full
      }
    }
    #expect(error == .full(path: folder.database))
    #expect("\(error!)".contains("no space left"))
    #expect(recorded > 0)
    #expect(try reader() == recorded)
    // A larger disk, and the same steps again.
    #expect(unsafe mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT), "size=8388608") == 0)
    #expect(try writer.record(batch, source: TestHistory.wrist).recorded == 200)
    #expect(try reader() == recorded + 200)
  }

  @Test("no space for a history is a sentence, not a crash", .enabled(if: SmallDisk.isPermitted, reason))
  func fullFromTheStart() throws {
    let disk = try SmallDisk(bytes: 1 << 16)
    _ = FileManager.default.createFile(atPath: disk.path + "/ballast", contents: Data(count: (1 << 16) - 8192))
    let error = #expect(throws: HistoryError.self) {
      try HistoryWriter(folder: HistoryFolder(path: disk.path), application: "tests")
    }
    #expect(error?.code == .full)
  }

  @Test(
    "a first start with any amount of space leaves a folder that works as soon as there is space",
    .enabled(if: SmallDisk.isPermitted, reason))
  func firstStart() throws {
    let disk = try SmallDisk(bytes: 1 << 22)
    var failures = 0
    for kibibytes in stride(from: 0, through: 280, by: 4) {
      let folder = HistoryFolder(path: disk.path + "/\(kibibytes)")
      try disk.resize(leaving: kibibytes << 10)
      do throws(HistoryError) { try HistoryWriter(folder: folder, application: "tests").close() } catch {
        failures += 1
        #expect(error.code == .full, "\(kibibytes) KiB: \(error)")
      }
      try disk.resize(leaving: 1 << 22)
      let isMissing = unsafe access(folder.database, F_OK) != 0
      do throws(HistoryError) { _ = try HistoryReader(folder: folder) } catch {
        // With some of its tables, it is like one of an earlier version.
        #expect([.nothingYet, .older].contains(error.code) || isMissing, "\(kibibytes) KiB: \(error)")
      }
      let writer = try HistoryWriter(folder: folder, application: "tests")
      #expect(writer.damages.isEmpty, "\(kibibytes) KiB")
      #expect(try writer.record([TestHistory.step(Date() - 10)], source: TestHistory.wrist).recorded == 1)
      writer.close()
      try FileManager.default.removeItem(atPath: folder.path)
    }
    #expect(failures > 0 && failures < 71)
  }

  @Test("a backup leaves the steps their part of the disk", .enabled(if: SmallDisk.isPermitted, reason))
  func backup() throws {
    let disk = try SmallDisk(bytes: 1 << 22)
    let folder = HistoryFolder(path: disk.path + "/state")
    let clock = TestClock(TestHistory.morning)
    let writer = try HistoryWriter(folder: folder, application: "tests", clock: clock.history)
    #expect(try writer.record([TestHistory.step(clock.now)], source: TestHistory.wrist).recorded == 1)
    let (backups, ballast) = (HistoryBackups(folder: folder), disk.path + "/ballast")
    #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 3 << 20)))
    #expect(throws: HistoryError.full(path: folder.backups)) { try backups.make(now: clock.now) }
    #expect(try backups.list().isEmpty)
    // Thrice the history, and a mebibyte.
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: folder.database)[.size] as? Int)
    for isEnough in [false, true] {
      try FileManager.default.removeItem(atPath: ballast)
      var system = statvfs()
      #expect(unsafe statvfs(disk.path, &system) == 0)
      let page = Int(system.f_frsize)
      let rest = Int(system.f_bavail) - (3 * size + (1 << 20) + page - 1) / page + (isEnough ? 0 : 1)
      #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: rest * page)))
      if isEnough {
        #expect(try backups.make(now: clock.now) != nil)
      } else {
        #expect(throws: HistoryError.full(path: folder.backups)) { try backups.make(now: clock.now) }
      }
    }
  }

  @Test(
    "a read-only folder is refused to writers with a sentence, and still read",
    .enabled(if: SmallDisk.isPermitted, reason))
  func readOnly() throws {
    let disk = try SmallDisk(bytes: 1 << 22)
    let clock = TestClock(TestHistory.morning)
    let folder = HistoryFolder(path: disk.path)
    var writer: HistoryWriter? = try HistoryWriter(folder: folder, application: "tests", clock: clock.history)
    clock.pass(10)
    try writer?.record([TestHistory.step(TestHistory.morning + 1)], source: TestHistory.wrist)
    writer = nil
    #expect(disk.makeReadOnly())
    let error = #expect(throws: HistoryError.self) { try HistoryWriter(folder: folder, application: "tests") }
    #expect(error?.code == .notPermitted)
    #expect(try #require(error).message.contains("fix its permissions, or give another folder"))
    #expect(try HistoryReader(folder: folder).totals(from: .distantPast, to: .distantFuture).steps == 1)
  }

  @Test("a folder in place of a file cannot be created")
  func fileInTheWay() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write([], to: "file")
    let error = #expect(throws: HistoryError.self) {
      try HistoryWriter(folder: HistoryFolder(path: file + "/state"), application: "tests")
    }
    #expect(error?.code == .cannotCreate)
  }
}
