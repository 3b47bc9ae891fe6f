import Foundation
import GRDB
import History
import JSONLines
import Pedometry
import TestSupport
import Testing

@testable import HistoryImport

/// Whole accounts of programs and devices, in the forms of their exports.
@Suite("Import: accounts", .timeLimit(.minutes(30)))
struct ImportAccountTests {
  private let folder: TemporaryDirectory
  private static let now = Date(timeIntervalSince1970: 1_778_061_600 + 86_400 * 30)
  private static let berlin = TimeZone(identifier: "Europe/Berlin")
  private var history: HistoryFolder { HistoryFolder(path: folder.path + "/history") }

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ text: String, _ name: String) throws -> String {
    let parent = name.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: folder.path + "/" + parent, withIntermediateDirectories: true)
    return try folder.write(Array(text.utf8), to: name)
  }

  /// Adds files to the history, on a machine in Berlin.
  private func add(_ paths: String..., zone: TimeZone? = nil) throws -> (new: Int, notices: [String]) {
    let calendar = DayCalendar(timeZone: try #require(zone ?? Self.berlin))
    let contents = try ImportFile.read(paths, now: Self.now, calendar: calendar, zone: zone)
    let results = try ImportPlan.results(of: contents, in: history, stepLength: .walkRatio(), calendar: calendar)
    let writer = try HistoryWriter(folder: history, application: "tests")
    defer { writer.close() }
    for result in results { _ = try writer.add(result.minutes) }
    return (results.reduce(0) { $0 + $1.new }, contents.flatMap(\.notices))
  }

  /// The steps in the history from a time in UTC on, for some minutes.
  private func steps(_ time: String, _ minutes: Int) throws -> Int {
    let start = try #require(RFC3339.secondsSince1970("2026-05-\(time):00Z"))
    return try HistoryReader(folder: history).totals(
      from: Date(timeIntervalSince1970: start), to: Date(timeIntervalSince1970: start + Double(minutes) * 60)
    ).steps
  }

  private func zip(_ name: String) throws -> String {
    let script = "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[1])"
    let path = folder.path + "/" + name
    let made = try Executable(path: "/usr/bin/env").run(["python3", "-c", script, path])
    try #require(made.exitCode == 0, "\(made.errors)")
    return path + ".zip"
  }

  // MARK: Fitbit

  /// Minutes of 100 steps from an hour of 6 May on, and two at rest.
  private static func minutes(_ hour: Int, _ count: Int) -> String {
    let walked = (0..<count).map {
      "{\n  \"dateTime\" : \"05/06/26 \(hour < 10 ? "0" : "")\(hour):1\($0):00\",\n  \"value\" : \"100\"\n}"
    }
    let rest = (0..<2).map { "{\n  \"dateTime\" : \"05/06/26 03:1\($0):00\",\n  \"value\" : \"0\"\n}" }
    return "[" + (walked + rest).joined(separator: ",") + "]"
  }

  private static let sleep =
    #"[{"logId": 1, "startTime": "2026-05-05T22:30:00.000", "endTime": "2026-05-06T07:30:30.000", "levels": {"data": [{"level": "wake"}]}}]"#

  /// The parts of an account: walks, nights, the same walk with its device, and much else.
  private func account(_ hour: Int) throws -> String {
    _ = try write(Self.minutes(hour, 5), "Takeout/Fitbit/Global Export Data/steps-2026-05-06.json")
    _ = try write(Self.sleep, "Takeout/Fitbit/Global Export Data/sleep-2026-05-05.json")
    _ = try write(
      "[{\"dateTime\": \"05/06/26 06:10:00\", \"value\": {\"bpm\": 70}}]",
      "Takeout/Fitbit/Global Export Data/heart_rate-2026-05-06.json")
    _ = try write(
      "[{\"dateTime\": \"05/06/26 06:10:00\", \"value\": \"40\"}]",
      "Takeout/Fitbit/Global Export Data/very_active_minutes-2026-05-06.json")
    _ = try write("id,full_name,timezone\n1,Ann,Europe/Berlin\n", "Takeout/Fitbit/Your Profile/Profile.csv")
    return folder.path + "/Takeout"
  }

  @Test(
    "Fitbit: the nights of an account show whether its minutes are in UTC or local, in a folder and a zip",
    arguments: [(6, "UTC", "06T06:10"), (22, "Europe/Berlin", "06T20:10")])
  func nights(_ hour: Int, _ zone: String, _ walked: String) throws {
    let path = try account(hour)
    if hour == 22 {
      let next = Self.sleep.replacing("05-05T22:30", with: "05-06T22:30").replacing("05-06T07", with: "05-07T07")
      _ = try write(next, "Takeout/Fitbit/Global Export Data/sleep-2026-05-06.json")
      // In UTC the walk would be in the next night.
      _ = try write(Self.minutes(22, 5), "Takeout/Fitbit/Global Export Data/steps-2026-05-06.json")
    }
    let first = try add(path)
    #expect(first.new == 500, "\(first.notices)")
    #expect(first.notices.filter { $0.contains("were read as") && $0.contains(zone) }.count == 1, "\(first.notices)")
    #expect(!first.notices.contains { $0.contains("left out") }, "\(first.notices)")
    #expect(try steps(walked, 5) == 500)
    #expect(try add(try zip("Takeout")).new == 0)
    #expect(try add(path).new == 0)
  }

  @Test("Fitbit: without nights, the zone has to be stated, which decides the moments")
  func stated() throws {
    let path = try write(Self.minutes(6, 5), "steps-2026-05-06.json")
    let failure = #expect(throws: ImportFailure.self) { try add(path) }
    #expect(failure?.description.contains("--time-zone UTC") == true, "\(failure as Any)")
    #expect(try add(path, zone: .gmt).new == 500)
    #expect(try steps("06T06:10", 5) == 500)
    #expect(try add(path, zone: .gmt).new == 0)
  }

  @Test("Fitbit: minutes with devices are in UTC, and count once beside those of the account")
  func devices() throws {
    let path = try account(6)
    let lines = (0..<5).map { "2026-05-06T06:1\($0):00Z,100,Watch\n2026-05-06T06:1\($0):00Z,90,Phone\n" }
    _ = try write(
      "timestamp,steps,data source\n\(lines.joined())2026-05-06T07:00:18.008Z,30,Phone\n2026-05-06T07:00:41Z,12,Phone\n",
      "Takeout/Fitbit/Physical Activity_GoogleData/steps_2026-05-01.csv")
    let first = try add(path)
    #expect(first.new == 542, "\(first.notices)")
    #expect(try steps("06T07:00", 1) == 42)
    #expect(try add(path).new == 0)
  }

  @Test("Fitbit: minutes without devices are those of a file of minutes, not of a list of days")
  func withoutDevices() throws {
    let lines = (0..<5).map { "2026-05-06T06:1\($0):00Z,\(100 - $0)\n" }.joined()
    #expect(try add(try write("timestamp,steps\n\(lines)", "steps_2026-05-06.csv")).new == 490)
    #expect(try steps("06T06:10", 1) == 100)
    // Equal minutes are no total of the day so far.
    let equal = (0..<100).map { "2026-05-07T0\(7 + $0 / 50):\(10 + $0 % 50):00Z,10\n" }.joined()
    #expect(try add(try write("timestamp,steps\n\(equal)", "steps_2026-05-08.csv")).new == 1000)
    let days = try write(
      "timestamp,steps\n2026-05-03T00:00:00Z,8000\n2026-05-04T00:00:00Z,9000\n", "steps_2026-05-07.csv")
    #expect(try add(days).new == 17_000)
  }

  // MARK: Others

  @Test("Google: quarters of an hour have the day of the file's name, and the total of the day adds nothing to them")
  func quarters() throws {
    let name = "Takeout/Fit/Daily activity metrics/"
    let quarters = """
      Start time,End time,Move Minutes count,Distance (m),Step count
      00:00:00.000+02:00,00:15:00.000+02:00,,,
      08:00:00.000+02:00,08:15:00.000+02:00,9,700,900
      23:45:00.000+02:00,00:00:00.000+02:00,2,100,150

      """
    _ = try write(quarters, name + "2026-05-06.csv")
    _ = try write(
      "Date,Move Minutes count,Step count\n2026-05-05,,\n2026-05-06,11,1050\n", name + "Daily activity metrics.csv")
    #expect(try add(folder.path + "/Takeout").new == 1050)
    #expect(try steps("06T06:00", 15) == 900 && steps("06T21:45", 15) == 150)
    #expect(try add(folder.path + "/Takeout").new == 0)
    let failure = #expect(throws: ImportFailure.self) { try add(write(quarters, "quarters.csv")) }
    #expect(failure?.description.contains("a list whose columns are named date and steps") == true)
  }

  @Test("Garmin Connect: the days of Steps.csv, whose column of dates has no name; weeks are refused")
  func garmin() throws {
    let days = ",Actual,Goal\n5/12/2026,\"8,123\",7500\n5/13/2026,4000,7500\n"
    #expect(try add(write(days, "Steps.csv")).new == 12_123)
    #expect(try add(write(days, "Steps.csv")).new == 0)
    let weeks = ",Actual,Goal\n4/13/2026,8123,7500\n4/20/2026,4000,7500\n"
    let failure = #expect(throws: ImportFailure.self) { try add(write(weeks, "Steps.csv")) }
    #expect(failure?.description.contains("weeks or months; export the steps of each day") == true)
  }

  @Test(
    "Samsung Health: of a day's lines, those of all devices together count; without them, the device with the most steps"
  )
  func samsung() throws {
    let heading =
      "com.samsung.shealth.step_daily_trend,6312005,8\nbinning_data,update_time,source_type,count,distance,deviceuuid,day_time\n"
    let name = "com.samsung.shealth.step_daily_trend.20260510.csv"
    func line(_ type: Int, _ count: Int, _ device: String, _ day: Int) -> String {
      "a.json,2026-05-06 21:59:00.000,\(type),\(count),1.5,\(device),\(1_778_025_600_000 + day * 86_400_000),\n"
    }
    // The second day has no sum.
    let lines = line(0, 5000, "phone", 0) + line(1, 4000, "watch", 0) + line(-2, 7000, "all", 0)
    let text = heading + lines + line(0, 5000, "phone", -1) + line(1, 4000, "watch", -1)
    #expect(try add(write(text, name)).new == 12_000)
    #expect(try steps("05T22:00", 1440) == 7000 && steps("04T22:00", 1440) == 5000)
    #expect(try add(write(text, name)).new == 0)
  }

  @Test(
    "Health Connect: the database of the newest export, in its zip; applications that have the same walk count once")
  func healthConnect() throws {
    _ = try write("", "health/empty.txt")
    let path = folder.path + "/health/health_connect_export.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, package_name TEXT, app_name TEXT, app_icon BLOB);
          INSERT INTO application_info_table VALUES (1, 'com.a', 'A', NULL), (2, 'com.b', 'B', NULL);
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, uuid BLOB, last_modified_time INTEGER,
            client_record_id TEXT, device_info_id INTEGER, app_info_id INTEGER, recording_method INTEGER, start_time INTEGER,
            start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER, local_date INTEGER, count INTEGER);
          INSERT INTO steps_record_table (app_info_id, start_time, end_time, start_zone_offset, count) VALUES
            (1, 1778054400000, 1778054460000, 7200, 90), (2, 1778054400000, 1778054460000, 7200, 100),
            (2, 1778054460000, 1778055360000, 7200, 1200);
          """)
    }
    try queue.close()
    #expect(try add(try zip("health")).new == 1300)
    #expect(try add(path).new == 0)
  }
}
