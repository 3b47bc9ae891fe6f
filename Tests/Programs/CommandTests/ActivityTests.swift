import Foundation
import History
import Pedometry
import TestSupport
import Testing

@testable import ServiceCore
@testable import pedometer_full

/// Walks for sports programs. Tests/Trials/ServiceChecks/activities has them judged by a schema.
@Suite("pedometer export: walks", .timeLimit(.minutes(30)), .ownThreads)
struct ActivityTests {
  private let folder: TemporaryDirectory
  private static let start = Date(timeIntervalSince1970: 1_778_061_615)

  /// 20 minutes at 2 steps/s with a rest of 2 minutes, and a minute two hours later.
  init() throws {
    folder = try TemporaryDirectory()
    let writer = try HistoryWriter(folder: HistoryFolder(path: folder.path), application: "tests")
    for (start, count) in [(0.0, 1200), (720, 1200), (7200, 120)] {
      try writer.record(
        (0..<count).map {
          WalkedStep(time: Self.start + start + Double($0) / 2, distance: 0.75, activeTime: .milliseconds(500))
        }, source: HistorySource(identity: "usb:1", name: "wrist"))
    }
    writer.close()
  }

  private func walks(
    rest: Double = 300, shortest: Double = 600
  ) throws -> (walks: [WalkActivity], short: (count: Int, steps: Int), spread: Int) {
    try WalkActivity.all(
      in: HistoryReader(folder: HistoryFolder(path: folder.path)), from: .distantPast, to: .distantFuture, rest: rest,
      shortest: shortest)
  }

  @Test("bouts with short rests are one walk with all its steps; shorter ones are counted, not exported")
  func walks() throws {
    let (walks, short, _) = try walks()
    let walk = try #require(walks.first)
    #expect(walks.count == 1 && walk.steps == 2400 && short == (1, 120))
    #expect(abs(walk.distance - 1800) < 0.01 && abs(walk.duration - 1319.5) < 0.1)
    #expect(walk.start == Self.start && walk.parts.count == 23)
    #expect(walk.parts[1].cadence == 120 && walk.parts[11].steps == 0)
    let apart = try self.walks(rest: 60, shortest: 0)
    #expect(apart.walks.map(\.steps) == [1200, 1200, 120] && apart.short.count == 0)
  }

  @Test("TCX has strides per minute, steps, and cumulative metres")
  func tcx() throws {
    let text = TCXFile.activity(try #require(try walks().walks.first))
    #expect(text.contains("<Id>2026-05-06T10:00:15.000Z</Id>"))
    #expect(text.contains("<Steps>2400</Steps>") && text.contains("<RunCadence>60</RunCadence>"))
    #expect(text.contains("<DistanceMeters>1800</DistanceMeters><Calories>0</Calories>"))
    #expect(text.contains("<Trackpoint><Time>2026-05-06T10:01:00.000Z</Time><DistanceMeters>67.5</DistanceMeters>"))
  }

  @Test("what the walker said is in the files: the name, a run, and not what was no walk")
  func answers() throws {
    let answers = try WalkAnswers(folder: folder.path)
    let minute = { (number: Double) in Date(timeIntervalSince1970: 1_778_061_600 + number * 60) }
    try answers.answer(from: minute(0), to: minute(11), "run", name: "Round <the> loch")
    try answers.answer(from: minute(12), to: minute(23), "not a walk")
    let said = answers.all(from: .distantPast, to: .distantFuture)
    let walks = try WalkActivity.all(
      in: HistoryReader(folder: HistoryFolder(path: folder.path)), from: .distantPast, to: .distantFuture, rest: 300,
      shortest: 300, answers: said)
    #expect(walks.walks.map(\.steps) == [1200] && walks.short.steps == 120)
    let command = try Executable.built("pedometer").run(
      ["export", "--state", folder.path, "--format", "tcx", "--shortest", "300"])
    #expect(command.output.contains(#"<Activity Sport="Running"><Id>2026-05-06T10:00:15.000Z</Id>"#))
    #expect(command.output.contains("</Lap>\n<Notes>Round &lt;the&gt; loch</Notes></Activity>"))
    #expect(command.errors.contains("1 walk with 1200 steps"))
    #expect(command.errors.contains("left out one that you said to be no walk"))
  }

  @Test("the command writes a file for each walk, or one document, and says what it left out")
  func command() throws {
    let pedometer = try Executable.built("pedometer")
    let place = ["export", "--state", folder.path, "--time-zone", "UTC"]
    let files = try pedometer.run(place + ["--format", "tcx", "-o", folder.path + "/walks"])
    #expect(files.exitCode == 0)
    #expect(files.errors.contains("1 walk with 2400 steps; left out 1 shorter one with 120 steps"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/walks") == ["2026-05-06T10-00-15.tcx"])
    let tcx = try pedometer.run(place + ["--format", "tcx"])
    #expect(try TemporaryDirectory.text(of: folder.path + "/walks/2026-05-06T10-00-15.tcx") == tcx.output)
    #expect(tcx.output.hasPrefix("<?xml") && tcx.output.hasSuffix("</TrainingCenterDatabase>\n"))
    for (arguments, hint) in [
      (["--format", "gpx"], "GPX needs positions"), (["--format", "fit"], "use --format tcx, with -o FOLDER"),
      (["--format", "csv", "-o", "x"], "-o is for TCX"), (["--rest", "5"], "--rest and --shortest define walks"),
    ] {
      let transcript = try pedometer.run(place + arguments)
      #expect(transcript.exitCode == 64 && transcript.errors.contains(hint), "\(transcript.errors)")
    }
    let denied = try pedometer.run(place + ["--format", "tcx", "-o", "/proc/walks"])
    #expect(denied.exitCode == 73, "\(denied.errors)")
  }

  private static func minutes(_ range: Range<Int>, from start: Date, _ steps: (Int) -> Int) -> [HistoryMinute] {
    range.map {
      HistoryMinute(
        start: start + Double($0) * 60, source: HistorySource(identity: "import:daily", name: "daily totals"),
        totals: WalkTotals(steps: steps($0), distanceTravelled: 1, activeTime: .seconds(10)))
    }
  }

  @Test("imported totals of hours and days make no walks; imported minutes do, up to their end")
  func imported() throws {
    let place = folder.path + "/imported"
    let writer = try HistoryWriter(folder: HistoryFolder(path: place), application: "tests")
    let start = Date(timeIntervalSince1970: 1_777_976_400)
    try writer.add(Self.minutes(0..<600, from: start) { 5 + $0 % 2 })
    try writer.add(Self.minutes(0..<20, from: start + 86_400) { 80 + $0 * 7 % 40 })
    writer.close()
    let (walks, _, spread) = try WalkActivity.all(
      in: HistoryReader(folder: HistoryFolder(path: place)), from: .distantPast, to: .distantFuture, rest: 300,
      shortest: 600)
    #expect(walks.count == 1 && spread == 3300)
    #expect(walks.first?.start == start + 86_400 && walks.first?.end == start + 86_400 + 1200)
    #expect(walks.first?.parts.count == 20)
    let transcript = try Executable.built("pedometer").run(["export", "--state", place, "--format", "tcx"])
    #expect(transcript.errors.contains("left out 3300 steps of imported totals of hours or days"))
  }

  @Test("a walk that the period cuts has the steps of the history in the period, and ends with it")
  func cut() throws {
    let reader = try HistoryReader(folder: HistoryFolder(path: folder.path))
    // In whole minutes, and within a minute.
    for (from, to) in [(60.0, 345.0), (45, 285), (100, 400.5)] {
      let period = (from: Self.start + from, to: Self.start + to)
      let (walks, _, _) = try WalkActivity.all(
        in: reader, from: period.from, to: period.to, rest: 300, shortest: 60)
      let walk = try #require(walks.first)
      #expect(try reader.totals(from: period.from, to: period.to).steps == walk.steps, "\(to)")
      #expect(walk.start == period.from && walk.end == period.to && walk.parts.last?.end == period.to)
      #expect(walk.parts.allSatisfy { $0.duration > 0.4 && $0.cadence < 140 }, "\(to)")
    }
  }

  @Test("walks of the hour that occurs twice have files of their own names")
  func twice() throws {
    let place = folder.path + "/twice"
    let writer = try HistoryWriter(folder: HistoryFolder(path: place), application: "tests")
    // 2024-10-27 02:00 in Vienna, twice.
    let start = Date(timeIntervalSince1970: 1_729_987_200)
    for hour in [0.0, 3600] { try writer.add(Self.minutes(0..<20, from: start + hour) { 80 + $0 * 7 % 40 }) }
    writer.close()
    let output = folder.path + "/tcx"
    _ = try Executable.built("pedometer").run(
      ["export", "--state", place, "--time-zone", "Europe/Vienna", "--format", "tcx", "-o", output])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output).sorted() == [
        "2024-10-27T02-00-00+01-00.tcx", "2024-10-27T02-00-00+02-00.tcx",
      ])
  }
}
