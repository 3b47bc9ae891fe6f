import Foundation
import GRDB
import History
import Pedometry
import TestSupport
import Testing

@testable import HistoryImport
@testable import pedometer_full

/// Files of other programs. Their forms are those of the programs' own exports; these are written here, with the
/// elements that matter and some that do not.
@Suite("pedometer import", .timeLimit(.minutes(30)), .ownThreads)
struct ImportCommandTests {
  private let folder: TemporaryDirectory
  private var state: String { folder.path + "/state" }

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ arguments: String...) throws -> Transcript {
    try Executable.built("pedometer").run(["import", "--state", state] + arguments)
  }

  private func total() throws -> Int {
    try HistoryReader(folder: HistoryFolder(path: state)).totals(
      from: Date(timeIntervalSince1970: 0), to: Date()
    ).steps
  }

  private func write(_ text: String, _ name: String) throws -> String { try folder.write(Array(text.utf8), to: name) }

  /// Like an export of a telephone: with its document type, whose declarations are not valid XML, and other records.
  private static func health(_ records: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 12 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    > broken [x]
    ]>
    <HealthData locale="en_AT">
     <ExportDate value="2026-05-07 10:00:00 +0200"/>
     <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" value="80"/>
    \(records)
    </HealthData>

    """
  }

  private static func record(_ source: String, _ start: String, _ end: String, _ value: String) -> String {
    " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"\(source)\" unit=\"count\" "
      + "startDate=\"2026-05-06 \(start) +0200\" endDate=\"2026-05-06 \(end) +0200\" value=\"\(value)\">\n"
      + "  <MetadataEntry key=\"k\" value=\"v\"/>\n </Record>\n"
  }

  @Test("Apple Health: each device is a source, one walk counts once, and again adds nothing")
  func appleHealth() throws {
    let path = try write(
      Self.health(
        Self.record("Ann&apos;s phone", "10:00:00", "10:10:00", "600")
          + Self.record("Watch", "10:00:30", "10:09:30", "640")
          + Self.record("Watch", "23:59:30", "23:59:50", "40")), "export.xml")
    let dry = try run("--dry-run", path)
    #expect(
      dry.output == """
        Watch (Apple Health): would add 680 of 680 steps, in 11 minutes
        Ann's phone (Apple Health): would add 0 of 600 steps, in 0 minutes

        """, "\(dry.errors)")
    #expect(!FileManager.default.fileExists(atPath: state))
    #expect(try run(path).exitCode == 0)
    #expect(try total() == 680)
    let again = try run("--format", "json", path)
    #expect(again.outputLines.count == 2 && again.output.contains(#""steps":680,"newSteps":0,"minutes":0"#))
    #expect(try total() == 680)
  }

  @Test("names in files are printed without control characters")
  func names() throws {
    let path = try write(
      Self.health(Self.record("Wa&#x9B;2J&#x202E;tch", "10:00:00", "10:10:00", "600")), "export.xml")
    let transcript = try run(path)
    #expect(transcript.output.hasPrefix("Wa?2J?tch (Apple Health): added 600"), "\(transcript)")
  }

  @Test("times of Apple Health are read with their offset")
  func appleTime() throws {
    let date = try #require(AppleHealth.date("2026-05-06 10:00:00 +0200"))
    #expect(date.timeIntervalSince1970 == 1_778_054_400)
    #expect(AppleHealth.date("2026-05-06 03:30:00 -0430")?.timeIntervalSince1970 == 1_778_054_400)
    let invalid = [
      "2026-02-30 10:00:00 +0200", "2026-05-06 10:00:00", "yesterday", "2026-05-06 25:00:00 +0000",
      "1234567890123456-1-1-0012:1:1",
    ]
    for text in invalid {
      #expect(AppleHealth.date(text) == nil, "\(text)")
    }
  }

  @Test("Gadgetbridge: every table of minutes, by device")
  func gadgetbridge() throws {
    let path = folder.path + "/Gadgetbridge.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE DEVICE (_id INTEGER PRIMARY KEY, NAME TEXT, MANUFACTURER TEXT, IDENTIFIER TEXT);
          INSERT INTO DEVICE VALUES (1, 'Band', 'x', 'C0:FF:EE:00:11:22');
          CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, USER_ID INTEGER, STEPS INTEGER);
          INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (1778054400, 1, 1, 100), (1778054460, 1, 1, 0), (1778054520, 1, 1, -1),
            (1778054580, 1, 1, 90), (1778054640, 1, 1, 5000);
          CREATE TABLE XIAOMI_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, STEPS INTEGER);
          INSERT INTO XIAOMI_ACTIVITY_SAMPLE VALUES (1778058000000, 2, 70);
          CREATE TABLE SLEEP_ACTIVITY_SAMPLE (TIMESTAMP INTEGER);
          """)
    }
    try queue.close()
    let transcript = try run(path)
    #expect(transcript.output.contains("Band (Gadgetbridge): added 190 of 190 steps, in 2 minutes\n"))
    #expect(transcript.output.contains("watch (Gadgetbridge): added 70 of 70 steps, in 1 minute\n"))
    #expect(
      transcript.errors == "pedometer: \(path): 1 entry with impossible figures was left out: MI_BAND_ACTIVITY_SAMPLE, "
        + "2026-05-06T08:04:00Z, 5000 steps: more than 300 steps a minute\n")
    #expect(try total() == 260)
  }

  @Test("values of another type in a database are left out")
  func otherTypes() throws {
    let path = folder.path + "/types.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE DEVICE (_id, NAME, IDENTIFIER);
          INSERT INTO DEVICE VALUES (NULL, 'none', 'x'), ('one', 'text', 'y'), (2, X'FF00', 'C0:FF:EE:00:11:22');
          CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP, DEVICE_ID, STEPS);
          INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (1778054400, 2, 100), (1778054460, 2, 'many'), ('now', 2, 9),
            (1778054520, X'00', 80);
          """)
    }
    try queue.close()
    let transcript = try run(path)
    #expect(transcript.exitCode == 0)
    #expect(try total() == 180)
  }

  @Test("Google Takeout: step_count.delta")
  func googleFit() throws {
    let point =
      #"{"fitValue":[{"value":{"intVal":250}}],"startTimeNanos":1778054400000000000,"endTimeNanos":1778054520000000000,"rawTimestampMillis":0}"#
    let path = try write(
      #"{"Data Source":"derived:com.google.step_count.delta:x","Data Points":[\#(point)]}"#, "fit.json")
    #expect(try run(path).output == "Google Fit: added 250 of 250 steps, in 2 minutes\n")
    #expect(try total() == 250)
    let other = try write(#"{"Data Source":"com.google.heart_rate","Data Points":[]}"#, "rate.json")
    let refused = try run(other)
    #expect(refused.exitCode == 65 && refused.errors.contains("has no steps"))
  }

  @Test("Health Connect: each application is a source")
  func healthConnect() throws {
    let path = folder.path + "/health_connect_export.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, package_name TEXT, app_name TEXT, icon BLOB);
          INSERT INTO application_info_table VALUES (1, 'org.example.walk', 'Walk', NULL);
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, uuid BLOB, app_info_id INTEGER, start_time INTEGER,
            start_zone_offset INTEGER, end_time INTEGER, count INTEGER);
          INSERT INTO steps_record_table VALUES (1, x'00', 1, 1778054400000, 7200, 1778054520000, 210),
            (2, x'01', 2, 1778058000000, 7200, 1778058060000, 70), (3, x'02', 1, 1778058000000, 7200, 1778057000000, 9),
            (4, x'03', 1, NULL, 7200, NULL, 9);
          """)
    }
    try queue.close()
    let transcript = try run(path)
    #expect(
      transcript.output == """
        Walk (Health Connect): added 210 of 210 steps, in 2 minutes
        application (Health Connect): added 70 of 70 steps, in 1 minute

        """)
    #expect(
      transcript.errors == "pedometer: \(path): 2 entries with impossible figures were left out, with 18 steps in all; "
        + "the first is a row of steps_record_table, 9 steps: a figure is missing\n")
    #expect(try run(path).output.contains("Walk (Health Connect): added 0 of 210 steps"))
    #expect(try total() == 280)
  }

  @Test("SecUSo's Pedometer: an entry has the steps since the one before, within an hour")
  func secuso() throws {
    let path = folder.path + "/steps.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE stepcount (_id INTEGER PRIMARY KEY, stepcount INTEGER, walkingmode INTEGER, timestamp INTEGER);
          INSERT INTO stepcount VALUES (1, 1200, 1, 1778054400000), (2, 600, 1, 1778055000000), (3, 0, 1, 1778058000000);
          """)
    }
    try queue.close()
    #expect(try run(path).output == "Pedometer (SecUSo): added 1800 of 1800 steps, in 70 minutes\n")
    let reader = try HistoryReader(folder: HistoryFolder(path: state))
    let second = Date(timeIntervalSince1970: 1_778_054_400)
    #expect(try reader.totals(from: second, to: second + 600).steps == 600)
    #expect(try run(path).output.contains("added 0 of 1800"))
  }

  @Test("several files are planned together, in a dry run too; minutes after daily totals count no walk twice")
  func together() throws {
    let days = try write("date,steps\n2026-05-06,680\n", "days.csv")
    let walk = try write(
      Self.health(
        (0..<7).map { Self.record("Watch", "10:0\($0):00", "10:0\($0):59", "\(90 + $0)") }.joined()), "export.xml")
    let both = "Watch (Apple Health): would add 651 of 651 steps, in 7 minutes\n"
    let dry = try run("--dry-run", days, walk)
    #expect(dry.output == "daily totals: would add 29 of 680 steps, in 29 minutes\n" + both, "\(dry.errors)")
    let twice = try run("--dry-run", walk, walk)
    #expect(twice.output == both + "Watch (Apple Health): would add 0 of 651 steps, in 0 minutes\n")
    #expect(twice.errors.contains("7 entries repeat or overlap others of Watch (Apple Health)"))
    #expect(try run(days).exitCode == 0)
    let later = try run(walk)
    #expect(later.output.contains("added 0 of 651 steps"), "\(later.output)")
    #expect(later.errors.contains("are taken to be among those of 'daily totals'"), "\(later.errors)")
    #expect(try total() == 680)
  }

  @Test("a longer export raises the minute in which the one before ended")
  func growing() throws {
    let first = Self.record("Phone", "10:00:00", "10:05:45", "575")
    #expect(try run(try write(Self.health(first), "first.xml")).exitCode == 0)
    let second = try write(Self.health(first + Self.record("Phone", "10:05:45", "10:15:45", "1000")), "second.xml")
    let dry = try run("--dry-run", second)
    #expect(dry.output == "Phone (Apple Health): would add 1000 of 1575 steps, in 11 minutes\n")
    #expect(try run(second).output == "Phone (Apple Health): added 1000 of 1575 steps, in 11 minutes\n")
    #expect(try total() == 1575)
    #expect(try run(second).output.contains("added 0 of 1575"))
  }

  @Test("if everything in a file is refused, the exit code is 65")
  func nothingLeft() throws {
    let path = try write(Self.health(Self.record("Watch", "10:00:00", "10:01:00", "5000")), "export.xml")
    let transcript = try run(path)
    #expect(transcript.exitCode == 65 && transcript.errors.contains("no steps found"))
  }

  @Test("a list of days is spread over them, which is said; the last day only up to now")
  func days() throws {
    let path = try write("date,steps,goal\n2026-05-05,7200\n2026-05-06,1440\n", "stepsy.csv")
    let transcript = try run(path)
    #expect(transcript.output == "daily totals: added 8640 of 8640 steps, in 2880 minutes\n", "\(transcript.errors)")
    #expect(
      transcript.errors
        == "pedometer: \(path): the times within the days are unknown; steps are spread evenly over them\n")
    let other = try write("timestamp;steps\n1778061600000;7200\nx;1\n", "other.csv")
    let refused = try run(other)
    #expect(refused.exitCode == 65 && refused.errors.contains("other.csv:3: 'x' is no date such as"))
    #expect(try total() == 8640)
  }

  @Test("a day without a number of steps has no data, and a list of values is one of steps if its file is named so")
  func gaps() throws {
    let path = try write("date;score;Steps\n2026-05-03;81;1440\n2026-05-04;;\n2026-05-05;77;2880\n", "days.csv")
    let transcript = try run(path)
    #expect(transcript.output == "daily totals: added 4320 of 4320 steps, in 2880 minutes\n", "\(transcript.errors)")
    #expect(transcript.errors.contains("whose days have no data: 1"))
    let values = "date,value\n2026-04-03,1440\n"
    #expect(try run(write(values, "aggregates_steps.csv")).output.contains("added 1440 of 1440"))
    #expect(try run(write(values, "aggregates_weight.csv")).exitCode == 65)
  }

  @Test(
    "names of columns may be German, French, Spanish, Italian, Dutch or Japanese",
    arguments: ["Datum;Schritte", "date;pas", "fecha;pasos", "Data;Passi", "datum;stappen", "日付;歩数"])
  func languages(_ heading: String) throws {
    let list = try run(write(heading + "\n2026-04-05;1440\n", "list.csv"))
    #expect(list.output.contains("added 1440 of 1440"), "\(list.errors)")
  }

  @Test("Google Takeout's list of days is read")
  func otherNames() throws {
    let google = "Date,Move Minutes count,Distance (m),Step count\n2026-04-03,84,6239.68,1440\n2026-04-04,,,\n"
    #expect(try run(write(google, "Daily activity metrics.csv")).output.contains("added 1440 of 1440"))
  }

  @Test("the cell that is no date or no number of steps is named, also below a title")
  func cells() throws {
    let dates = try run(write("Activities\nDate,Calories,Steps\n\"34-03-2026\",\"2,314\",\"842\"\n", "dashboard.csv"))
    #expect(
      dates.exitCode == 65 && dates.errors.contains("dashboard.csv:3: '34-03-2026' is no date"), "\(dates.errors)")
    let steps = try run(write("date,steps\n2026-03-14,\"8,42\"\n", "grouped.csv"))
    #expect(steps.exitCode == 65 && steps.errors.contains("'8,42' is no number of steps"), "\(steps.errors)")
    let minutes = try run(write("[{\"dateTime\": \"03/05/24 07:00:00\", \"value\": \"7\"}]", "steps.json"))
    #expect(
      minutes.exitCode == 65 && minutes.errors.contains("of a Fitbit account only steps-YYYY-MM-DD.json has steps"),
      "\(minutes.errors)")
    let counter = try run(write("timestamp,sensor,value\n2026-03-14T10:00:00Z,step_counter,48211.0\n", "log.csv"))
    #expect(
      counter.exitCode == 65 && counter.errors.contains("a list whose columns are named date and steps"),
      "\(counter.errors)"
    )
  }

  /// A FIT file of a watch: definitions with both byte orders, totals that grow, and short timestamps.
  private func monitoring(type: UInt8 = 32, localStart: UInt32) -> [UInt8] {
    let start = UInt32(1_778_054_400 - 631_065_600)
    func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    func short(_ value: UInt32) -> [UInt8] { Array(little(value).prefix(2)) }
    var body: [UInt8] = [0x40, 0, 0, 0, 0, 2, 0, 1, 0x00, 3, 4, 0x8C] + [0, type] + little(812)
    body += [0x41, 0, 1, 0, 103, 2, 253, 4, 0x86, 0, 4, 0x86] + [1] + little(start).reversed()
    body += little(localStart).reversed()
    // Activity type and intensity in one byte, cycles, metres, and 16 bits of the time; fields of developers.
    body += [0x62, 0, 0, 55, 0, 4, 26, 2, 0x84, 24, 1, 0x0D, 3, 4, 0x86, 2, 4, 0x86, 1, 0, 3, 0]
    func minute(_ number: UInt32, _ kind: UInt8, _ cycles: UInt32, _ metres: UInt32) -> [UInt8] {
      [2] + short(start + number * 60) + [kind | 3 << 5] + little(cycles) + little(metres * 100) + [9, 9, 9]
    }
    body += minute(1, 6, 100, 75) + minute(2, 6, 210, 150) + minute(2, 2, 5000, 9000) + minute(3, 1, 160, 160)
    // Nothing new, and 16 bits that run over.
    body += minute(4, 6, 210, 150) + minute(1000, 6, 300, 220)
    // The next day.
    body += minute(1100, 6, 40, 30)
    var header: [UInt8] = [14, 0x10, 0x34, 0x08] + little(UInt32(body.count)) + Array(".FIT".utf8)
    header += short(UInt32(FITChecksum.checksum(header)))
    return header + body + short(UInt32(FITChecksum.checksum(header + body)))
  }

  @Test("Garmin: totals since midnight become steps of minutes, walking and running alone")
  func garmin() throws {
    let midnight = try folder.write(monitoring(localStart: 86_400 * 900), to: "midnight.fit")
    #expect(try run("--dry-run", midnight).output == "Garmin: would add 500 of 500 steps, in 33 minutes\n")
    // Without midnight, the first totals may contain steps of other files.
    let later = try folder.write(monitoring(localStart: 86_400 * 900 + 3600), to: "later.fit")
    let transcript = try run(later)
    #expect(transcript.output == "Garmin: added 240 of 240 steps, in 31 minutes\n", "\(transcript.errors)")
    #expect(transcript.errors.contains("260 steps since midnight were taken before the file begins"))
    let reader = try HistoryReader(folder: HistoryFolder(path: state))
    let start = Date(timeIntervalSince1970: 1_778_054_400)
    let second = try reader.totals(from: start + 60, to: start + 120)
    #expect(second.steps == 110 && second.distanceTravelled == 75)
    #expect(try reader.totals(from: start + 985 * 60, to: start + 1000 * 60).steps == 90)
    #expect(try run(later).output.contains("added 0 of 240"))
    var damaged = monitoring(localStart: 0)
    damaged[40] ^= 1
    for (bytes, reason) in [
      (damaged, "damaged or incomplete"), (Array(monitoring(localStart: 0).dropLast(9)), "damaged or incomplete"),
      (
        monitoring(type: 4, localStart: 0),
        "has no daily monitoring; give the files of the watch's folder GARMIN/MONITOR"
      ),
    ] {
      let refused = try run(try folder.write(bytes, to: "bad.fit"))
      #expect(refused.exitCode == 65 && refused.errors.contains(reason), "\(refused.errors)")
    }
  }

  @Test("our own export, in both forms, makes the same history", arguments: ["csv", "json"])
  func own(_ format: String) throws {
    let original = folder.path + "/original"
    let writer = try HistoryWriter(folder: HistoryFolder(path: original), application: "tests")
    let day = Date(timeIntervalSince1970: 1_778_054_400)
    try writer.record(
      (1...300).map { WalkedStep(time: day + Double($0) / 2, distance: 0.7, activeTime: .milliseconds(500)) },
      source: HistorySource(identity: "usb:1", name: "Wrist, \"left\""))
    writer.close()
    let pedometer = try Executable.built("pedometer")
    let exported = try pedometer.run(["export", "--state", original, "--format", format])
    let path = try write(exported.output, "walked." + format)
    #expect(try run(path).exitCode == 0)
    #expect(try pedometer.run(["export", "--state", state, "--format", format]).output == exported.output)
    let cut = try write(String(exported.output.dropLast(20)), "cut." + format)
    let rest = try run(cut)
    #expect(rest.exitCode == 0 && rest.errors.contains("the file may be incomplete"), "\(rest.errors)")
  }

  @Test(
    "a line of our own export with impossible figures is left out", arguments: ["nan", "inf", "-1", "1e300", "-inf"])
  func impossible(_ number: String) throws {
    let text = """
      start,source,name,steps,distanceTravelled,pace,activeTime,floorsAscended,floorsDescended
      2026-05-06T08:00:00Z,usb:1,Wrist,100,70,,50,,
      2026-05-06T08:01:00Z,usb:1,Wrist,100,70,,\(number),,
      """
    let file = try ImportFile.read(write(text, "walked.csv"), now: Date())
    #expect(file.minutes.map(\.totals.activeTime) == [.seconds(50)])
    #expect(file.refused == 1)
  }

  @Test(
    "a line of our own export with a time that no clock shows is not one",
    arguments: ["2026-05-06T09:60:00Z", "2026-02-30T09:00:00Z", "2026-05-06T24:00:00Z"])
  func impossibleTime(_ time: String) throws {
    let heading = "start,source,name,steps,distanceTravelled,pace,activeTime,floorsAscended,floorsDescended\n"
    let line = ",usb:1,Wrist,100,70,,50,,"
    #expect(throws: ImportFailure.self) { try ImportFile.read(write(heading + time + line, "walked.csv"), now: Date()) }
    #expect(
      try ImportFile.read(write(heading + "2026-05-06T11:00:00+02:00" + line, "walked.csv"), now: Date()).minutes.count
        == 1)
  }

  @Test(
    "a minute of our own export keeps its active time up to that of its last steps",
    arguments: [("60.4", 60.4), ("78", 64)])
  func longMinute(_ number: String, _ kept: Double) throws {
    let text = """
      start,source,name,steps,distanceTravelled,pace,activeTime,floorsAscended,floorsDescended
      2026-05-06T08:00:00Z,usb:1,Wrist,100,70,,\(number),,
      """
    let file = try ImportFile.read(write(text, "walked.csv"), now: Date())
    #expect(file.minutes.map(\.totals.steps) == [100] && file.refused == 0)
    #expect(file.minutes.map(\.totals.activeTime) == [.seconds(kept)])
  }

  @Test(
    "an archive is unpacked: what can be imported is, and what is left out is said",
    arguments: ["zip", "tar.gz", "xml.gz"])
  func archive(_ kind: String) throws {
    let whole = Self.health(Self.record("Watch", "10:00:00", "10:01:00", "60"))
    try folder.makeFolder("apple_health_export")
    _ = try write(whole, "apple_health_export/export.xml")
    _ = try write("<ClinicalDocument/>", "apple_health_export/export_cda.xml")
    _ = try write("{}", "apple_health_export/other.json")
    let python = """
      import sys, zipfile, tarfile, gzip, shutil, os
      os.chdir(sys.argv[1])
      if sys.argv[2] == "zip":
          with zipfile.ZipFile("export.zip", "w", zipfile.ZIP_DEFLATED) as z:
              for name in os.listdir("apple_health_export"): z.write("apple_health_export/" + name)
      elif sys.argv[2] == "tar.gz":
          with tarfile.open("export.tar.gz", "w:gz") as t: t.add("apple_health_export")
      else:
          with open("apple_health_export/export.xml", "rb") as f, gzip.open("export.xml.gz", "wb") as g: shutil.copyfileobj(f, g)
      """
    let made = try Executable(path: "/usr/bin/env").run(["python3", "-c", python, folder.path, kind])
    try #require(made.exitCode == 0, "\(made.errors)")
    let transcript = try run(folder.path + "/export.\(kind)")
    #expect(
      transcript.exitCode == 0 && transcript.output == "Watch (Apple Health): added 60 of 60 steps, in 1 minute\n",
      "\(transcript)")
    #expect(
      transcript.errors.contains("one file of the archive was left out: apple_health_export/other.json: ")
        == (kind != "xml.gz"))
    #expect(!transcript.errors.contains("cda"))
  }

  @Test("a damaged or unknown file is exit code 65 with its place, a missing one 66, and nothing is written")
  func bad() throws {
    let good = try write(Self.health(Self.record("Watch", "10:00:00", "10:01:00", "60")), "good.xml")
    let whole = Self.health(Self.record("Watch", "10:00:00", "10:01:00", "60"))
    let cases = [
      (try write(String(whole.dropLast(15)), "cut.xml"), "the XML is damaged or incomplete"),
      (try write("<html/>", "page.xml"), "page.xml, near line 1: <html> is not an export of Apple Health"),
      (
        try write(Self.health(Self.record("W", "10:00:00", "10:01:00", "many")), "many.xml"),
        "many.xml, near line "
      ),
      (try write("PK\u{3}\u{4}", "export.zip"), "export.zip is an archive without a file that can be imported"),
      (try write("hello", "note.txt"), "note.txt is not a file that can be imported; give one of"),
      (try write("{}", "empty.json"), "the JSON is neither"),
      (try write("SQLite format 3\0nonsense", "bad.db"), "bad.db: "),
    ]
    for (path, reason) in cases {
      let transcript = try run(good, path)
      #expect(transcript.exitCode == 65 && transcript.errors.contains(reason), "\(path): \(transcript.errors)")
    }
    let absent = try run(good, folder.path + "/none.xml")
    #expect(absent.exitCode == 66 && absent.errors.contains("none.xml does not exist; check the name"))
    try folder.makeFolder("empty")
    let empty = try run(folder.path + "/empty")
    #expect(empty.exitCode == 65 && empty.errors.contains("empty is a folder without a file that can be imported"))
    #expect(!FileManager.default.fileExists(atPath: state))
  }

  @Test("what a damaged history lost is said, with exit code 65; the steps are added, and the next import says nothing")
  func damagedHistory() throws {
    let writer = try HistoryWriter(folder: HistoryFolder(path: state), application: "tests")
    let source = HistorySource(identity: "usb:1", name: "Wrist")
    try writer.add(
      (0..<4000).map { number in
        HistoryMinute(
          start: Date(timeIntervalSince1970: 1_770_000_000 + Double(number) * 60), source: source,
          totals: WalkTotals(steps: 40 + number * 7 % 90, distanceTravelled: 50, activeTime: .seconds(50)))
      })
    writer.close()
    let path = state + "/history.sqlite"
    let bytes = try TemporaryDirectory.bytes(of: path)
    try Data(bytes.prefix(bytes.count * 6 / 10)).write(to: URL(filePath: path))
    let good = try write(Self.health(Self.record("Watch", "10:00:00", "10:01:00", "60")), "good.xml")
    let first = try run(good)
    #expect(first.exitCode == 65 && first.output == "Watch (Apple Health): added 60 of 60 steps, in 1 minute\n")
    #expect(
      first.errors.contains("pedometer: the history was damaged; ") && first.errors.contains("lost: 2026-0"),
      "\(first.errors)")
    let second = try run(good)
    #expect(second.exitCode == 0 && second.errors.isEmpty, "\(second.errors)")
  }

  @Test("while pedometerd writes the history, the exit code is 75, with the writer's name")
  func held() throws {
    let writer = try HistoryWriter(folder: HistoryFolder(path: state), application: "pedometerd")
    defer { writer.close() }
    let good = try write(Self.health(Self.record("Watch", "10:00:00", "10:01:00", "60")), "good.xml")
    let transcript = try run(good)
    #expect(transcript.exitCode == 75 && transcript.errors.contains("pedometerd"))
    #expect(try run("--dry-run", good).exitCode == 0)
  }
}
