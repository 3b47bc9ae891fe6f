import Foundation
import GRDB
import Pedometry
import Platform
import TestSupport
import Testing

@testable import History

@Suite("A damaged history loses what was on the damaged pages at most, and says what", .timeLimit(.minutes(30)))
struct DamageTests {
  /// `PEDOMETER_DAMAGES` sets the number of trials, `PEDOMETER_DAMAGED_MINUTES` the size of their history, and
  /// `PEDOMETER_ZEROED_MINUTES` that of the history with one zeroed page.
  private static func setting(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  @Test("after random damage, every minute is as it was or in a period that is named")
  func trials() throws {
    let fixture = try DamageFixture(minutes: Self.setting("PEDOMETER_DAMAGED_MINUTES", 3000))
    #expect(fixture.minutes.count > 2000 && fixture.bouts.count > 1 && fixture.totals.floorsAscended != nil)
    let count = Self.setting("PEDOMETER_DAMAGES", 12)
    var summary: [DamageTrial.Kind: (trials: Int, noticed: Int, replaced: Int, lost: Int, most: Int)] = [:]
    for number in 0..<count {
      do {
        let trial = try DamageTrial(fixture, number: UInt64(number))
        var former = summary[trial.kind] ?? (0, 0, 0, 0, 0)
        former.trials += 1
        former.noticed += trial.isNoticed ? 1 : 0
        former.replaced += trial.isReplaced ? 1 : 0
        former.lost += trial.lost
        former.most = max(former.most, trial.lost)
        summary[trial.kind] = former
        // A page holds at most 180 minutes of sources. Of a damaged one, whole quarters of an hour may be in doubt.
        #expect(trial.lost <= trial.pages * 200, "trial \(number), \(trial.kind)")
      } catch {
        Issue.record("trial \(number): \(error)")
      }
    }
    for kind in DamageTrial.Kind.allCases {
      guard let row = summary[kind] else { continue }
      print(
        "damage \(kind): \(row.trials) trials, \(row.noticed) noticed by readers, \(row.replaced) replaced,",
        "\(row.lost) minutes lost in all, at most \(row.most) of \(fixture.minutes.count)")
    }
  }

  @Test("a value that the schema rules out, as damage leaves it, is damage, and nothing is lost")
  func impossibleValue() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walkAtOnce(1200, with: writer)
    writer.close()
    let former = try history.reader().everything()
    try history.tamper(
      """
      ALTER TABLE grdb_migrations RENAME TO former; CREATE TABLE grdb_migrations (identifier TEXT);
      INSERT INTO grdb_migrations SELECT identifier FROM former; INSERT INTO grdb_migrations VALUES (NULL);
      DROP TABLE former
      """)
    let next = try history.writer()
    try next.check()
    #expect(next.damages.count == 1)
    #expect(try history.reader().everything() == former)
  }

  @Test("one zeroed page of many costs its own minutes only, and the dates are named")
  func oneZeroedPage() throws {
    let history = try TestHistory()
    let all = Self.setting("PEDOMETER_ZEROED_MINUTES", 12_000)
    let start = TestHistory.morning - Double(all) * 60
    try history.writer().add(
      (0..<all).map { number in
        HistoryMinute(
          start: start + Double(number) * 60, source: TestHistory.wrist,
          totals: WalkTotals(steps: 1 + number % 100, distanceTravelled: 1, activeTime: .seconds(1)))
      })
    var bytes = try TemporaryBytes(history.folder.database)
    bytes.zero(page: bytes.count / 2)
    try bytes.write()
    #expect(throws: HistoryError.self) { try history.reader().everything() }
    let next = try history.writer()
    try next.check()
    let damage = try #require(next.damages.first)
    let kept = try history.reader().everything().count
    #expect(kept > all - 300 && kept < all)
    print("damage of one page in the middle: \(kept) of \(all) minutes saved")
    #expect(damage.minutes == kept)
    let lost = damage.losses.filter { $0.kind == .minutes }.reduce(0) { $0 + $1.minutes }
    #expect(lost == all - kept)
    #expect(damage.text.contains(damage.losses[0].text) && damage.text.contains(" UTC ("))
    #expect(try history.reader().losses() == damage.losses)
    #expect(history.files.contains { $0.hasPrefix("history-damaged-") && $0.hasSuffix(".sqlite") })
  }

  @Test(
    "a changed or missing minute is computed from the others and the sums, and nothing is lost",
    arguments: ["UPDATE minute SET steps = steps + 64", "DELETE FROM minute"])
  func repaired(change: String) throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walkAtOnce(1200, with: writer)
    writer.close()
    let former = try history.reader().everything()
    try history.tamper(change + " WHERE minute = (SELECT min(minute) + 3 FROM minute)")
    #expect(throws: HistoryError.self) { try history.reader().everything() }
    let next = try history.writer()
    try next.check()
    #expect(next.damages.first?.losses == [])
    #expect(try history.reader().everything() == former)
  }

  @Test("minutes whose source is lost are those of an unknown one")
  func unknownSource() throws {
    let history = try TestHistory()
    try history.walkAtOnce(200, with: history.writer())
    try history.tamper("DELETE FROM source")
    let writer = try history.writer()
    try writer.check()
    let found = try history.reader().sources()
    #expect(found.map(\.source) == [HistorySource(identity: "unknown-1", name: "unknown 1")])
    #expect(found.map(\.repeatedSteps) == [0] && found.map(\.impossibleSteps) == [0])
    #expect(try history.all().steps == 200)
  }

  @Test("a record whose values do not fit in it is left out, also at the end of a page")
  func cutRecord() {
    // A page of a table with one row, whose cell is at the end: two bytes of header and one of a value.
    func values(_ cell: [UInt8]) -> [[PageRecords.Value]] {
      var page = [UInt8](repeating: 0, count: 4096)
      let start = page.count - cell.count
      page.replaceSubrange(0..<10, with: [0x0D, 0, 0, 0, 1, 0, 0, 0, UInt8(start >> 8), UInt8(start & 0xFF)])
      page.replaceSubrange(start..., with: cell)
      var found: [[PageRecords.Value]] = []
      PageRecords.forEach(in: page, number: 1) { _, _, values in found.append(values) }
      return found
    }
    #expect(values([3, 1, 2, 1, 5]) == [[.integer(5)]])
    #expect(values([3, 1, 2, 1, 0xFF]) == [[.integer(-1)]])
    #expect(values([3, 1, 2, 6, 5]).isEmpty)
    // The longest text of a page, and one that continues on another page.
    func text(_ size: UInt8, _ type: UInt8, _ length: Int) -> [UInt8] {
      [0x9F, size, 1, 3, 0xBF, type] + [UInt8](repeating: 0x61, count: length)
    }
    #expect(values(text(0x5D, 0x41, 4058)) == [[.text(String(repeating: "a", count: 4058))]])
    #expect(values(text(0x5E, 0x43, 4059)).isEmpty)
  }

  @Test("what was committed to the log only is read from it, up to the last transaction")
  func log() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    var generations: [Int64] = []
    for _ in 0..<5 {
      try history.walk(3, with: writer)
      let image = try DatabaseImage(path: history.folder.database, log: history.folder.database + "-wal")
      defer { image.close() }
      let rows = SalvagedRows(image)
      #expect(image.hasLog && rows.minutes.values.map(\.steps).reduce(0, +) == 3 * generations.count + 3)
      generations.append(try #require(rows.whole).generation)
    }
    #expect(zip(generations, generations.dropFirst()).map { $1 - $0 } == [3, 3, 3, 3])
    withExtendedLifetime(writer) {}
  }

  @Test("a source with refused steps, and a minute of steps without a duration, are read from the pages as they are")
  func rowsOfRefusals() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walk(5, with: writer)
    try writer.record([TestHistory.step(history.clock.now)], source: TestHistory.wrist)
    for _ in 0..<2 { try writer.record([TestHistory.step(.distantPast)], source: TestHistory.wrist) }
    try writer.add([
      HistoryMinute(
        start: TestHistory.morning - 600, source: TestHistory.wrist,
        totals: WalkTotals(steps: 7, distanceTravelled: 0, activeTime: .zero))
    ])
    writer.close()
    let image = try DatabaseImage(path: history.folder.database, log: nil)
    defer { image.close() }
    let rows = SalvagedRows(image)
    let source = try #require(rows.sources.values.first)
    #expect(source.isCertain && source.numbers.suffix(2) == [1, 2])
    #expect(rows.minutes.values.map(\.steps).sorted() == [5, 7])
    #expect(rows.quarters.values.map(\.entry.steps).sorted() == [5, 7])
  }

  @Test("the first day of 1970, on which clocks without a battery begin, is read from the pages like another")
  func firstDay() throws {
    let history = try TestHistory(Date(timeIntervalSince1970: 3600))
    try history.walkAtOnce(230, with: history.writer())
    let image = try DatabaseImage(path: history.folder.database, log: history.folder.database + "-wal")
    defer { image.close() }
    let rows = SalvagedRows(image)
    #expect(rows.days.keys.map(\.self) == [0] && rows.minutes.count == 2 && rows.quarters.count == 1)
  }

  @Test("figures of a minute that no walk has are taken for damage")
  func plausible() {
    let most: Int64 = 1 << 40
    for (steps, distance, active, isPlausible) in [
      (0, 0, 0, true), (99_999, most - 1, most - 1, true), (100_000, 0, 0, false), (1, most, 0, false),
      (1, 0, most, false), (-1, 0, 0, false), (1, -1, 0, false), (1, 0, -1, false),
    ] {
      let entry = MinuteTable.Entry(steps: steps, distance: distance, active: active)
      #expect(entry.isPlausible == isPlausible, "\(steps), \(distance), \(active)")
    }
    for (up, down, isPlausible) in [(0, 0, true), (-1, 0, false), (0, -1, false)] {
      var entry = MinuteTable.Entry(steps: 1, distance: 0, active: 0)
      entry.floors = MinuteTable.Floors(ascended: up, descended: down)
      #expect(entry.isPlausible == isPlausible)
    }
  }

  @Test("a total of hours notices a changed minute in its first and its last quarter, whose minutes it adds up")
  func ends() throws {
    for (minute, end, isRead) in [
      (1, 44, true), (8, 44, true), (22, 44, false), (43, 44, true), (50, 44, false), (15, 15, true), (30, 15, false),
    ] {
      let history = try TestHistory()
      try history.walkAtOnce(60 * 120, with: history.writer())
      let start = TestHistory.morning
      let number = Int(start.timeIntervalSince1970 / 60) + minute
      try history.tamper("UPDATE minute SET distance = distance + 1 WHERE minute = \(number)")
      let total = { try history.reader().totals(from: start + 30, to: start + Double(end) * 60 + 30).steps }
      if isRead {
        #expect(throws: HistoryError.self, "minute \(minute)") { try total() }
      } else {
        #expect(try total() == end * 120, "minute \(minute)")
      }
      // An empty period reads nothing of the quarter before.
      #expect(try history.reader().totals(from: start + 2700, to: start + 2700).steps == 0)
    }
  }

  @Test("damage to the list of unused pages, which no checksum covers, is noticed by the weekly check")
  func unusedPages() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walk(5, with: writer)
    writer.close()
    var bytes = try TemporaryBytes(history.folder.database)
    // The number of unused pages in the header of the file.
    bytes.bytes[39] += 1
    try bytes.write()
    history.clock.pass(8 * 86_400)
    let next = try history.writer()
    try next.check()
    #expect(next.damages.map(\.losses) == [[]])
    #expect(try history.all().steps == 5)
  }

  @Test("the damaged file is closed after its rows have been saved, and before it is renamed")
  func release() throws {
    let history = try TestHistory()
    try history.walk(5, with: history.writer())
    var files: [[String]] = []
    let opened = try HistoryStore.salvage(history.folder, now: history.clock.now, former: nil) {
      files.append(history.files.filter { !$0.contains("damaged") })
    }
    #expect(files.count == 1)
    #expect(files.first.map { $0.contains("history.sqlite") && $0.count > 1 } == true)
    #expect(opened.damage?.minutes == 1)
  }

  @Test(
    "a changed sum, source or bout, and a missing minute are noticed",
    arguments: [
      "UPDATE quarter SET steps = steps + 1 WHERE quarter = (SELECT min(quarter) FROM quarter)",
      "UPDATE source SET name = 'wrong'", "UPDATE source SET newest = newest + 86400000000",
      "DELETE FROM minute WHERE minute = (SELECT min(minute) FROM minute)",
      "DELETE FROM quarter WHERE quarter = (SELECT min(quarter) FROM quarter)",
      "DELETE FROM day", "UPDATE whole SET digest = digest + 1", "UPDATE bout SET steps = steps + 1",
      "DELETE FROM bout", "UPDATE bout SET finish = start - 1", "UPDATE clock SET id = 2",
      "UPDATE whole SET generation = generation - 1",
    ])
  func noticed(change: String) throws {
    let history = try TestHistory()
    try history.walkAtOnce(2400, with: history.writer())
    try history.tamper(change)
    let next = try history.writer()
    try next.check()
    #expect(next.damages.count == 1)
    // What can be derived was saved: at most one minute is missing.
    #expect(try history.all().steps >= 2280)
  }

  /// A loss that is noticed when both days are over.
  private static func loss(
    _ start: Double, _ end: Double, _ kind: HistoryLoss.Kind = .minutes, minutes: Int = 0, steps: Int? = nil
  ) -> HistoryLoss {
    HistoryLoss(
      start: TestHistory.morning + start, end: TestHistory.morning + end, kind: kind, minutes: minutes, steps: steps,
      noticed: TestHistory.morning + 87_600)
  }

  @Test(
    "what is lost of two days with 20 minutes each is named exactly, and again after the next damage",
    arguments: [
      // What the day had follows from the other one and from everything.
      ("DELETE FROM day WHERE day = 20579", []),
      (
        """
        DELETE FROM day WHERE day = 20579; DELETE FROM quarter WHERE quarter = 1975624;
        DELETE FROM minute WHERE minute < 29634365
        """, [loss(-36_000, 50_400)]
      ),
      // Two minutes of a quarter: the others cannot tell which.
      (
        "UPDATE minute SET steps = steps + 1 WHERE minute IN (29634363, 29634364)",
        [loss(0, 900, minutes: 15, steps: 1799)]
      ),
      // A day of which nothing is left: its bout and its source's latest step limit when that was.
      (
        """
        DELETE FROM minute WHERE minute < 29635200; DELETE FROM quarter WHERE quarter < 1975680;
        DELETE FROM day WHERE day = 20579
        """, [loss(-36_000, 136_800, minutes: 21)]
      ),
      (
        """
        DELETE FROM minute WHERE minute > 29635200; DELETE FROM quarter WHERE quarter > 1975680;
        DELETE FROM day WHERE day = 20580; DELETE FROM bout WHERE start > 1778112000000000
        """, [loss(-36_000, 136_800, .bouts), loss(-36_000, 136_800, minutes: 21)]
      ),
      (
        "UPDATE bout SET steps = steps + 1 WHERE start < 1778112000000000",
        [loss(-36_000, 50_400, .bouts)]
      ),
      ("UPDATE source SET name = 'wrong'", [loss(0, 87_660, .source)]),
    ])
  func exactly(change: String, losses: [HistoryLoss]) throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walkAtOnce(2400, with: writer)
    history.clock.pass(86_400 - 1200)
    try history.walkAtOnce(2400, with: writer)
    writer.close()
    try history.tamper(change)
    let next = try history.writer()
    try next.check()
    #expect(next.damages.map(\.losses) == [losses])
    next.close()
    try history.tamper("UPDATE whole SET digest = digest + 1")
    let last = try history.writer()
    try last.check()
    #expect(last.damages.count == 1)
    #expect(try history.reader().losses() == losses)
  }

  @Test("a day whose checksum is lost keeps its minutes, also without the checksum of everything", arguments: [0, 1])
  func dayWithoutChecksum(wholes: Int) throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walkAtOnce(2400, with: writer)
    history.clock.pass(86_400)
    try history.walkAtOnce(2400, with: writer)
    writer.close()
    try history.tamper(
      (wholes == 0 ? "DELETE FROM whole; " : "") + "DELETE FROM day WHERE day = (SELECT min(day) FROM day)")
    let next = try history.writer()
    try next.check()
    #expect(next.damages.count == 1)
    #expect(try history.all().steps == 4800)
  }

  @Test("a minute that damage moved within its quarter of an hour goes back to its place", arguments: 0..<5)
  func moved(minute: Int) throws {
    let history = try TestHistory()
    try history.walkAtOnce(590, with: history.writer())
    let minutes = {
      var minutes: [HistoryMinute] = []
      try history.reader().minutes(from: .distantPast, to: .distantFuture) { minutes.append($0) }
      return minutes
    }
    let former = try minutes()
    try history.tamper(
      "UPDATE minute SET minute = minute + 7 WHERE minute = (SELECT min(minute) FROM minute) + \(minute)")
    let writer = try history.writer()
    try writer.check()
    #expect(writer.damages.map(\.losses) == [[]])
    #expect(try minutes() == former)
  }

  @Test("a minute that damage moved to another quarter of an hour goes back to its place", arguments: [0, 3, 14])
  func movedFar(minute: Int) throws {
    let history = try TestHistory()
    try history.walkAtOnce(2400, with: history.writer())
    let former = try history.reader().everything()
    try history.tamper(
      "UPDATE minute SET minute = \(22 - minute) + minute WHERE minute = (SELECT min(minute) FROM minute) + \(minute)")
    let writer = try history.writer()
    try writer.check()
    #expect(writer.damages.map(\.losses) == [[]])
    #expect(try history.reader().everything() == former)
  }

  @Test("steps that were submitted before a source's row was damaged do not count again")
  func resubmitted() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    let steps = (1...2400).map { TestHistory.step(history.clock.now + Double($0) * 0.5) }
    history.clock.pass(1200)
    #expect(try writer.record(steps, source: TestHistory.wrist).recorded == 2400)
    writer.close()
    try history.tamper("UPDATE source SET name = 'wrong'")
    let next = try history.writer()
    try next.check()
    #expect(next.damages.map { $0.losses.map(\.kind) } == [[.source]])
    let receipt = try next.record(steps, source: TestHistory.wrist)
    #expect(receipt.recorded == 0 && receipt.repeated == 2400)
    #expect(try history.all().steps == 2400)
  }

  @Test(
    "checksums that were wrong before are not covered up by later steps",
    arguments: [
      "UPDATE quarter SET steps = steps + 1", "UPDATE day SET minutes = minutes + 1",
      "UPDATE whole SET digest = digest + 1", "UPDATE source SET newest = newest - 1",
    ])
  func notCoveredUp(change: String) throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walkAtOnce(200, with: writer)
    try history.tamper(change)
    try history.walkAtOnce(20, with: writer)
    #expect(writer.damages.count == 1)
    #expect(try history.all().steps == 220)
  }

  @Test("the checksums of SQLite and of this program agree")
  func digests() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walkAtOnce(200, with: writer)
    try writer.record(
      [], floors: [WalkedFloors(time: history.clock.now, ascended: 2, descended: 1)], source: TestHistory.wrist)
    writer.close()
    let image = try DatabaseImage(path: history.folder.database, log: nil)
    defer { image.close() }
    let rows = SalvagedRows(image)
    #expect(rows.minutes.count == 2 && rows.quarters.count == 1 && rows.days.count == 1 && rows.bouts.count == 1)
    #expect(rows.sources.values.allSatisfy { $0.isCertain })
    let sum = rows.minutes.reduce(0) { $0 + $1.value.digest($1.key) }
    #expect(rows.whole?.sum == SalvagedRows.Sum(minutes: 2, digest: sum))
  }

  @Test("the checksums are those of files that exist")
  func digestsOfFormerFiles() {
    #expect(RowDigest.text("pad:1", "wrist") == 1_713_454_991)
    #expect(RowDigest.value([1, 2, 3, 4, 5, 6, 7, 8]) == 1_185_937_415)
  }

  @Test(
    "what a reader refuses is named: a quarter, a period with a wrong number of minutes, a day, or everything",
    arguments: [
      ("UPDATE minute SET steps = steps + 1 WHERE minute = (SELECT min(minute) + 3 FROM minute)", 0.0, 900.0),
      ("UPDATE quarter SET minutes = minutes + 1 WHERE quarter = (SELECT min(quarter) FROM quarter)", 0, 3600),
      ("DELETE FROM quarter WHERE quarter = (SELECT min(quarter) FROM quarter)", -36_000, 50_400),
      ("UPDATE whole SET digest = digest + 1", 0, 1260),
    ])
  func refused(change: String, start: Double, end: Double) throws {
    let history = try TestHistory()
    try history.walkAtOnce(2400, with: history.writer())
    try history.tamper(change)
    let reader = try history.reader()
    let error = #expect(throws: HistoryError.self) {
      try reader.minutes(from: TestHistory.morning, to: TestHistory.morning + 3600) { _ in }
    }
    #expect(
      error?.losses == [
        HistoryLoss(start: TestHistory.morning + start, end: TestHistory.morning + end, noticed: .distantPast)
      ])
  }

  @Test("days that begin within a quarter of an hour are refused if a minute beside such a beginning is wrong")
  func refusedDays() throws {
    let history = try TestHistory()
    try history.walkAtOnce(3000, with: history.writer(), every: 60)
    let calendar = DayCalendar(timeZone: .gmt, dayStart: .seconds(10 * 3600 + 420))
    let days = {
      let start = TestHistory.morning + 420
      let days = try history.reader().buckets(from: start, to: start + 2 * 86_400, by: .day, calendar: calendar)
      return days.map(\.totals.steps)
    }
    #expect(try days() == [1440, 1440])
    let minute = Int(TestHistory.morning.timeIntervalSince1970) / 60 + 1440 + 10
    try history.tamper("UPDATE minute SET steps = steps + 1 WHERE minute = \(minute)")
    let error = #expect(throws: HistoryError.self) { try days() }
    #expect(error?.code == .damaged)
  }

  @Test("bouts that a reader refuses are named by their day")
  func refusedBouts() throws {
    let history = try TestHistory()
    try history.walkAtOnce(2400, with: history.writer())
    try history.tamper("UPDATE bout SET steps = steps + 1")
    let reader = try history.reader()
    let error = #expect(throws: HistoryError.self) { try reader.bouts(from: .distantPast, to: .distantFuture) }
    #expect(
      error?.losses == [
        HistoryLoss(
          start: TestHistory.morning - 36_000, end: TestHistory.morning + 50_400, kind: .bouts, noticed: .distantPast)
      ])
  }

  @Test(
    "at most five periods are named", arguments: [(5, ""), (6, "; and 1 other period"), (7, "; and 2 other periods")])
  func summary(count: Int, rest: String) {
    let losses = (0..<count).map { Self.loss(Double($0) * 7200, Double($0) * 7200 + 60) }
    #expect(losses.summary == losses.prefix(5).map(\.text).joined(separator: "; ") + rest)
  }

  @Test("a history without minutes, whose checksum is wrong, is refused with the minute of 1970")
  func refusedWithoutMinutes() throws {
    let history = try TestHistory()
    _ = try history.writer()
    try history.tamper("UPDATE whole SET digest = digest + 1")
    let error = #expect(throws: HistoryError.self) { try history.all() }
    #expect(error?.losses == [HistoryLoss(start: Date(minute: 0), end: Date(minute: 1), noticed: .distantPast)])
  }

  @Test("a changed letter in the definition of a table is damage, too, and costs nothing")
  func definition() throws {
    let history = try TestHistory()
    try history.walkAtOnce(200, with: history.writer())
    try history.tamper(
      """
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'ascended', 'bscended')
        WHERE name = 'quarter'
      """)
    #expect(try history.writer().damages.map(\.losses) == [[]])
    #expect(try history.all().steps == 200)
  }

  @Test("a replacement that was interrupted between its two renamings is completed")
  func interrupted() throws {
    let history = try TestHistory()
    try history.walk(10, with: history.writer())
    #expect(unsafe rename(history.folder.database, history.folder.salvaged) == 0)
    let writer = try history.writer()
    #expect(try history.walk(10, with: writer).recorded == 10)
    #expect(try history.all().steps == 20)
  }
}

/// The bytes of a file, to be damaged.
private struct TemporaryBytes {
  private let path: String
  var bytes: Data

  init(_ path: String) throws {
    self.path = path
    bytes = try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// In pages.
  var count: Int { bytes.count / DatabaseImage.pageSize }

  mutating func zero(page: Int) {
    let start = page * DatabaseImage.pageSize
    bytes.replaceSubrange(start..<start + DatabaseImage.pageSize, with: Data(count: DatabaseImage.pageSize))
  }

  func write() throws { try bytes.write(to: URL(fileURLWithPath: path)) }
}
