import ArgumentParser
import Foundation
import History
import Presentation
import TestSupport
import Testing

@testable import PedometerCommands
@testable import pedometer_full

/// `history` and `export`, as transcripts of the real executable.
@Suite("pedometer history and export", .timeLimit(.minutes(30)), .ownThreads)
struct HistoryCommandTests {
  private let directory: TemporaryDirectory
  private let writer: HistoryWriter

  /// 2026-05-06T10:00:00Z.
  private static let morning = Date(timeIntervalSince1970: 1_778_061_600)
  private static let later = Date(timeIntervalSince1970: 1_778_248_800)

  /// 480 steps from 10:00:00 UTC on, and 60 at 01:30 in the night after, Berlin time.
  init() throws {
    directory = try TemporaryDirectory()
    writer = try HistoryWriter(
      folder: HistoryFolder(path: directory.path), application: "tests",
      clock: HistoryClock(now: { Self.later }, uptime: { .seconds(1_000_000) }, bootID: "boot"))
    let source = HistorySource(identity: "usb:1209:7e58:serial=A1:accelerometer", name: "Wrist, left")
    for (start, count) in [(0.0, 480), (48_600, 60)] {
      try writer.record(
        (0..<count).map {
          WalkedStep(
            time: Self.morning + start + Double($0) * 0.5, distance: 0.75, activeTime: .milliseconds(500))
        }, source: source)
    }
  }

  /// Runs it in Berlin, while the writer still has the history open.
  private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Transcript {
    let place = ["--state", directory.path, "--time-zone", "Europe/Berlin"]
    return try Executable.built("pedometer").run(arguments + place, environment: environment)
  }

  @Test("the chart's goal is the one that was set through the API, or else that of the service's options")
  func serviceGoal() throws {
    let folder = try TemporaryDirectory()
    let place = try HistoryPlace.parse(["--state", folder.path])
    #expect(place.goals?.goal(on: "2026-05-01") == nil)
    _ = try folder.write(Array("6000\n".utf8), to: "goal-usual")
    #expect(place.goals?.goal(on: "2026-05-01") == 6000)
    _ = try folder.write(Array("8000\n".utf8), to: "goal")
    #expect(place.goals?.goal(on: "2026-05-01") == 8000)
  }

  @Test(
    "days begin when the service's settings or options say, and damaged settings are reported instead of using midnight"
  )
  func serviceDayStart() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write(Array(#"{"dayStart":"03:00"}"#.utf8), to: "settings-usual.json")
    #expect(try HistoryPlace.parse(["--state", folder.path]).calendar().dayStart == .seconds(3 * 3600))
    _ = try folder.write(Array(#"{"dayStart":"04:00"}"#.utf8), to: "settings.json")
    #expect(try HistoryPlace.parse(["--state", folder.path]).calendar().dayStart == .seconds(4 * 3600))
    _ = try folder.write(Array("garbage".utf8), to: "settings.json")
    let place = try HistoryPlace.parse(["--state", folder.path])
    let error = #expect(throws: ValidationError.self) { try place.calendar() }
    #expect(error?.message.contains("settings.json is damaged") == true)
    #expect(error?.message.hasSuffix("--day-start") == true)
    #expect(try HistoryPlace.parse(["--state", folder.path, "--day-start", "00:00"]).calendar().dayStart == .zero)
  }

  @Test("a day by hours, as JSON Lines with the keys and offsets that scripts rely on")
  func jsonDay() throws {
    let transcript = try run("history", "--from", "2026-05-06", "--to", "2026-05-06", "--format", "json")
    #expect(transcript.ending == .exit(0) && transcript.errors == "")
    let lines = transcript.outputLines
    #expect(lines.count == 24)
    #expect(
      lines.first
        == #"{"start":"2026-05-06T00:00:00+02:00","end":"2026-05-06T01:00:00+02:00","steps":0,"distanceTravelled":0,"cadence":null,"activeTime":0}"#
    )
    #expect(
      lines[12]
        == #"{"start":"2026-05-06T12:00:00+02:00","end":"2026-05-06T13:00:00+02:00","steps":480,"distanceTravelled":360,"cadence":2,"activeTime":240}"#
    )
  }

  @Test("more than two months are shown by the week, and more than six by the month; programs get days")
  func longPeriods() throws {
    func shown(_ from: String, _ more: String...) throws -> [Substring] {
      let place = ["--state", directory.path, "--time-zone", "Europe/Berlin"]
      let command = ["history", "--from", from, "--to", "2026-05-31"] + more
      return try Executable.built("pedometer").run(command + place).outputLines
    }
    #expect(try shown("2026-04-15").contains { $0.contains("Wed 2026-05-06") })
    #expect(try shown("2026-03-01").contains { $0.contains("week of 2026-05-04") })
    let year = try shown("2025-06-01")
    #expect(year.contains { $0.hasPrefix("  2026-05 ") } && year.count < 20)
    #expect(try shown("2025-06-01", "--format", "json").count == 365)
  }

  @Test("minutes as CSV, of a period in local time of the zone")
  func csvMinutes() throws {
    let transcript = try run(
      "history", "--from", "2026-05-06T12:03", "--to", "2026-05-06 12:05", "--bucket", "minute", "--format", "csv")
    #expect(
      transcript.output == """
        start,end,steps,distanceTravelled,cadence,activeTime,floorsAscended,floorsDescended,correctedSteps
        2026-05-06T12:03:00+02:00,2026-05-06T12:04:00+02:00,120,90,2,60,,,
        2026-05-06T12:04:00+02:00,2026-05-06T12:05:00+02:00,0,0,,0,,,

        """)
  }

  @Test("what the walker says is beside what was counted")
  func answers() throws {
    let answer = #"[{"start":799754580,"end":799754700,"steps":0,"distance":0,"answer":"not a walk"}]"#
    try Data(answer.utf8).write(to: URL(filePath: directory.path + "/answers.json"))
    func told(_ format: String) throws -> [Substring] {
      try run(
        "history", "--from", "2026-05-06T12:02", "--to", "2026-05-06T12:05", "--bucket", "minute", "--format", format
      ).outputLines
    }
    let minutes = try told("json")
    #expect(
      minutes.map { $0.contains(#""corrected":{"steps":0,"distanceTravelled":0,"activeTime":0}"#) } == [
        false, true, true,
      ])
    #expect(minutes[1].contains(#""steps":120,"#))
    #expect(try told("csv")[2].hasSuffix(",120,90,2,60,,,0"))
  }

  @Test("a day that begins at four includes the steps of the night")
  func dayStart() throws {
    func days(_ start: String) throws -> [Int] {
      let transcript = try run(
        "history", "--from", "2026-05-06", "--to", "2026-05-07", "--bucket", "day", "--format", "csv", "--day-start",
        start)
      return transcript.outputLines.dropFirst().compactMap { $0.split(separator: ",")[2] }.compactMap { Int($0) }
    }
    #expect(try days("00:00") == [480, 60])
    #expect(try days("04:00") == [540, 0])
  }

  @Test("text is a chart within 80 columns with totals, and plain without a terminal")
  func text() throws {
    let utf8 = ["LC_ALL": "C.UTF-8"]
    let transcript = try run("history", "--from", "2026-05-06", "--to", "2026-05-07", environment: utf8)
    #expect(transcript.ending == .exit(0))
    #expect(transcript.outputLines.first == "Wed 2026-05-06 to Thu 2026-05-07 (Europe/Berlin)")
    #expect(transcript.outputLines.last == "  540 steps, 405 m, 4 min 30 s of walking at 120 steps/min")
    #expect(transcript.outputLines[1].hasPrefix("  2026-05-06 12:00   480  ██████"))
    #expect(transcript.outputLines.allSatisfy { $0.count <= 80 })
    #expect(transcript.outputLines.contains { $0.count > 76 })
    #expect(!transcript.output.contains("\u{1B}"))
    let plain = try run("history", "--from", "2026-05-06", "--to", "2026-05-06", environment: ["LC_ALL": "C"])
    #expect(plain.outputLines[1].hasPrefix("  12:00   480  ####"))
    #expect(plain.output.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("the chart in a pipe is the one of a terminal of 80 columns, with the goal and separators")
  func pipe() throws {
    let arguments = ["history", "--from", "2026-05-01", "--to", "2026-05-07", "--goal", "1200"]
    let place = ["--state", directory.path, "--time-zone", "Europe/Berlin"]
    let environment = ["LC_ALL": "C.UTF-8", "NO_COLOR": "1"]
    let piped = try Executable.built("pedometer").run(arguments + place, environment: environment).outputLines
    let terminal = try Executable.built("pedometer").start(
      arguments + place, inTerminalOf: (80, 24), environment: environment)
    #expect(try terminal.finish() == .exit(0))
    let shown = terminal.screen.lines.filter { !$0.isEmpty }
    #expect(shown == piped.map(String.init) && shown.contains { $0.hasSuffix("┊") })
    #expect(shown.contains { $0.contains("goal of 1,200 reached on 0") }, "\(shown)")
  }

  @Test("a period without steps is reported as such", arguments: ["--day", "--week", "--month"])
  func nothingWalked(span: String) throws {
    let transcript = try run("history", span)
    #expect(transcript.ending == .exit(0))
    #expect(transcript.outputLines.last == "  no steps")
    #expect(transcript.outputLines.count == ["--day": 2, "--week": 9, "--month": 32][span])
  }

  @Test("export has every minute with its source, and reads during writing")
  func export() throws {
    let csv = try run("export")
    #expect(csv.ending == .exit(0))
    #expect(
      csv.outputLines.prefix(2) == [
        "start,source,name,steps,distanceTravelled,cadence,activeTime,floorsAscended,floorsDescended",
        "2026-05-06T12:00:00+02:00,usb:1209:7e58:serial=A1:accelerometer,\"Wrist, left\",120,90,2,60,,",
      ])
    #expect(csv.outputLines.count == 6)
    let json = try run("export", "--from", "2026-05-07", "--format", "json")
    #expect(
      json.output
        == #"{"start":"2026-05-07T01:30:00+02:00","source":"usb:1209:7e58:serial=A1:accelerometer","name":"Wrist, left","steps":60,"distanceTravelled":45,"cadence":2,"activeTime":30}"#
        + "\n")
  }

  @Test("floors are in every format where they were counted, and nowhere else")
  func floors() throws {
    let source = HistorySource(identity: "usb:1209:7e58:serial=A1:accelerometer", name: "Wrist, left")
    try writer.record(
      [], floors: [WalkedFloors(time: Self.morning + 200, ascended: 4, descended: 1)], source: source)
    let json = try run("history", "--from", "2026-05-06", "--to", "2026-05-06", "--format", "json").outputLines
    #expect(json[12].hasSuffix(#""activeTime":240,"floorsAscended":4,"floorsDescended":1}"#))
    #expect(!json[11].contains("floors"))
    let csv = try run("history", "--from", "2026-05-06", "--to", "2026-05-06", "--format", "csv").outputLines
    #expect(csv[13].hasSuffix(",480,360,2,240,4,1,") && csv[12].hasSuffix(",0,0,,0,,,"))
    let text = try run("history", "--from", "2026-05-06", "--to", "2026-05-06")
    #expect(text.outputLines.last == "  4 floors up, 1 down")
    #expect(try run("export").outputLines[4].hasSuffix(",120,90,2,60,4,1"))
    #expect(try run("export", "--format", "json").outputLines[3].hasSuffix(#""floorsAscended":4,"floorsDescended":1}"#))
  }

  @Test("without a history the exit code is 66, with a remedy", arguments: ["history", "export", "status"])
  func noHistory(command: String) throws {
    let transcript = try Executable.built("pedometer").run([command, "--state", directory.path + "/none"])
    #expect(transcript.ending == .exit(66) && transcript.output == "")
    #expect(
      transcript.errors
        == "pedometer: no history in \(directory.path)/none yet; start pedometerd and walk, or give another folder, "
        + "such as --state /var/lib/pedometer of the system service\n")
  }

  @Test("a named service has to answer; a folder has to exist, and a period to be in the past")
  func wrongPlaces() throws {
    let pedometer = try Executable.built("pedometer")
    let home = ["XDG_STATE_HOME": directory.path + "/none"]
    for (address, code, reason) in [
      ("bogus", Int32(64), "'bogus' is not an address"),
      ("http://127.0.0.1:1", 69, "cannot reach http://127.0.0.1:1/health"),
    ] {
      let transcript = try pedometer.run(
        ["history"], environment: home.merging(["PEDOMETER_SERVICE": address]) { $1 })
      #expect(transcript.exitCode == code)
      #expect(transcript.errors.hasPrefix("pedometer: PEDOMETER_SERVICE: \(reason)"), "\(transcript.errors)")
    }
    for folder in ["", directory.path + "/history.sqlite"] {
      let transcript = try pedometer.run(["history", "--state", folder])
      #expect(transcript.exitCode == 64)
      #expect(transcript.errors.contains("'\(folder)' is not a folder"), "\(transcript.errors)")
    }
    for command in ["history", "export"] {
      let period = ["--from", "2025-11-28", "--to", "2025-11-27"]
      let backwards = try pedometer.run([command] + period + ["--state", directory.path])
      #expect(backwards.exitCode == 64 && backwards.output == "" && backwards.errors.contains("swap --from and --to"))
    }
    let future = try pedometer.run(["history", "--from", "2199-01-01", "--state", directory.path])
    #expect(future.exitCode == 64)
    #expect(future.errors.contains("--from is in the future"), "\(future.errors)")
  }

  @Test("the default folder is the state folder, and the default zone the computer's")
  func surroundings() throws {
    let transcript = try Executable.built("pedometer").run(
      ["history", "--from", "2026-05-06T00:00:00Z", "--to", "2026-05-06T23:59", "--format", "json"],
      environment: ["XDG_STATE_HOME": directory.path + "/none", "TZ": "Asia/Tokyo"])
    #expect(transcript.ending == .exit(66))
    #expect(transcript.errors.contains(directory.path + "/none/pedometer"))
    let tokyo = try Executable.built("pedometer").run(
      [
        "history", "--from", "2026-05-06T10:00Z", "--to", "2026-05-06T19:01", "--bucket", "minute", "--format", "csv",
        "--state", directory.path,
      ],
      environment: ["TZ": "Asia/Tokyo"])
    #expect(tokyo.output.contains("2026-05-06T19:00:00+09:00,2026-05-06T19:01:00+09:00,120,"))
  }

  @Test("a damaged history is exit code 65, one without permission 77")
  func badHistories() throws {
    let other = try TemporaryDirectory()
    try other.write(Array("this is no database, but long enough to be looked at".utf8), to: "history.sqlite")
    let damaged = try Executable.built("pedometer").run(["history", "--state", other.path])
    #expect(damaged.ending == .exit(65) && damaged.errors.contains("damaged"))
    unsafe chmod(other.path + "/history.sqlite", 0)
    let denied = try Executable.built("pedometer").boundByPermissions.run(["history", "--state", other.path])
    #expect(denied.ending == .exit(77) && denied.errors.contains("permission"))
  }

  @Test("a damaged history is exported as far as it is readable, with the lost dates and exit code 65")
  func holes() throws {
    let place = ["--state", directory.path, "--time-zone", "Europe/Berlin"]
    let whole = try Executable.built("pedometer").run(["export"] + place)
    #expect(whole.ending == .exit(0))
    writer.close()
    // A flipped bit in a row of a minute: the distance of the first one, 90 m.
    let path = directory.path + "/history.sqlite"
    var bytes = Data(try TemporaryDirectory.bytes(of: path))
    let distance = Data([0x05, 0x5D, 0x4A, 0x80])
    #expect(bytes.range(of: distance) != nil)
    for index in bytes.indices where bytes[index...].starts(with: distance) { bytes[index + 3] ^= 4 }
    try bytes.write(to: URL(fileURLWithPath: path))
    let rest = try Executable.built("pedometer").run(["export"] + place)
    #expect(rest.ending == .exit(65))
    #expect(rest.errors.contains("lost by damage: 2026-05-0"), "\(rest.errors)")
    #expect(rest.outputLines.first == whole.outputLines.first)
    #expect(Set(rest.outputLines).isSubset(of: whole.outputLines))
    let shown = try Executable.built("pedometer").run(["history", "--from", "2026-05-06"] + place)
    #expect(shown.ending == .exit(65) && shown.errors.contains("wrong checksums"))
  }

  @Test(
    "weeks and months without a period are those of the last 30 and 365 days, and any period may be given",
    arguments: [
      (["--bucket", "month"], 365), (["--bucket", "week"], 30), (["--bucket", "day"], 1), ([], 1),
      (["--week", "--bucket", "month"], 7),
    ])
  func usualPeriod(_ arguments: [String], days: Double) throws {
    let command = try HistoryCommand.parse(arguments)
    let plan = try command.plan(DayCalendar(timeZone: .gmt), now: Self.later)
    #expect(plan.period.duration == days * 86_400)
  }

  @Test("backups are listed and restored by date, and not while the history is being written")
  func restored() throws {
    let (folder, backups) = (["--state", directory.path], HistoryBackups(folder: HistoryFolder(path: directory.path)))
    let none = try Executable.built("pedometer").run(["history", "restore"] + folder)
    #expect(none.ending == .exit(66) && none.errors.contains("pedometerd makes one a day"))
    try backups.make(now: Self.later)
    let listed = try Executable.built("pedometer").run(["history", "restore"] + folder)
    #expect(listed.ending == .exit(0) && listed.output.hasPrefix("2026-05-08  "))
    let held = try Executable.built("pedometer").run(["history", "restore", "2026-05-08"] + folder)
    #expect(held.ending == .exit(75) && held.errors.contains("stop it first"))
    let missing = try Executable.built("pedometer").run(["history", "restore", "2026-05-07"] + folder)
    #expect(missing.ending == .exit(66))
  }

  @Test(
    "invalid values are a usage error with a remedy",
    arguments: [
      (["--time-zone", "Atlantis"], "Europe/Berlin"), (["--day-start", "4"], "04:00"),
      (["--day-start", "24:00"], "04:00"), (["--from", "yesterday"], "2026-05-06"), (["--to", "2026-05-06"], "--from"),
      (["--from", "2026-05-07", "--to", "2026-05-06T00:00"], "swap"), (["--from", "2026-02-30"], "not a time"),
      (["--week", "--from", "2026-05-06"], "leave out"), (["--week", "--month"], "day"),
      (["--bucket", "year"], "minute"),
    ])
  func usageErrors(arguments: [String], hint: String) {
    let error = #expect(throws: (any Error).self) { try HistoryCommand.parse(arguments) }
    guard let error else { return }
    #expect(HistoryCommand.exitCode(for: error).rawValue == 64)
    #expect(HistoryCommand.fullMessage(for: error).contains(hint), "\(HistoryCommand.fullMessage(for: error))")
  }
}
