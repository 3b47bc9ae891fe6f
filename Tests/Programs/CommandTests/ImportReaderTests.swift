import Foundation
import GRDB
import History
import TestSupport
import Testing

@testable import HistoryImport

/// What the readers of other programs' files find.
@Suite("Import: files", .timeLimit(.minutes(30)))
struct ImportReaderTests {
  private let folder: TemporaryDirectory
  private static let now = Date(timeIntervalSince1970: 1_778_061_600 + 86_400 * 30)
  /// A local midnight at UTC+2.
  private static let midnight = 1_778_018_400 - 631_065_600

  init() throws { folder = try TemporaryDirectory() }

  private func read(_ text: String, _ name: String) throws -> ImportedFile {
    try ImportFile.read(try folder.write(Array(text.utf8), to: name), now: Self.now)
  }

  private static func total(_ files: [ImportedFile]) -> Int {
    var plan = ImportPlan()
    return plan.take(files).reduce(0) { $0 + $1.new }
  }

  // MARK: Garmin

  private enum Message {
    /// Seconds since midnight, kind of activity and total.
    case total(Int, UInt8, Int)
    /// The same with sixteen bits.
    case short(Int, UInt8, Int)
    case heartRate(Int)
  }

  private static func little(_ value: Int, _ size: Int = 4) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// A monitoring file that begins some seconds after midnight.
  private static func monitoring(_ begin: Int, _ messages: [Message], zone: Int? = 7200) -> [UInt8] {
    var body: [UInt8] = [0x40, 0, 0, 0, 0, 2, 0, 1, 0x00, 3, 4, 0x8C] + [0, 32] + little(812)
    if let zone {
      body += [0x41, 0, 0, 103, 0, 2, 253, 4, 0x86, 0, 4, 0x86] + [1]
      body += little(midnight + begin) + little(midnight + begin + zone)
    }
    body += [0x42, 0, 0, 55, 0, 3, 253, 4, 0x86, 5, 1, 0x00, 3, 4, 0x86]
    body += [0x43, 0, 0, 55, 0, 2, 253, 4, 0x86, 27, 1, 0x02]
    body += [0x44, 0, 0, 55, 0, 3, 253, 4, 0x86, 5, 1, 0x00, 9, 2, 0x84]
    for message in messages {
      switch message {
      case .total(let time, let kind, let steps): body += [2] + little(midnight + time) + [kind] + little(steps)
      case .short(let time, let kind, let steps): body += [4] + little(midnight + time) + [kind] + little(steps, 2)
      case .heartRate(let time): body += [3] + little(midnight + time) + [72]
      }
    }
    var header: [UInt8] = [14, 0x10, 0x34, 0x08] + little(body.count) + Array(".FIT".utf8)
    header += little(Int(FITChecksum.checksum(header)), 2)
    return header + body + little(Int(FITChecksum.checksum(header + body)), 2)
  }

  private func garmin(_ files: [UInt8]...) throws -> [ImportedFile] {
    let paths = try files.enumerated().map { try folder.write($0.element, to: "\($0.offset).fit") }
    return try ImportFile.read(paths, now: Self.now, calendar: DayCalendar())
  }

  @Test("Garmin: heart rates between totals do not shorten the periods of the steps")
  func heartRates() throws {
    var messages = [Message.total(1, 6, 0)]
    for minute in 1...60 {
      messages.append(.heartRate(minute * 60 - 1))
      if minute.isMultiple(of: 15) { messages.append(.total(minute * 60, 6, minute * 100)) }
    }
    let files = try garmin(Self.monitoring(0, messages))
    #expect(Self.total(files) == 6000 && files[0].refused == 0)
  }

  @Test("Garmin: walking and running totals of one time are both counted")
  func walkingAndRunning() throws {
    let files = try garmin(
      Self.monitoring(
        0, [.total(1, 6, 0), .total(1, 1, 0), .total(901, 6, 600), .total(901, 1, 1200), .total(2000, 1, 1500)]))
    #expect(Self.total(files) == 2100 && files[0].refused == 0)
    #expect(files[0].periods.map(\.steps) == [1800, 300])
  }

  @Test("Garmin: totals with sixteen bits are read")
  func sixteenBits() throws {
    let files = try garmin(Self.monitoring(0, (0...10).map { .short($0 * 60 + 1, 6, $0 * 100) }))
    #expect(Self.total(files) == 1000)
  }

  @Test("Garmin: all of several FIT files in a row are read")
  func chained() throws {
    let first = Self.monitoring(0, [.total(60, 6, 100), .total(120, 6, 200)])
    let second = Self.monitoring(3600, [.total(3600, 6, 200), .total(3660, 6, 300)])
    let files = try garmin(first + second)
    #expect(Self.total(files) == 300 && files[0].notices.isEmpty)
  }

  @Test("Garmin: the totals of a day's earlier file are known in the next one, in whatever order they are given")
  func twoFiles() throws {
    let first = Self.monitoring(0, [.total(60, 6, 100), .total(120, 6, 200)])
    let second = Self.monitoring(3600, [.total(3600, 6, 200), .total(3660, 6, 300)])
    for files in [try garmin(first, second), try garmin(second, first)] {
      #expect(Self.total(files) == 300 && files.allSatisfy(\.notices.isEmpty))
    }
    let alone = try garmin(second)
    #expect(Self.total(alone) == 100 && alone[0].notices.count == 1)
    #expect(Self.total(try garmin(first, first)) == 200)
  }

  @Test("Garmin: a new day counts from 0, even if its first total is not below the last; without local time it is said")
  func newDay() throws {
    let messages: [Message] = [.total(80_000, 6, 0), .total(80_060, 6, 100), .total(122_400, 6, 200)]
    let files = try garmin(Self.monitoring(80_000, messages))
    #expect(Self.total(files) == 300 && files[0].notices.isEmpty)
    let without = try garmin(Self.monitoring(80_000, messages, zone: nil))
    #expect(without[0].notices.contains { $0.contains("does not state its local time") })
  }

  // MARK: Others

  private static func health(_ records: [(device: String, start: String, end: String, value: String)]) -> String {
    let lines = records.map {
      "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"iPhone\" device=\"&lt;&lt;HKDevice: 0x28&gt;, "
        + "name:iPhone, hardware:\($0.device), software:17&gt;\" startDate=\"2026-05-06 \($0.start) +0200\" "
        + "endDate=\"2026-05-06 \($0.end) +0200\" value=\"\($0.value)\"/>"
    }
    return "<?xml version=\"1.0\"?><HealthData>\n\(lines.joined(separator: "\n"))\n</HealthData>"
  }

  @Test("Apple Health: two devices of one name are two sources, by their hardware")
  func twoPhones() throws {
    let file = try read(
      Self.health([
        ("iPhone15,2", "10:00:00", "10:01:00", "100"), ("iPhone12,1", "10:00:00", "10:01:00", "90"),
      ]), "export.xml")
    #expect(
      Set(file.periods.map(\.source.identity)) == [
        "import:apple-health:iPhone:iPhone15,2", "import:apple-health:iPhone:iPhone12,1",
      ])
    #expect(Self.total([file]) == 100)
  }

  @Test("Apple Health: fractions of steps are added before they are rounded")
  func fractions() throws {
    let records = (10..<40).map { ("W", "10:\($0):00", "10:\($0):59", "10.5") }
    #expect(Self.total([try read(Self.health(records), "export.xml")]) == 315)
  }

  @Test("an entry that is refused is named, with its time, its steps and the reason")
  func refused() throws {
    let file = try read(Self.health([("W", "10:00:00", "10:00:30", "5000")]), "export.xml")
    let refusal = try #require(file.firstRefusal)
    #expect(file.refused == 1 && file.refusedSteps == 5000)
    #expect(
      refusal.hasPrefix("near line ") && refusal.contains("2026-05-06T08:00:00Z, 5000 steps: more than 300 steps"))
  }

  @Test("an entry that cannot be read is left out and named; a file that has no other is refused")
  func unreadable() throws {
    let heading = "start,source,name,steps,distanceTravelled,pace,activeTime,floorsAscended,floorsDescended"
    let point =
      #"{"fitValue":[{"value":{"intVal":250}}],"startTimeNanos":1778054400000000000,"endTimeNanos":1778054520000000000}"#
    func google(_ points: String) -> String {
      #"{"Data Source":"derived:com.google.step_count.delta:x","Data Points":[\#(points)]}"#
    }
    let time = point.replacing("1778054400000000000", with: #""soon""#)
    let points = point + #",{"fitValue":[{"value":{}}]},"# + time
    let cases: [(name: String, text: String, bad: String, place: String)] = [
      (
        "export.xml", Self.health([("W", "10:00:00", "10:01:00", "60"), ("W", "25:00:00", "10:02:00", "70")]),
        Self.health([("W", "25:00:00", "10:02:00", "70")]), "near line "
      ),
      ("fit.json", google(points), google(time), "data point 2: "),
      (
        "walked.csv", "\(heading)\n2026-05-06T08:00:00Z,a,A,100,70,,50,,\n2026-05-06T08:01:00Z,a,A,10",
        "\(heading)\n2026-05-06T08:01:00Z,a,A,10", "line 3: "
      ),
    ]
    for (name, text, bad, place) in cases {
      let file = try read(text, name)
      #expect(file.periods.count + file.minutes.count == 1 && file.refused == (name == "fit.json" ? 2 : 1), "\(name)")
      #expect(file.firstRefusal?.hasPrefix(place) == true, "\(file.firstRefusal ?? "")")
      let failure = #expect(throws: ImportFailure.self) { try read(bad, name) }
      #expect(failure?.description.contains("\(name)") == true, "\(failure?.description ?? "")")
    }
  }

  @Test("a compressed file that cannot be imported is named itself, since its content has no name")
  func compressed() throws {
    // "nothing to count", by bzip2.
    let packed: [UInt8] = [
      0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0xCB, 0xA2, 0x74, 0x41, 0x00, 0x00, 0x04, 0x51,
      0x80, 0x00, 0x10, 0x40, 0x00, 0x08, 0xE1, 0x86, 0x00, 0x20, 0x00, 0x22, 0x08, 0xF2, 0x9B, 0xD2, 0x84, 0x00,
      0xC0, 0x1A, 0x16, 0x9B, 0x13, 0x99, 0x0C, 0xF8, 0xBB, 0x92, 0x29, 0xC2, 0x84, 0x86, 0x5D, 0x13, 0xA2, 0x08,
    ]
    let path = try folder.write(packed, to: "steps.csv.bz2")
    let failure = #expect(throws: ImportFailure.self) { try ImportFile.read(path, now: Self.now) }
    #expect(failure?.description.hasPrefix("\(path) is not a file that can be imported") == true, "\(failure as Any)")
  }

  @Test("Health Connect: the devices of an application are sources")
  func devices() throws {
    let path = folder.path + "/health.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE device_info_table (row_id INTEGER PRIMARY KEY, manufacturer TEXT, model TEXT, device_type INTEGER);
          INSERT INTO device_info_table VALUES (1, 'A', 'Phone', 1), (2, 'B', 'Watch', 2);
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER, device_info_id INTEGER,
            start_time INTEGER, end_time INTEGER, count INTEGER);
          INSERT INTO steps_record_table VALUES (1, 1, 1, 1778054400000, 1778054460000, 90),
            (2, 1, 2, 1778054400000, 1778054460000, 100);
          """)
    }
    try queue.close()
    let file = try ImportFile.read(path, now: Self.now)
    #expect(
      Set(file.periods.map(\.source.name)) == [
        "application, A Phone (Health Connect)", "application, B Watch (Health Connect)",
      ])
    #expect(Self.total([file]) == 100)
  }

  @Test("Gadgetbridge: tables that do not have the steps of each minute are left out, and named with the remedy")
  func otherTables() throws {
    let path = folder.path + "/Gadgetbridge.db"
    let queue = try DatabaseQueue(path: path)
    let columns = "(TIMESTAMP INTEGER, DEVICE_ID INTEGER, STEPS INTEGER)"
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE GARMIN_ACTIVITY_SAMPLE \(columns);
          INSERT INTO GARMIN_ACTIVITY_SAMPLE VALUES (1778054400, 1, 100), (1778054460, 1, 200);
          """)
    }
    let failure = #expect(throws: ImportFailure.self) { try ImportFile.read(path, now: Self.now) }
    #expect(failure?.description.contains("GARMIN_ACTIVITY_SAMPLE was not read") == true)
    #expect(failure?.description.contains("GARMIN/MONITOR") == true)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE MI_BAND_ACTIVITY_SAMPLE \(columns);
          INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (1778054400, 1, 70);
          """)
    }
    try queue.close()
    let file = try ImportFile.read(path, now: Self.now)
    #expect(Self.total([file]) == 70 && file.notices.count == 1)
  }

  @Test("a list of days: the larger of two lines of a day counts, and it says so; other times of the day are refused")
  func days() throws {
    let twice = try read("date,steps\n2026-05-06,5000\n2026-05-06,8000\n", "days.csv")
    #expect(Self.total([twice]) == 8000)
    #expect(twice.notices.contains { $0.contains("of each day the largest counts") }, "\(twice.notices)")
    let failure = #expect(throws: ImportFailure.self) {
      try read("date,steps\n2026-05-06T10:00:00,500\n2026-05-06T11:00:00,700\n", "hours.csv")
    }
    #expect(failure?.description.contains("hours.csv:3: another time of a day") == true)
  }

  @Test(
    "a list with times of day: each line counts in its own minutes",
    arguments: [
      ("date,time,steps\n2026-05-06,18:26,12\n2026-05-06,18:27,104\n2026-05-06,18:28,90\n", 206, 60),
      ("date,time,steps\n2026-05-06,6:26 PM,12\n2026-05-06,6:31 PM,104\n2026-05-06,7:00 PM,90\n", 206, 300),
      ("date,start,end,steps\n2026-05-06,08:00,08:15,800\n2026-05-06,09:00,09:15,900\n", 1700, 900),
      ("date;start;end;steps\n2026-05-05;23:50;00:05;800\n", 800, 900),
      ("<begin>;end;steps;walking mode\n2026-05-06 08:00:00;2026-05-06 08:10:00;700;Gehen\n", 700, 600),
    ])
  func times(_ text: String, _ steps: Int, _ seconds: Int) throws {
    let file = try read(text, "list.csv")
    #expect(file.periods.map(\.steps).reduce(0, +) == steps && Self.total([file]) == steps, "\(file)")
    #expect(file.periods.allSatisfy { $0.end.timeIntervalSince($0.start) == Double(seconds) }, "\(file.periods)")
  }

  @Test("hours without a step are no totals of the day so far")
  func quietHours() throws {
    let quiet = (0..<5).map { "2026-05-05,0\($0):00,0\n" }.joined()
    let file = try read("date,time,steps\n\(quiet)2026-05-06,08:00,500\n2026-05-06,09:00,200\n", "list.csv")
    #expect(Self.total([file]) == 700)
  }

  @Test("a time once a day may be that of the export, so the steps are those of the day")
  func timeOfExport() throws {
    let file = try read("date,time,steps\n2026-05-05,23:59,5000\n2026-05-06,11:00,8000\n", "days.csv")
    #expect(Self.total([file]) == 13_000)
    #expect(file.periods.first.map { $0.end.timeIntervalSince($0.start) } == 86_400)
  }

  @Test(
    "a list that can be read in two ways, or has lost its times, is refused with what to do",
    arguments: [
      ("date,activity,steps\n2026-05-06,walk,4000\n2026-05-06,run,3000\n", "add the steps of each day up"),
      (
        "date,time,steps\n2026-05-06,08:00,10\n2026-05-06,09:00,500\n2026-05-06,10:00,500\n2026-05-06,11:00,900\n",
        "the day so far"
      ),
      ("<begin>;end;steps;walking mode\n1970-01-01 01:00:00;1970-01-01 01:00:00;31;Gehen\n", "SecUSo"),
      ("date,time,steps\n2026-05-06,25:00,12\n2026-05-06,26:00,12\n", "such as 2026-05-06,10:15,812"),
    ])
  func refusedLists(_ text: String, _ reason: String) throws {
    let failure = #expect(throws: ImportFailure.self) { try read(text, "list.csv") }
    #expect(
      failure?.description.contains("list.csv:2: ") == true || failure?.description.contains("list.csv:3: ") == true)
    #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
  }

  @Test(
    "Apple Health: characters that XML does not allow are replaced, and every step is counted",
    arguments: [
      ("My\u{0B}Phone", "My?Phone", 1), ("My&#11;Phone", "My?Phone", 1), ("My&#x08;Phone", "My?Phone", 1),
      ("Tom & Phone", "Tom & Phone", 1), ("&foo; &amp; Söhne", "&foo; & Söhne", 1), ("\u{FFFE}&#xD800;", "??", 2),
      ("Söhne &lt;😀 &#128512;", "Söhne <😀 😀", 0),
    ])
  func forbidden(_ name: String, _ expected: String, _ replaced: Int) throws {
    // More than one piece of the parser's, so that some characters are cut by its end.
    let records = (0..<400).map {
      " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"\(name)\""
        + " startDate=\"2026-05-06 0\($0 / 60):\($0 % 60 / 10)\($0 % 10):00 +0200\""
        + " endDate=\"2026-05-06 0\($0 / 60):\($0 % 60 / 10)\($0 % 10):30 +0200\" value=\"10\"/>\n"
    }
    let file = try read("<?xml version=\"1.0\"?>\n<HealthData>\n\(records.joined())</HealthData>\n", "export.xml")
    #expect(Self.total([file]) == 4000)
    #expect(Set(file.periods.map(\.source.name)) == ["\(expected) (Apple Health)"])
    #expect(
      file.notices.contains { $0.contains(": \(400 * replaced), the first in line 3;") } == (replaced > 0),
      "\(file.notices)")
  }

  @Test("Apple Health: bytes that are not UTF-8 are replaced; another declared encoding is read")
  func encodings() throws {
    func names(_ heading: String) throws -> Set<String> {
      var bytes = Array("<?xml version=\"1.0\"\(heading)?>\n<HealthData>\n".utf8)
      bytes += Array("<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"M".utf8) + [0xFC]
      bytes += Array("ller\" startDate=\"2026-05-06 08:00:00 +0200\" endDate=\"2026-05-06 08:10:00 +0200\"".utf8)
      bytes += Array(" value=\"700\"/></HealthData>\n".utf8)
      let path = folder.path + "/encoded.xml"
      try Data(bytes).write(to: URL(filePath: path))
      let file = try ImportFile.read(path, now: Self.now)
      #expect(Self.total([file]) == 700)
      return Set(file.periods.map(\.source.name))
    }
    #expect(try names("") == ["M?ller (Apple Health)"])
    #expect(try names(" encoding=\"ISO-8859-1\"") == ["Müller (Apple Health)"])
  }

  @Test(
    "our own export: lines that the history would not accept are refused with the reason",
    arguments: [
      ("2030-05-06T08:00:00Z,a,A,100,70,,50,,", "in the future"),
      ("1960-05-06T08:00:00Z,a,A,100,70,,50,,", "before 1970"),
      ("2026-05-06T08:00:30Z,a,A,100,70,,50,,", "not the beginning of a minute"),
      ("2026-05-06T08:00:00Z,a,A,100,9e17,,50,,", "metres a step"),
      ("2026-05-06T08:00:00Z,a,A,100,70,,50,-5,99999", "floors"),
    ])
  func own(_ line: String, _ reason: String) throws {
    let heading = "start,source,name,steps,distanceTravelled,pace,activeTime,floorsAscended,floorsDescended"
    let file = try read("\(heading)\n\(line)\n2026-05-06T08:01:00Z,a,A,100,70,,50,,\n", "walked.csv")
    #expect(file.minutes.count == 1 && file.refused == 1)
    #expect(file.firstRefusal?.contains(reason) == true, "\(file.firstRefusal ?? "")")
    #expect(try read("\u{FEFF}\(heading)\n2026-05-06T08:01:00Z,a,A,100,70,,50,,\n", "bom.csv").minutes.count == 1)
  }
}
