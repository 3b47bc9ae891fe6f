import Foundation
import GRDB
import Glibc
import History
import HistoryImport
import Logging
import Synchronization
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore

@Suite("A watched folder", .timeLimit(.minutes(30)), .ownThreads)
final class WatchedFolderTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let outcomes = Observed<[WatchedFolder.Outcome]>([])
  private let log = WaitingLog()
  private let isFull = Observed(false)
  private let writes = Observed(0)

  private struct Full: Error, CustomStringConvertible {
    let description = "the disk is full"
  }

  private var state: HistoryFolder { HistoryFolder(path: directory.path + "/state") }
  private var exports: String { directory.path + "/phone/exports" }
  private let writer: HistoryWriter

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeFolder("state")
    writer = try HistoryWriter(folder: HistoryFolder(path: directory.path + "/state"), application: "test")
  }

  deinit { writer.close() }

  private func folder() -> WatchedFolder {
    let (time, writer, outcomes, log) = (ServiceClock.manual(clock), writer, outcomes, log)
    let (isFull, writes) = (isFull, writes)
    return WatchedFolder(
      exports, state: state.path,
      files: FileImport(
        folder: state, stepLength: .fixed(0.7), timeZone: { .gmt }, now: time.now,
        raise: { minutes in
          writes.update { $0 += 1 }
          if isFull.value { throw Full() }
          return try writer.add(minutes)
        }),
      clock: time, logger: Logger(label: "test") { _ in log },
      finished: { outcome in outcomes.update { $0.append(outcome) } })
  }

  /// Runs the watch, and ends it afterwards.
  private func watching(_ body: (WatchedFolder) async throws -> Void) async throws {
    let folder = folder()
    let running = Task { try await folder.run() }
    await log.beginning()
    do { try await body(folder) } catch {
      running.cancel()
      throw error
    }
    running.cancel()
    try await running.value
    await clock.waitUntilIdle()
  }

  /// One more look at the folder.
  private func look() async {
    await clock.waitForSleeper(until: clock.now.advanced(by: WatchedFolder.interval))
    clock.advance(by: WatchedFolder.interval)
  }

  /// Lets files settle: one look finds them, and the next one that they have not changed.
  private func settle() async {
    await look()
    await look()
  }

  private func outcome(_ number: Int) async -> WatchedFolder.Outcome {
    await outcomes.wait { $0.count >= number }
    return outcomes.value[number - 1]
  }

  private func total() throws -> Int {
    try HistoryReader(folder: state).totals(from: .distantPast, to: .distantFuture).steps
  }

  @discardableResult
  private func write(_ text: String, _ name: String) throws -> String {
    try directory.write(Array(text.utf8), to: "phone/exports/" + name)
  }

  private static let days = "date,steps\n2026-05-06,1440\n2026-05-07,2880\n"

  @Test("a file that is there at the start is imported, and after a restart not again")
  func start() async throws {
    try directory.makeFolder("phone/exports")
    try write(Self.days, "days.csv")
    try await watching { folder in
      await settle()
      let outcome = await outcome(1)
      #expect(outcome.name == "days.csv" && outcome.newSteps == 4320 && outcome.reason == nil)
      #expect(folder.outcomes.map(\.object) == [#"{"file":"days.csv","newSteps":4320}"#])
    }
    #expect(try total() == 4320)
    try await watching { folder in
      // A second file shows when the first one has been looked at.
      try write("date,steps\n2026-05-08,100\n", "more.csv")
      await settle()
      #expect(await outcome(2).name == "more.csv")
      #expect(folder.outcomes.count == 2)
    }
    #expect(outcomes.value.count == 2 && log.lines.count { $0.contains("imported days.csv") } == 1)
  }

  @Test("a folder that is there but cannot be read is told, with the reason")
  func unreadable() async throws {
    try directory.makeFolder("phone")
    try directory.write([], to: "phone/exports")
    try await watching { _ in await log.line(with: "phone/exports cannot be read: Not a directory; check") }
    #expect(!log.lines.contains { $0.contains("does not exist yet") || $0.contains("are imported") }, "\(log.lines)")
  }

  @Test("the same content under another name adds nothing")
  func again() async throws {
    try directory.makeFolder("phone/exports")
    try await watching { _ in
      try write(Self.days, "days.csv")
      await settle()
      #expect(await outcome(1).newSteps == 4320)
      try write(Self.days, "days-2.csv")
      await settle()
      #expect(await outcome(2).newSteps == 0)
    }
    #expect(try total() == 4320)
  }

  @Test("a file that is being written waits until it does not change any more")
  func writing() async throws {
    try directory.makeFolder("phone/exports")
    try await watching { _ in
      let slow = try write("date,steps\n2026-05-06,14", "slow.csv")
      // Another file is imported meanwhile.
      try write("date,steps\n2026-05-08,100\n", "quick.csv")
      await look()
      await clock.waitForSleeper(until: clock.now.advanced(by: WatchedFolder.interval))
      let handle = try FileHandle(forWritingTo: URL(filePath: slow))
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("40\n".utf8))
      try handle.close()
      await look()
      #expect(await outcome(1).name == "quick.csv")
      await look()
      let complete = await outcome(2)
      #expect(complete.name == "slow.csv" && complete.newSteps == 1440)
    }
  }

  @Test("a renamed file is imported by its final name; drafts, hidden and empty files are left alone")
  func renaming() async throws {
    try directory.makeFolder("phone/exports")
    try await watching { folder in
      for name in [".days.csv.tmp", "days.csv.part", "days.csv.crdownload", "Gadgetbridge.db-wal"] {
        try write(Self.days, name)
      }
      try write("", "empty.csv")
      let draft = try write(Self.days, ".syncthing.days.csv.tmp")
      #expect(unsafe rename(draft, exports + "/days.csv") == 0)
      await settle()
      #expect(await outcome(1).name == "days.csv")
      #expect(folder.outcomes.count == 1)
    }
    #expect(outcomes.value.count == 1)
  }

  @Test("a broken file is reported once, until it changes; others are imported meanwhile")
  func broken() async throws {
    try directory.makeFolder("phone/exports")
    try write("hello", "note.txt")
    try write(Self.days, "days.csv")
    try await watching { folder in
      await settle()
      _ = await outcome(2)
      let reason = outcomes.value.first { $0.name == "note.txt" }?.reason
      #expect(reason?.hasPrefix("note.txt is not a file that can be imported") == true, "\(outcomes.value)")
      #expect(folder.outcomes.contains { $0.object.hasPrefix(#"{"file":"note.txt","reason":"note.txt is not"#) })
      #expect(try total() == 4320)
      // Another look does not try it again.
      try write("date,steps\n2026-05-08,100\n", "more.csv")
      await settle()
      #expect(await outcome(3).name == "more.csv")
      try write("date,steps\n2026-05-09,500\n", "note.txt")
      await settle()
      let mended = await outcome(4)
      #expect(mended.name == "note.txt" && mended.newSteps == 500)
    }
    // Nor does a restart.
    #expect(log.lines.count { $0.contains("note.txt is not a file") } == 1)
  }

  @Test("the folder may appear later, vanish and come back")
  func folders() async throws {
    try await watching { _ in
      await log.line(with: "does not exist yet")
      try directory.makeFolder("phone/exports")
      await look()
      await log.line(with: "exports in ")
      try write(Self.days, "days.csv")
      await settle()
      #expect(await outcome(1).newSteps == 4320)
      #expect(unsafe rename(exports, directory.path + "/phone/away") == 0)
      await look()
      await log.line(with: "does not exist yet")
      #expect(unsafe rename(directory.path + "/phone/away", exports) == 0)
      await look()
      await log.line(with: "exports in ")
      try write("date,steps\n2026-05-08,100\n", "more.csv")
      await settle()
      // The first one is remembered.
      #expect(await outcome(2).name == "more.csv")
      try FileManager.default.removeItem(atPath: directory.path + "/phone")
      await look()
      await log.line(with: "does not exist yet")
    }
  }

  @Test("while the history cannot be written, a file waits, and is not blamed")
  func trouble() async throws {
    try directory.makeFolder("phone/exports")
    try write(Self.days, "days.csv")
    isFull.update { $0 = true }
    try await watching { folder in
      await settle()
      await log.line(with: "are not imported yet: the disk is full")
      #expect(folder.outcomes.isEmpty)
      isFull.update { $0 = false }
      await clock.waitForSleeper(until: clock.now.advanced(by: WatchedFolder.interval))
      clock.advance(by: WatchedFolder.retry)
      #expect(await outcome(1).newSteps == 4320)
    }
    #expect(writes.value == 2 && log.lines.count { $0.contains("not imported yet") } == 1)
  }

  @Test("a symbolic link is not followed")
  func link() async throws {
    try directory.makeFolder("phone/exports")
    let file = try directory.write(Array(Self.days.utf8), to: "days.csv")
    try await watching { folder in
      #expect(unsafe symlink(file, exports + "/link.csv") == 0)
      await settle()
      await clock.waitForSleeper(until: clock.now.advanced(by: WatchedFolder.interval))
      #expect(folder.outcomes.isEmpty)
    }
  }

  @Test("Gadgetbridge's database, which is written in place, is imported")
  func database() async throws {
    try directory.makeFolder("phone/exports")
    try await watching { _ in
      let queue = try DatabaseQueue(path: exports + "/Gadgetbridge.db")
      try await queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE DEVICE (_id INTEGER PRIMARY KEY, NAME TEXT, MANUFACTURER TEXT, IDENTIFIER TEXT);
            INSERT INTO DEVICE VALUES (1, 'Band', 'x', 'C0:FF:EE:00:11:22');
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, USER_ID INTEGER, STEPS INTEGER);
            INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (1778054400, 1, 1, 100), (1778054580, 1, 1, 90);
            """)
      }
      try queue.close()
      await settle()
      let outcome = await outcome(1)
      #expect(outcome.name == "Gadgetbridge.db" && outcome.newSteps == 190)
    }
  }
}

/// The messages of a log, for waiting.
private struct WaitingLog: LogHandler {
  private struct Lines {
    var all: [String] = []
    var read = 0
  }

  private let state = Observed(Lines())
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  var lines: [String] { state.value.all }

  func log(event: LogEvent) {
    let text = "\(event.message)"
    state.update { $0.all.append(text) }
  }

  /// Returns when the folder is watched, or known not to exist, or not to be readable.
  func beginning() async {
    let signs = ["exports in ", "does not exist yet", "cannot be read"]
    await state.wait { $0.all.contains { line in signs.contains { line.contains($0) } } }
  }

  /// Returns when a line that no former call has returned contains a text.
  func line(with text: String) async {
    await state.wait { $0.all[$0.read...].contains { $0.contains(text) } }
    state.update { state in
      if let index = state.all[state.read...].firstIndex(where: { $0.contains(text) }) { state.read = index + 1 }
    }
  }
}
