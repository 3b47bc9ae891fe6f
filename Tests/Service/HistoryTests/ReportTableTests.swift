import Analytics
import Foundation
import Testing

@testable import History

@Suite("Reports in the history's database", .timeLimit(.minutes(30))) struct ReportTableTests {
  private let history: TestHistory

  init() throws { history = try TestHistory() }

  private static func report(
    _ number: Int, id: UUID = UUID(), user: String = "walker", year: Double = 0
  ) -> StoredReport {
    StoredReport(
      id: id, name: "event \(number)", user: user, eventDate: TestHistory.morning + 0.123,
      recordedDate: TestHistory.morning + year * 31_557_600 + 0.001, type: "lifecycle",
      duration: number == 1 ? 2.5 : nil, device: "d", os: number == 1 ? nil : "o", appVersion: "1")
  }

  @Test("a report is read back unchanged, to the millisecond, by later readers", arguments: [-2000.0, 0, 7900])
  func roundTrip(year: Double) throws {
    let reports = (1...3).map { Self.report($0, year: year) }
    var writer: HistoryWriter? = try history.writer()
    for report in reports { #expect(try #require(try writer?.record(report)).isNew) }
    writer = nil
    let kept = try history.reader().reports(limit: 10)
    #expect(kept.map(\.name) == ["event 1", "event 2", "event 3"])
    #expect(kept.map(\.duration) == [2.5, nil, nil] && kept.map(\.os) == [nil, "o", "o"])
    for (kept, report) in zip(kept, reports) {
      #expect(abs(kept.recordedDate.timeIntervalSince(report.recordedDate)) < 0.0005)
      #expect(abs(kept.eventDate.timeIntervalSince(report.eventDate)) < 0.0005)
      #expect((kept.id, kept.user, kept.device) == (report.id, "walker", "d"))
    }
  }

  @Test("a repeated report stays as first received; another user's with the same identifier is separate")
  func again() throws {
    let (writer, id) = (try history.writer(), UUID())
    try #require(try writer.record(Self.report(1, id: id)).isNew)
    let again = try writer.record(Self.report(2, id: id))
    #expect(!again.isNew && again.report.name == "event 1")
    #expect(try writer.record(Self.report(3, id: id, user: "runner")).isNew)
    #expect(try history.reader().reports(limit: 10).map(\.user) == ["walker", "runner"])
  }

  @Test("only the latest are kept, and only as many returned as requested")
  func bounded() throws {
    let writer = try history.writer()
    for number in 1...8 { _ = try writer.record(Self.report(number), keeping: 5) }
    let reader = try history.reader()
    #expect(try reader.reports(limit: 100).map(\.name) == (4...8).map { "event \($0)" })
    #expect(try reader.reports(limit: 2).map(\.name) == ["event 7", "event 8"])
    #expect(try reader.reports(limit: -1).isEmpty)
  }

  @Test("reports outlast the repair of a damaged history")
  func repaired() throws {
    let writer = try history.writer()
    try history.walkAtOnce(2000, with: writer)
    for number in 1...3 { _ = try writer.record(Self.report(number)) }
    let former = try history.reader().reports(limit: 10)
    writer.close()
    try history.tamper("UPDATE whole SET digest = digest + 1")
    #expect(try history.writer().damages.count == 1)
    #expect(try history.reader().reports(limit: 10) == former)
  }

  @Test("a history without a table of reports is upgraded, with its steps")
  func migrated() throws {
    var writer: HistoryWriter? = try history.writer()
    try history.walk(5, with: try #require(writer))
    writer = nil
    let queue = try HistoryStore.open(history.folder)
    try queue.write { db in
      try db.execute(sql: "DROP TABLE report; DELETE FROM grdb_migrations WHERE identifier = 'reports'")
    }
    try queue.close()
    #expect(throws: HistoryError.older(path: history.folder.database)) { try history.reader() }
    _ = try history.writer().record(Self.report(1))
    #expect(try history.reader().reports(limit: 9).count == 1)
    #expect(try history.all().steps == 5)
  }
}
