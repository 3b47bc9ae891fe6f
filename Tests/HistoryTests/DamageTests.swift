import Foundation
import Platform
import TestSupport
import Testing

@testable import History

@Suite("A damaged history loses what was on the damaged pages at most, and says what", .timeLimit(.minutes(10)))
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
    let count = Self.setting("PEDOMETER_DAMAGES", 64)
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

  @Test("one zeroed page of many costs its own minutes only, and the dates are named")
  func oneZeroedPage() throws {
    let history = try TestHistory()
    let all = Self.setting("PEDOMETER_ZEROED_MINUTES", 20_000)
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
    #expect(history.files.contains { $0.hasPrefix("history-damaged-") && $0.hasSuffix(".txt") })
  }

  @Test("a changed minute is computed from the others and the sums, and nothing is lost")
  func repaired() throws {
    let history = try TestHistory()
    try history.walkAtOnce(1200, with: history.writer())
    let former = try history.reader().everything()
    try history.tamper("UPDATE minute SET steps = steps + 64 WHERE minute = (SELECT min(minute) + 3 FROM minute)")
    #expect(throws: HistoryError.self) { try history.reader().everything() }
    let next = try history.writer()
    try next.check()
    #expect(next.damages.first?.losses == [])
    #expect(try history.reader().everything() == former)
  }

  @Test(
    "a changed sum, source or bout, and a missing minute are noticed",
    arguments: [
      "UPDATE quarter SET steps = steps + 1 WHERE quarter = (SELECT min(quarter) FROM quarter)",
      "UPDATE source SET name = 'wrong'", "UPDATE source SET newest = newest + 86400000000",
      "DELETE FROM minute WHERE minute = (SELECT min(minute) FROM minute)",
      "DELETE FROM quarter WHERE quarter = (SELECT min(quarter) FROM quarter)",
      "DELETE FROM day", "UPDATE whole SET digest = digest + 1", "UPDATE bout SET steps = steps + 1",
      "DELETE FROM bout",
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

  @Test("checksums that were wrong before are not covered up by later steps")
  func notCoveredUp() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    try history.walkAtOnce(200, with: writer)
    try history.tamper("UPDATE quarter SET steps = steps + 1")
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
    #expect(rows.quarters.values.allSatisfy { $0.sum != nil } && rows.sources.values.allSatisfy(\.isCertain))
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
  private var bytes: Data

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
