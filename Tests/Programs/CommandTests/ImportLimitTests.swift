import Foundation
import GRDB
import Glibc
import History
import JSONLines
import Platform
import TestSupport
import Testing

@testable import HistoryImport

/// Files that would cost far more than their bytes.
@Suite("Import: limits", .timeLimit(.minutes(30)))
struct ImportLimitTests {
  private let folder: TemporaryDirectory
  private static let now = Date(timeIntervalSince1970: 1_780_000_000)

  init() throws { folder = try TemporaryDirectory() }

  private func refusal(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = try folder.write(bytes, to: name)
    return "\(#expect(throws: ImportFailure.self) { try ImportFile.read(path, now: Self.now) } as Any)"
  }

  // MARK: XML

  private static let record =
    "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"&a;\" startDate=\"2026-05-06 08:00:00 +0200\""
    + " endDate=\"2026-05-06 08:10:00 +0200\" value=\"700\"/>"
  private static let entity = "<!DOCTYPE HealthData [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>"

  @Test(
    "XML that declares entities is refused in every encoding, whatever comes before the declaration",
    arguments: ["", " encoding=\"ISO-8859-1\"", " encoding=\"windows-1252\"", " encoding=\"UTF-16\""],
    ["", "<!-- <a -->", "<!-->-->", "<?a >?>", "<!DOCTYPE a>", "<!DOCTYPE a [<!-- ]> -->"])
  func entities(_ encoding: String, _ prologue: String) throws {
    let text = "<?xml version=\"1.0\"\(encoding)?>\(prologue)\(Self.entity)<HealthData>\(Self.record)</HealthData>"
    let bytes: [UInt8] =
      encoding.contains("16") ? Array(text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) : Array(text.utf8)
    #expect(try refusal(bytes, "export.xml").contains("declares entities"))
  }

  @Test("a document type without entities is skipped, also one that no parser accepts")
  func documentType() throws {
    let text =
      "<!DOCTYPE HealthData [<!ELEMENT a (b]c)> <!-- ] --> <!ATTLIST x y CDATA <!ELEMENT z EMPTY>]><HealthData>"
      + Self.record + "</HealthData>"
    let file = try ImportFile.read(folder.write(Array(text.utf8), to: "export.xml"), now: Self.now)
    #expect(file.periods.map(\.steps) == [700])
    #expect(file.periods.first?.source.name == "&a; (Apple Health)")
  }

  @Test(
    "a tag that is too long, and too many attributes or names, are refused",
    arguments: [
      "<a b=\"\(String(repeating: ">", count: InputLimits.token))\"/>",
      "<a \((0...InputLimits.attributes).map { "a\($0)=\"\" " }.joined())/>",
      (0...UInt16.max).map { "<a\($0)/>" }.joined(),
    ])
  func excessive(_ element: String) throws {
    #expect(try refusal(Array("<HealthData>\(element)</HealthData>".utf8), "export.xml").contains("longer than any"))
  }

  @Test("comments, texts and sections between the records are skipped, however long")
  func between() throws {
    let long = String(repeating: "<x ' \" &", count: InputLimits.token / 4)
    let text =
      "<HealthData><!--\(long)--><![CDATA[\(long)]]><?a \(long)?>\(long.replacing("<", with: ""))\(Self.record)</HealthData>"
    let file = try ImportFile.read(folder.write(Array(text.utf8), to: "export.xml"), now: Self.now)
    #expect(file.periods.map(\.steps) == [700])
  }

  @Test("Apple Health in UTF-16 is read", arguments: [true, false])
  func wide(_ isLittle: Bool) throws {
    let text =
      "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?><HealthData>"
      + String(repeating: Self.record.replacing("&a;", with: "Söhne 😀"), count: 100) + "</HealthData>"
    let bytes = text.utf16.flatMap {
      isLittle ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)]
    }
    let file = try ImportFile.read(folder.write(bytes, to: "export.xml"), now: Self.now)
    #expect(file.periods.count == 100)
    #expect(Set(file.periods.map(\.source.name)) == ["Söhne 😀 (Apple Health)"])
  }

  // MARK: Databases

  private func database(_ sql: String) throws -> [UInt8] {
    let path = folder.path + "/made.db"
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  @Test(
    "a table whose columns are calculated, or that is a view, is not read",
    arguments: [
      "CREATE TABLE steps_record_table (start_time, end_time, count AS (abs(-5)), app_info_id)",
      "CREATE VIEW steps_record_table AS SELECT 1 AS start_time, 2 AS end_time, 3 AS count",
      "CREATE VIRTUAL TABLE steps_record_table USING fts5(start_time, end_time, count)",
    ])
  func calculated(_ sql: String) throws {
    #expect(try refusal(database(sql), "health.db").contains("no table with steps"))
  }

  @Test("a value of a database that is longer than any is refused")
  func longValue() throws {
    let sql = """
      CREATE TABLE DEVICE (_id, NAME, IDENTIFIER);
      INSERT INTO DEVICE VALUES (1, hex(zeroblob(\(InputLimits.databaseValue))), 'x');
      CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP, DEVICE_ID, STEPS);
      INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (1779900000, 1, 50);
      """
    #expect(try refusal(database(sql), "bridge.db").contains("too big"))
  }

  @Test("the names of devices are cut to a usual length")
  func longName() throws {
    let sql = """
      CREATE TABLE DEVICE (_id, NAME, IDENTIFIER);
      INSERT INTO DEVICE VALUES (1, hex(zeroblob(1000)), 'x');
      CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP, DEVICE_ID, STEPS);
      INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (1779900000, 1, 50);
      """
    let file = try ImportFile.read(folder.write(database(sql), to: "bridge.db"), now: Self.now)
    #expect(file.periods.map(\.steps) == [50])
    #expect(file.periods[0].source.name.utf8.count <= InputLimits.name)
  }

  // MARK: Lists and JSON

  @Test(
    "a list with a line that is too long, or with too many lines or cells, is refused",
    // The rows themselves would fill the log.
    arguments: [
      (cells: InputLimits.token + 1, rows: 1), (cells: 0, rows: InputLimits.lines + 1),
      (cells: 1000, rows: InputLimits.cells / 1000 + 1),
    ])
  func lists(cells: Int, rows: Int) throws {
    let row = String(repeating: ",", count: cells) + (rows > 1 ? "\n" : "")
    let text = try refusal(Array("date,steps\n\(String(repeating: row, count: rows))".utf8), "steps.csv")
    #expect(text.contains("longer than any") || text.contains("a part of it at a time"), "\(text)")
  }

  @Test("JSON with a value that is too long is refused")
  func longJSON() throws {
    let text = "{\"Data Source\":\"\(String(repeating: "a", count: InputLimits.token))"
    #expect(try refusal(Array(text.utf8), "fit.json").contains("longer than any"))
  }

  @Test("more devices than a person has are left out, and it is said")
  func sources() throws {
    let lines = (0...InputLimits.sources).map { "2026-05-06T08:00:00Z,usb:\($0),Wrist,100,70,,50,,\n" }
    let text = "start,source,name,steps,distanceTravelled,cadence,activeTime,floorsAscended,floorsDescended\n"
    let file = try ImportFile.read(folder.write(Array((text + lines.joined()).utf8), to: "own.csv"), now: Self.now)
    #expect(file.minutes.count == InputLimits.sources && file.refused == 1)
    #expect(file.firstRefusal?.contains("devices and programs") == true)
  }

  // MARK: What an import takes

  @Test("an import that is stopped ends with the next piece that it reads")
  func stopped() throws {
    let path = try folder.write(Array("date,steps\n2026-05-06,100\n".utf8), to: "list.csv")
    let stop = ImportCost.Stop()
    let read = { try ImportFile.read([path], now: Self.now, calendar: DayCalendar(), cost: ImportCost(stop: stop)) }
    #expect(try read()[0].periods.count == 1)
    stop.set()
    #expect(throws: CancellationError.self) { try read() }
  }

  @Test("an import that needs more memory than it may have is refused with the remedy")
  func memory() throws {
    let path = try folder.write(Array("date,steps\n2026-05-06,100\n".utf8), to: "list.csv")
    let failure = #expect(throws: ImportFailure.self) {
      try ImportFile.read([path], now: Self.now, calendar: DayCalendar(), cost: ImportCost(memory: -1 << 40))
    }
    #expect(failure?.description.contains("use 'pedometer import'") == true)
  }

  @Test("a pipe is refused, and its writer is not waited for")
  func pipe() throws {
    let path = folder.path + "/pipe.fit"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let failure = #expect(throws: ImportFailure.self) { try ImportFile.read(path, now: Self.now) }
    #expect(failure?.description.contains("is not a file") == true)
  }

  @Test("the steps of long periods that overlap thousands of short ones are those that these lack")
  func overlaps() {
    let source = HistorySource(identity: "import:a", name: "a")
    let start = Self.now - 90_000
    var periods = (0..<20_000).map {
      ImportedPeriod(
        start: start + Double($0), end: start + Double($0) + 0.5, steps: 1, source: source)
    }
    periods += (0..<20_000).map {
      ImportedPeriod(start: start - Double($0) / 1000, end: start + 86_000, steps: 20_100, source: source)
    }
    let (stretches, repeats) = Stretch.all(of: periods.map { ($0, 0) })
    #expect(stretches.reduce(0) { $0 + $1.period.steps } == 20_100)
    #expect(stretches.last?.pieces.count == 20_000)
    #expect(repeats[0]?.count == 20_000)
  }

  @Test("steps of more minutes than any import has are refused before they are planned")
  func manyMinutes() throws {
    var file = ImportedFile()
    for day in 0..<(InputLimits.minutes / 1440 + 2) {
      let start = Self.now - Double(day + 2) * 86_400
      file.add(
        ImportedPeriod(
          start: start, end: start + 86_400, steps: 1441, source: HistorySource(identity: "import:a", name: "a")),
        now: Self.now)
    }
    let failure = #expect(throws: ImportFailure.self) {
      try ImportPlan.results(
        of: [file], in: HistoryFolder(path: folder.path), stepLength: .walkRatio(), calendar: DayCalendar())
    }
    #expect(failure?.description.contains("fewer years") == true)
  }

  @Test("a folder that a killed program left is removed, and one that is in use is not")
  func abandoned() throws {
    let used = try UnpackingFolder(in: folder.path)
    try folder.makeFolder("pedometer-import-killed")
    try folder.write([1], to: "pedometer-import-killed/1-data")
    let inUse = used.path(for: "data")
    UnpackingFolder.removeAbandoned(in: folder.path)
    #expect(unsafe access(folder.path + "/pedometer-import-killed", F_OK) != 0)
    #expect(unsafe access((inUse as NSString).deletingLastPathComponent, F_OK) == 0)
    withExtendedLifetime(used) {}
  }

  // MARK: Export

  @Test(
    "a cell that a spreadsheet would calculate gets an apostrophe, and is read without it",
    arguments: [
      ("=1+1", "'=1+1"), ("+1a", "'+1a"), ("-a", "'-a"), ("@a", "'@a"), ("\ta", "'\ta"), ("'=1", "''=1"),
      ("-1.5", "-1.5"), ("it's", "it's"), ("'quoted'", "'quoted'"), ("=a,b", "\"'=a,b\""),
    ])
  func formulas(_ text: String, _ cell: String) {
    #expect(CSV.quoted(text) == cell)
    #expect(CSV.cells(cell).map(CSV.original) == [text])
  }
}
