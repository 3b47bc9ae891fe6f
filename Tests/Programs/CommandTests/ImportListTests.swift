import Foundation
import History
import TestSupport
import Testing

@testable import HistoryImport

/// Lists of steps as programs, watches and spreadsheets write them.
@Suite("Import: lists", .timeLimit(.minutes(30)))
struct ImportListTests {
  private let folder: TemporaryDirectory
  private static let now = Date(timeIntervalSince1970: 1_778_061_600 + 86_400 * 30)

  init() throws { folder = try TemporaryDirectory() }

  private func read(_ text: String, _ name: String = "list.csv", _ encoding: String.Encoding = .utf8) throws
    -> ImportedFile
  {
    let bytes = try #require(text.data(using: encoding))
    return try ImportFile.read(try folder.write(Array(bytes), to: name), now: Self.now)
  }

  /// The first days of the periods, as they are in local time, with the steps.
  private func days(_ file: ImportedFile) -> [String] {
    file.periods.map { period in
      let parts = Calendar.current.dateComponents([.year, .month, .day], from: period.start)
      return "\(parts.year ?? 0)-\(parts.month ?? 0)-\(parts.day ?? 0) \(period.steps)"
    }
  }

  @Test(
    "the order of day, month and year is the one that other lines show",
    arguments: [
      ("03-04-2026", "13-04-2026", "2026-4-3"), ("04/03/2026", "04/13/2026", "2026-4-3"),
      ("03.04.26", "13.04.26", "2026-4-3"), ("3.4.2026", "5.4.2026", "2026-4-3"), ("26/04/03", "26/04/13", "2026-4-3"),
      ("4/3/26", "4/13/26", "2026-4-3"), ("2026/04/03", "2026/04/05", "2026-4-3"), ("2026.4.3", "2026.4.5", "2026-4-3"),
      ("20260403", "20260405", "2026-4-3"), ("Fr, 03.04.2026", "Mo, 13.04.2026", "2026-4-3"),
      // The other order would be in the future.
      ("03/09/2026", "04/09/2026", "2026-3-9"),
    ])
  func orders(_ first: String, _ other: String, _ expected: String) throws {
    let file = try read("date;steps\n\(first);1000\n\(other);2000\n")
    #expect(days(file).first == "\(expected) 1000" && file.periods.count == 2, "\(file.periods)")
    #expect(file.notices.contains { $0.contains("dates such as \(first) were read as") } == !first.hasPrefix("2026"))
  }

  @Test(
    "dates whose order no line shows are refused with the reason", arguments: ["05-04-2026", "05/04/2026", "05/04/06"])
  func ambiguous(_ date: String) throws {
    let failure = #expect(throws: ImportFailure.self) {
      try read("date,steps\n04/04/2026,5\n".replacing("/", with: date.contains("-") ? "-" : "/") + "\(date),1000\n")
    }
    #expect(failure?.description.contains("list.csv:3: '\(date)' may be 20") == true, "\(failure?.description ?? "")")
    #expect(failure?.description.contains("a day after the 12th") == true)
  }

  @Test("Fitabase writes the month first", arguments: ["ActivityDay", "ActivityMinute"])
  func fitabase(_ name: String) throws {
    let clock = name == "ActivityMinute" ? " 9:00:00 AM" : ""
    let file = try read("Id,\(name),Steps\n1503960366,4/5/2026\(clock),1000\n1503960366,4/6/2026\(clock),500\n")
    #expect(days(file) == ["2026-4-5 1000", "2026-4-6 500"])
  }

  @Test("days of 1970 are no days of a walk")
  func lostDates() throws {
    let failure = #expect(throws: ImportFailure.self) { try read("date,steps\n1970-01-20,8432\n1970-01-20,10211\n") }
    #expect(failure?.description.contains("1970, so the dates were lost") == true, "\(failure?.description ?? "")")
  }

  @Test("a line whose date does not have the order of the others is named")
  func contradiction() throws {
    let failure = #expect(throws: ImportFailure.self) {
      try read("date,steps\n13-04-2026,1000\n14-04-2026,1000\n04-15-2026,1000\n")
    }
    #expect(
      failure?.description.contains("list.csv:4: '04-15-2026' is no date") == true, "\(failure?.description ?? "")")
  }

  @Test(
    "separators of thousands are taken out if one explains all numbers, which is said",
    arguments: [
      ("10,234", "870"), ("10.234", "870"), ("10'234", "870"), ("10\u{2019}234", "870"), ("10 234", "870"),
      ("10\u{A0}234", "870"), ("10\u{202F}234", "870"),
    ])
  func thousands(_ large: String, _ small: String) throws {
    let file = try read("date,steps\n2026-04-03,\"\(large)\"\n2026-04-04,\(small)\n")
    #expect(days(file) == ["2026-4-3 10234", "2026-4-4 870"], "\(file.periods)")
    #expect(file.notices.contains("numbers of steps such as \(large) were read as 10234"), "\(file.notices)")
  }

  @Test("decimals that are zero are no separators, and other decimals are refused")
  func decimals() throws {
    #expect(
      days(try read("date,steps\n2026-04-03,8123.0\n2026-04-04,\n2026-04-05,870.0\n")) == [
        "2026-4-3 8123", "2026-4-5 870",
      ])
    for number in ["8123.5", "8123.250", "8.12", "1,23,456", "12.345,678"] {
      let failure = #expect(throws: ImportFailure.self) {
        try read("date,steps\n2026-04-03,\"\(number)\"\n2026-04-04,870\n")
      }
      #expect(
        failure?.description.contains("list.csv:2: '\(number)' is no number of steps") == true,
        "\(failure?.description ?? "")")
    }
  }

  @Test("Fitbit's export: a title above the names, and another table behind a blank line")
  func tables() throws {
    let file = try read(
      "Body\nDate,Weight,BMI,Fat\n\"13-04-2026\",\"70\",\"22\",\"0\"\n\nActivities\nDate,Calories Burned,Steps,Distance\n"
        + "\"12-04-2026\",\"2,652\",\"10,234\",\"7.37\"\n\"13-04-2026\",\"2,476\",\"870\",\"5.85\"\n\nSleep\n"
        + "Start Time,End Time,Minutes Asleep\n\"12-04-2026 11:27PM\",\"13-04-2026 7:12AM\",\"420\"\n")
    #expect(days(file) == ["2026-4-12 10234", "2026-4-13 870"])
    #expect(file.notices.contains { $0.contains("another table, 'Sleep', begins in line 10") }, "\(file.notices)")
  }

  @Test("Samsung Health's days: a line about the file above the names, and the midnight of the day in UTC")
  func samsung() throws {
    let file = try read(
      "com.samsung.shealth.tracker.pedometer_day_summary,6312005,17\r\nstep_count,update_time,distance,pkg_name,day_time\r\n"
        + "10234,2026-04-03 21:59:00.000,7573.16,com.app,1775174400000,\r\n870,2026-04-04 21:59:00.000,600.0,com.app,1775260800000,\r\n"
    )
    #expect(days(file) == ["2026-4-3 10234", "2026-4-4 870"])
  }

  @Test(
    "midnights stand for their dates, in every time zone: those in UTC and those with an offset",
    arguments: [
      ("2026-04-03T00:00:00Z", "2026-04-04T00:00:00Z"), ("2026-04-03T00:00:00.000Z", "2026-04-04T00:00:00.000Z"),
      ("2026-04-03 00:00:00+13:00", "2026-04-04 00:00:00+13:00"), ("2026-04-03T00:00-0930", "2026-04-04T00:00-0930"),
      ("1775174400", "1775260800"),
    ])
  func midnights(_ first: String, _ second: String) throws {
    let text = "date,steps\n\(first),6000\n\(second),7000\n"
    #expect(days(try read(text)) == ["2026-4-3 6000", "2026-4-4 7000"])
    for zone in ["America/St_Johns", "Pacific/Auckland"] {
      let calendar = DayCalendar(timeZone: try #require(TimeZone(identifier: zone)))
      let file = try DailySteps.read("list.csv", text, calendar, now: Self.now)
      #expect(file.periods.map { calendar.civil($0.start).date } == ["2026-04-03", "2026-04-04"], "\(zone)")
    }
  }

  @Test("midnights at which periods begin and end are moments")
  func periodsOfMidnights() throws {
    let file = try read("start,end,steps\n2026-04-03T00:00:00Z,2026-04-04T00:00:00Z,6000\n")
    #expect(file.periods.map(\.start) == [Date(timeIntervalSince1970: 1_775_174_400)])
    #expect(file.periods.map(\.steps) == [6000])
  }

  @Test(
    "several lines a day with a time in front are the steps since that time",
    arguments: [
      "TIMESTAMP,DEVICE_ID,STEPS\n1775206800,1,97\n1775206860,1,15\n1775206920,1,0\n1775206980,1,110\n",
      "timestamp|steps\n1775206800000|97\n1775206860000|15\n1775206920000|0\n1775206980000|110\n",
      "timestamp,steps\n2026-04-03T09:00:00Z,97\n2026-04-03T09:01:00Z,15\n2026-04-03T09:02:00Z,0\n2026-04-03T09:03:00Z,110\n",
      "ActivityMinute,Steps\n4/3/2026 9:00:00 AM,97\n4/3/2026 9:01:00 AM,15\n4/3/2026 9:02:00 AM,0\n4/3/2026 9:03:00 AM,110\n"
        + "4/13/2026 9:03:00 AM,0\n",
    ])
  func minutes(_ text: String) throws {
    let file = try read(text)
    #expect(file.periods.map(\.steps) == [97, 15, 110], "\(file.periods)")
    #expect(file.periods.allSatisfy { $0.end.timeIntervalSince($0.start) == 60 })
    #expect(file.notices.contains { $0.contains("each line counts for 60 s") }, "\(file.notices)")
  }

  @Test("readings of a counter that only rise are refused as those of the day so far")
  func counter() throws {
    let failure = #expect(throws: ImportFailure.self) {
      try read("timestamp,steps\n1775206800,97\n1775206860,115\n1775206920,115\n1775206980,210\n")
    }
    #expect(
      failure?.description.contains("list.csv:2: the steps never fall within a day") == true,
      "\(failure?.description ?? "")")
  }

  @Test(
    "a spreadsheet in Windows-1252 or UTF-16; lines with the sum and the average of the days are not added, which is said"
  )
  func spreadsheet() throws {
    let text =
      "Schrittzähler 2026;;;\r\nDatum;Wochentag;Schritte;Ziel erreicht\r\n12.04.26;So;10.234;ja\r\n13.04.26;Mo;870;nein\r\n"
      + "Summe;;11.104;\r\nDurchschnitt;;5.552;\r\n;;;\r\n"
    for encoding in [String.Encoding.windowsCP1252, .utf8, .utf16] {
      let file = try read(text, "schritte.csv", encoding)
      #expect(days(file) == ["2026-4-12 10234", "2026-4-13 870"])
      #expect(
        file.notices.contains("lines that are no days were not added: line 5 ('Summe'), line 6 ('Durchschnitt')"),
        "\(file.notices)")
    }
  }

  @Test("titles between parts of a list end it only if no days follow, and each part is read")
  func parts() throws {
    let file = try read("date,steps\n2026-03-30,10\n\nApril,\n2026-04-03,20\n\nTotal per year,\nyear,30\n")
    #expect(days(file) == ["2026-3-30 10", "2026-4-3 20"])
    #expect(
      file.notices.contains { $0.contains("another table, 'Total per year', begins in line 7") }, "\(file.notices)")
  }

  @Test("an average with decimals below the days does not change how the steps of the days are read")
  func average() throws {
    let file = try read("Datum;Schritte\n12.04.26;10.234\n13.04.26;870\nDurchschnitt;5.552,00\n")
    #expect(days(file) == ["2026-4-12 10234", "2026-4-13 870"])
  }

  @Test("three decimals of every number are decimals, not thousands")
  func threeDecimals() throws {
    let file = try read("date,steps\n2026-04-03,812.000\n2026-04-04,34.000\n2026-04-05,0.000\n")
    #expect(file.periods.map(\.steps).filter { $0 > 0 } == [812, 34])
  }

  @Test("days to come in a template do not decide the order of the dates")
  func template() throws {
    let failure = #expect(throws: ImportFailure.self) {
      try read("date;steps\n03-04-2026;100\n04-04-2026;200\n31-12-2026;\n12-12-2026;\n")
    }
    #expect(failure?.description.contains("may be 2026-04-03 or 2026-03-04") == true, "\(failure?.description ?? "")")
  }

  @Test("numbers of steps that nobody walks are refused day by day, however large, and their average is left out")
  func largest() throws {
    let text = "date,steps\n2026-04-03,\(Int.max)\n2026-04-04,\(Int.max)\nzusammen,\(Int.max)\n"
    let file = try read(text)
    #expect(file.periods.isEmpty && file.refused == 2)
    #expect(file.notices.contains("lines that are no days were not added: line 4 ('zusammen')"), "\(file.notices)")
  }

  @Test("a line below the days that is neither a day nor their sum is refused")
  func strangeEnd() throws {
    let sum = try read("date,steps\n2026-04-03,1000\n2026-04-04,2000\nzusammen,3000\n")
    #expect(days(sum) == ["2026-4-3 1000", "2026-4-4 2000"])
    let failure = #expect(throws: ImportFailure.self) {
      try read("date,steps\n2026-04-03,1000\n2026-04-04,2000\nanother,2500\n")
    }
    #expect(failure?.description.contains("list.csv:4: 'another' is no date") == true, "\(failure?.description ?? "")")
  }
}
