import Accelerometry
import Foundation
import LiveSources
import Pedometry
import Platform
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Studies

@Suite("Running a study", .timeLimit(.minutes(30)), .ownThreads)
struct StudyRunTests {
  private let folder: TemporaryDirectory
  private let manifest: StudyManifest

  /// Four walks, a file that is not a recording, and a missing file.
  init() throws {
    folder = try TemporaryDirectory()
    for number in 1...4 {
      var walk = SyntheticWalk()
      walk.duration = .seconds(30)
      walk.seed = UInt64(number)
      var reader = try walk.reader()
      var writer = try RecordingWriter(to: .file(path: folder.path + "/p\(number).csv"))
      var samples: [AccelerationSample] = []
      while reader.read(into: &samples) { try writer.write(samples) }
      try writer.finish()
    }
    try folder.write(Array("no recording\n".utf8), to: "bad.csv")
    manifest = try StudyManifest(
      parsing: "p1.csv\np2.csv\nbad.csv\np3.csv\nabsent.csv\np4.csv\n", folder: folder.path + "/")
  }

  private func run(_ entries: [StudyEntry]? = nil, to name: String = "out", version: String = "1") -> StudyRun {
    StudyRun(
      entries: entries ?? manifest.entries, folder: StudyFolder(folder.path + "/" + name),
      parameters: StudyParameters(), reading: RecordingOptions(), version: version)
  }

  private func tables(_ name: String) throws -> [String] {
    let collation = Collation(manifest, in: StudyFolder(folder.path + "/" + name))
    return [collation.table, collation.daysTable, collation.missingManifest]
  }

  @Test("every recording has a record with results or the reason of its failure")
  func records() throws {
    let outcomes = run().run { _, _, _ in }
    #expect(outcomes.count == 6)
    let collation = Collation(manifest, in: StudyFolder(folder.path + "/out"))
    #expect(collation.results.map(\.entry.id) == ["p1.csv", "p2.csv", "p3.csv", "p4.csv"])
    #expect(collation.failures.map(\.record.exitCode) == [65, 66])
    #expect(collation.missing.isEmpty)
    let steps = collation.results.compactMap { $0.record.number("steps") }
    #expect(steps.allSatisfy { (50...58).contains($0) })
    #expect(collation.doubtful.isEmpty)
    for name in ["summary.json", "minutes.csv.gz", "bouts.csv", "days.csv", "week.svg"] {
      #expect(try !TemporaryDirectory.bytes(of: folder.path + "/out/p1.csv/" + name).isEmpty)
    }
  }

  @Test("with gait, each bout, day and recording has its measures; without, the tables are as before")
  func gait() throws {
    var parameters = StudyParameters()
    parameters.measuresGait = true
    let measured = StudyRun(
      entries: manifest.entries, folder: StudyFolder(folder.path + "/gait"), parameters: parameters,
      reading: RecordingOptions(), version: "1")
    _ = measured.run { _, _, _ in }
    _ = run(to: "plain").run { _, _, _ in }
    func rows(_ path: String) throws -> [[String: String]] {
      let lines = try TemporaryDirectory.text(of: folder.path + "/" + path).split(separator: "\n").filter {
        !$0.hasPrefix("#")
      }
      let cells = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
      #expect(cells.allSatisfy { $0.count == cells[0].count }, "\(path)")
      return cells.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(cells[0], $0)) }
    }
    let bouts = try rows("gait/p1.csv/bouts.csv")
    let strides = bouts.compactMap { $0["strides"].flatMap(Int.init) }.reduce(0, +)
    let times = bouts.compactMap { $0["stride_time"].flatMap(Double.init) }
    #expect(!bouts.isEmpty && strides > 15 && times.allSatisfy { (0.9...1.3).contains($0) })
    #expect(try rows("gait/p1.csv/days.csv").compactMap { $0["strides"].flatMap(Int.init) } == [strides])
    let collation = Collation(manifest, in: StudyFolder(folder.path + "/gait"))
    #expect(collation.results[0].record.number("strides") == Double(strides))
    #expect(collation.table.contains(",strideTime,") && collation.daysTable.contains(",stride_time,"))
    #expect(StudyReport(collation, title: "Gait").html.contains("median stride variation"))
    #expect(MethodsText.paragraph(collation)?.contains("Moe-Nilssen") == true)
    #expect(try rows("plain/p1.csv/bouts.csv")[0]["strides"] == nil)
    let plain = Collation(manifest, in: StudyFolder(folder.path + "/plain"))
    #expect(!plain.table.contains("strideTime") && !plain.daysTable.contains("stride_time"))
    #expect(!StudyReport(plain, title: "Plain").html.contains("stride"))
  }

  @Test("a study doubts what a count doubts: a rate that fits no walk, less than a second")
  func doubts() throws {
    var walk = SyntheticWalk()
    walk.duration = .seconds(60)
    let rows = try walk.samples().map { "\($0.acceleration.x),\($0.acceleration.y),\($0.acceleration.z)\n" }
    try folder.write(Array(rows.joined().utf8), to: "walk.csv")
    let brief = (0..<20).map { "\(Double($0) / 50),0,0,1\n" }.joined()
    try folder.write(Array(("t,x,y,z\n" + brief).utf8), to: "brief.csv")
    func warnings(_ name: String, hertz: Double?) throws -> [String] {
      let entry = try #require(StudyManifest(parsing: name + "\n", folder: folder.path + "/").entries.first)
      var reading = RecordingOptions()
      reading.samplingFrequency = hertz.flatMap { SamplingFrequency(hertz: $0) }
      return try StudyAnalysis(
        entry: entry, parameters: StudyParameters(), reading: reading, stepLength: .walkRatio()
      ).run().warnings
    }
    #expect(try warnings("walk.csv", hertz: 50).isEmpty)
    #expect(try warnings("walk.csv", hertz: 20).contains { $0.hasSuffix("check its rate") })
    #expect(try warnings("brief.csv", hertz: nil).contains { $0.contains("span less than a second") })
  }

  @Test(
    "rows of local time continue over the hour that clocks skip",
    arguments: [("Europe/London", 19.49), ("UTC", 3619.49)])
  func clockAhead(zone: String, seconds: Double) throws {
    let rows = (0..<1000).map { number in
      let second = (number < 500 ? "00:59:5" : "02:00:0") + "\(number / 50 % 10).\(100 + number % 50 * 10)"
      return "2026-03-29 \(second),0.0\(number % 7),0.0\(number % 5),1.0\(number % 3)\n"
    }
    try folder.write(Array(("time,x,y,z\n" + rows.joined()).utf8), to: "night.csv")
    var entry = try #require(StudyManifest(parsing: "night.csv\n", folder: folder.path + "/").entries.first)
    entry.zones = ZonePlan(zone)
    let result = try StudyAnalysis(
      entry: entry, parameters: StudyParameters(), reading: RecordingOptions(), stepLength: .walkRatio()
    ).run()
    #expect(abs(result.duration - seconds) < 0.1, "\(result.duration)")
  }

  @Test("shards, run in any order, give the tables of one run, byte for byte")
  func shards() throws {
    _ = run(to: "whole").run { _, _, _ in }
    for index in [3, 1, 2] { _ = run(manifest.shard(index, of: 3), to: "parts").run { _, _, _ in } }
    #expect(try tables("parts") == tables("whole"))
  }

  @Test("finished recordings are skipped; a new version, changed bytes or lost results cause a new analysis")
  func resume() throws {
    _ = run().run { _, _, _ in }
    // A recording that was missing is tried again.
    #expect(run().run { _, _, _ in }.map { $0 == .kept } == [true, true, true, true, false, true])
    var walk = SyntheticWalk()
    walk.duration = .seconds(20)
    var reader = try walk.reader()
    var writer = try RecordingWriter(to: .file(path: folder.path + "/p2.csv"))
    var samples: [AccelerationSample] = []
    while reader.read(into: &samples) { try writer.write(samples) }
    try writer.finish()
    try folder.write([], to: "out/p3.csv/summary.json")
    let outcomes = run().run { _, _, _ in }
    #expect(outcomes.map { $0 == .kept } == [true, false, true, false, false, true])
    #expect(!run(version: "2").run { _, _, _ in }.contains(.kept))
  }

  @Test("a recording with only a new modification time is not analysed again")
  func touched() throws {
    _ = run([manifest.entries[0]]).run { _, _, _ in }
    try folder.write(try TemporaryDirectory.bytes(of: folder.path + "/p1.csv"), to: "p1.csv")
    #expect(run([manifest.entries[0]]).run { _, _, _ in } == [.kept])
  }

  @Test("after a temporary error there are four attempts; then the recording is missing, not failed")
  func temporaryFault() throws {
    // A file that can be opened but not read.
    let entry = StudyEntry(id: "memory", path: "/proc/self/mem")
    var study = run([entry])
    let waits = Mutex<[Double]>([])
    let noted = Waits(waits)
    study.wait = { noted.add($0) }
    let outcomes = study.run { _, _, _ in }
    guard case .failed(.busy, _) = outcomes[0] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(noted.all == [1, 2, 4, 8])
    let collation = Collation(try StudyManifest([entry]), in: study.folder)
    #expect(collation.missing == [entry] && collation.failures.isEmpty)
  }

  /// The waits of a study.
  private final class Waits: Sendable {
    private let values: Mutex<[Double]>
    init(_ values: consuming Mutex<[Double]>) { self.values = values }
    func add(_ value: Double) { values.withLock { $0.append(value) } }
    var all: [Double] { values.withLock { $0 } }
  }

  @Test("a path other than a file's is missing at once: reading a pipe or a device might never end")
  func noFiles() throws {
    let entries = [folder.path, "/dev/zero", folder.path + "/p1.csv/x"].map { StudyEntry(id: $0, path: $0) }
    let study = run(entries)
    let codes = study.run { _, _, _ in }.map { outcome -> LiveSources.ExitStatus? in
      if case .failed(let fault, _) = outcome { return fault }
      return nil
    }
    #expect(codes == [.noInput, .noInput, .noInput])
  }

  @Test("the SHA-256 computed during the analysis is that of the file, also for a file that cannot be counted")
  func digest() throws {
    // NIST's example: FIPS 180-4, "abc".
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    try folder.write(Array("abc".utf8), to: "abc.csv")
    let entries = ["abc.csv", "p1.csv"].map { StudyEntry(id: $0, path: folder.path + "/" + $0) }
    _ = run(entries).run { _, _, _ in }
    let collation = Collation(try StudyManifest(entries), in: StudyFolder(folder.path + "/out"))
    #expect(collation.failures.map(\.record.source.sha256) == [abc])
    #expect(try collation.results.map(\.record.source.sha256) == [Digest.sha256(ofFile: folder.path + "/p1.csv")])
    // In pieces, as a reader proceeds.
    let bytes = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = try folder.write(bytes, to: "bytes")
    let digest = try Digest(ofFile: path, size: bytes.count)
    for fraction in [0, 0.1, 0.5, nil, 0.4, 0.9, 1] { digest.follow(fraction) }
    #expect(try digest.finish() == Digest.sha256(ofFile: path))
  }

  @Test("results do not depend on the current folder, and missing recordings are found from any folder")
  func otherFolder() throws {
    _ = run().run { _, _, _ in }
    let moved = try StudyManifest(
      parsing: "p1.csv\np2.csv\nbad.csv\np3.csv\nabsent.csv\np4.csv\n", folder: folder.path + "/./")
    let outcomes = run(moved.entries).run { _, _, _ in }
    #expect(outcomes.map { $0 == .kept } == [true, true, true, true, false, true])
    #expect(outcomes[4] == .failed(.noInput, message: "absent.csv: No such file or directory"))
    let there = StudyFolder(folder.path + "/out")
    #expect(Collation(moved, in: there).table == Collation(manifest, in: there).table)
    let rest = Collation(try StudyManifest([StudyEntry(id: "a", path: "sub/a.csv")]), in: there).missingManifest
    #expect(rest.split(separator: "\n").last?.hasPrefix("a,/") == true)
  }

  @Test("another file of the same size and time under another name is analysed")
  func otherName() throws {
    var entry = StudyEntry(id: "p", path: folder.path + "/p1.csv")
    _ = run([entry]).run { _, _, _ in }
    let record = try TemporaryDirectory.text(of: folder.path + "/out/p/summary.json")
    let bytes = try TemporaryDirectory.bytes(of: folder.path + "/p1.csv")
    // The last digit of the last row differs.
    try folder.write(bytes.dropLast(2) + [bytes[bytes.count - 2] ^ 1, 10], to: "p5.csv")
    let source = try #require(StudyRecord(folder: folder.path + "/out/p")?.source)
    entry.path = folder.path + "/p5.csv"
    entry.name = entry.path
    var status = Provenance(entry, version: "1", parameters: StudyParameters())
    try status.examine(entry.path)
    status.modified = source.modified
    #expect(status.size == source.size)
    #expect(!status.isSame(as: source, path: entry.path))
    #expect(record.contains("\"path\""))
  }

  @Test("a result of a different file, zone or height than the manifest has now counts as missing")
  func corrected() throws {
    let before = "id,path,timezone,height\na,p1.csv,Europe/London,1.7\n"
    _ = run(try StudyManifest(parsing: before, folder: folder.path + "/").entries).run { _, _, _ in }
    func missing(_ text: String) throws -> Int {
      let manifest = try StudyManifest(parsing: text, folder: folder.path + "/")
      return Collation(manifest, in: StudyFolder(folder.path + "/out")).missing.count
    }
    #expect(try missing(before) == 0)
    #expect(try missing("id,path,timezone,height\na,p2.csv,Europe/London,1.7\n") == 1)
    #expect(try missing("id,path,timezone,height\na,p1.csv,Europe/Berlin,1.7\n") == 1)
    #expect(try missing("id,path,timezone,height\na,p1.csv,Europe/London,1.75\n") == 1)
    // What the manifest does not have may have been an option; the same file may be named otherwise.
    #expect(try missing("id,path\na,p1.csv\n") == 0)
    _ = run([StudyEntry(id: "b", path: folder.path + "/p1.csv")]).run { _, _, _ in }
    #expect(try missing("id,path\nb,p1.csv\n") == 0)
  }

  @Test("the methods text of a folder of results needs no manifest")
  func methodsOfFolder() throws {
    _ = run().run { _, _, _ in }
    let collation = Collation(allIn: StudyFolder(folder.path + "/out"))
    #expect(collation.records.count == 6)
    let text = try #require(MethodsText.paragraph(collation))
    #expect(text.contains("4 of 6 recordings were analysed; 2 could not be read"))
    #expect(MethodsText.paragraph(Collation(allIn: StudyFolder(folder.path + "/nothing"))) == nil)
    // A damaged record is a participant without a result, not none.
    let damaged = try #require(collation.results.first).entry.id
    try folder.write(Array("{".utf8), to: "out/\(OutputName.of(damaged))/summary.json")
    let now = Collation(allIn: StudyFolder(folder.path + "/out"))
    #expect(now.records.count == 6 && now.missing.count == collation.missing.count + 1)
  }

  @Test("minutes have the cadence of the walk, even if it fills only a part of them")
  func cadence() throws {
    _ = run([manifest.entries[0]]).run { _, _, _ in }
    let minutes = try Executable(path: "/bin/gzip").run(["-dc", folder.path + "/out/p1.csv/minutes.csv.gz"]).output
    let rows = minutes.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(rows.first == "time,steps,cadence,wear,enmo_mg")
    // Half a minute at 110 steps/min.
    let cells = rows[1].split(separator: ",", omittingEmptySubsequences: false)
    let (steps, cadence) = (try #require(Double(cells[1])), try #require(Double(cells[2])))
    #expect((50...58).contains(steps) && (105...115).contains(cadence))
  }

  @Test("a draft left by a killed run is not used as a result, and is removed")
  func drafts() throws {
    _ = run([manifest.entries[0]]).run { _, _, _ in }
    let text = try TemporaryDirectory.text(of: folder.path + "/out/p1.csv/summary.json")
    _ = run([manifest.entries[1]]).run { _, _, _ in }
    try folder.write(Array(text.utf8.prefix(80)), to: "out/p2.csv/summary.json")
    #expect(Collation(manifest, in: StudyFolder(folder.path + "/out")).missing.map(\.id).contains("p2.csv"))
    try folder.write([1], to: "out/p2.csv/.minutes.csv.gz.1abc.part")
    _ = run([manifest.entries[1]]).run { _, _, _ in }
    #expect(TemporaryDirectory.names(in: folder.path + "/out/p2.csv").allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test("the report and the methods text describe the analysis, and escape file names")
  func report() throws {
    var entries = [manifest.entries[0]]
    entries[0].id = "<b>&p1"
    _ = run(entries).run { _, _, _ in }
    let collation = Collation(try StudyManifest(entries), in: StudyFolder(folder.path + "/out"))
    _ = collation
    let html = StudyReport(collation, title: "A & B").html
    #expect(html.contains("A &amp; B"))
    #expect(!html.contains("<b>&p1"))
    #expect(!html.contains("http"))
    let methods = try #require(MethodsText.paragraph(collation))
    #expect(methods.contains("Pedometer for Linux 1") && methods.contains("at least 10 h"))
  }

  @Test("the report shows the steps and duration of a short recording, and links its files where it can")
  func rows() throws {
    let entries = [manifest.entries[0]]
    _ = run(entries).run { _, _, _ in }
    let report = StudyReport(
      Collation(try StudyManifest(entries), in: StudyFolder(folder.path + "/out")), title: "Study")
    func page(_ name: String) throws -> String {
      try report.write(to: folder.path + "/" + name)
      return try TemporaryDirectory.text(of: folder.path + "/" + name)
    }
    #expect(try page("out/report.html").contains(#"<a href="p1.csv/week.svg">week.svg</a>"#))
    #expect(try page("out/report.html").contains(#"<a href="participants.csv">participants.csv</a>"#))
    #expect(try page("report.html").contains(#"<a href="out/p1.csv/week.svg">week.svg</a>"#))
    #expect(!report.html.contains("<a href"))
    let steps = try #require(StudyFolder(folder.path + "/out").record(of: entries[0])?.number("steps"))
    #expect(report.html.contains("<dt>steps</dt><dd>\(Int(steps))</dd>"))
    #expect(report.html.contains("<dt>recorded</dt>"))
  }

  @Test("the report lists each failure with its remedy, and collapses long lists of warnings")
  func problems() throws {
    _ = run().run { _, _, _ in }
    let html = StudyReport(Collation(manifest, in: StudyFolder(folder.path + "/out")), title: "Study").html
    #expect(html.contains("Correct the path in the manifest"))
    #expect(html.contains("Export or copy the recording again"))
    // The path is in the first column and not in the reason.
    #expect(!html.contains("\(folder.path)/absent.csv"))
    #expect(!html.contains("<details>") && !html.contains("<script"))
    let (quality, people) = (
      try #require(html.range(of: "<h2>Quality")), try #require(html.range(of: "<h2>Participants"))
    )
    #expect(quality.lowerBound < people.lowerBound)
  }

  @Test("without a day of enough wear the report has steps, duration, walking and cadence, and no empty section")
  func shortRecordings() throws {
    let entries = [manifest.entries[0]]
    _ = run(entries).run { _, _, _ in }
    let html = StudyReport(
      Collation(try StudyManifest(entries), in: StudyFolder(folder.path + "/out")), title: "Study"
    ).html
    let record = try #require(StudyFolder(folder.path + "/out").record(of: entries[0]))
    let (steps, minutes) = (try #require(record.number("steps")), try #require(record.number("walkingMinutes")))
    #expect(html.contains("<dt>steps in all</dt><dd>\(Int(steps))</dd>"))
    #expect(html.contains("<span>\(Int((steps / minutes).rounded())) steps a minute</span>"))
    for absent in ["Steps per day", "Wear per day", "<dt>valid days", "Failures", "Warnings", "Steps by day", "None."] {
      #expect(!html.contains(absent), "\(absent)")
    }
  }

  @Test("the report has each day with its weekday, wear, ENMO and cadences, and the works that its methods cite")
  func days() throws {
    var study = run([manifest.entries[0]])
    study.parameters.validDay = 0
    _ = study.run { _, _, _ in }
    let days = "day,start,hours,wear_hours,valid,steps,peak1_cadence,peak30_cadence,minutes_brisk,enmo_mg,weekday\n"
    let rows = "2026-05-06,,24,22.5,1,12345,121,98.5,61,31.4,Wednesday\n2026-05-07,,24,3,0,200,80,5,0,9,Thursday\n"
    try folder.write(Array(("# comment\n" + days + rows).utf8), to: "out/p1.csv/days.csv")
    let collation = Collation(try StudyManifest([manifest.entries[0]]), in: StudyFolder(folder.path + "/out"))
    let html = StudyReport(collation, title: "Study").html
    let cells = ["12,345", "22.5", "31.4", "121.0", "98.5"].map { "<td>\($0)</td>" }.joined()
    #expect(html.contains("<tr><th scope=\"row\">Wed 2026-05-06</th>\(cells)</tr>"))
    #expect(
      html.contains("Thu 2026-05-07, not valid") && html.contains("<td>61</td>") && html.contains("Findings: none."))
    #expect(html.contains("van Hees V. T. et al. Separating movement") && !html.contains("Woody"))
    // A table of an earlier version, with fewer columns, keeps its figures in their columns.
    let lines = collation.daysTable.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let place = try #require(lines[0].firstIndex(of: "weekday"))
    #expect(lines[1][place] == "Wednesday" && lines.allSatisfy { $0.count == lines[0].count })
  }

  @Test("a histogram begins where the values do, and its median hides no bar")
  func histogram() throws {
    let figure = Histogram([29_040, 30_454, 30_569], axis: "steps", least: 100, decimals: 0).figure
    #expect(figure.contains(">29,000<") && !figure.contains(">0</text><text") && !figure.contains(">5,000<"))
    #expect(figure.contains("median 30,454, all from 29,040 to 30,569.") && !figure.contains("middle half"))
    let bars = figure.matches(of: /class="bar"[^>]*? y="([0-9.]+)"/).compactMap { Double($0.1) }
    let end = try #require(figure.firstMatch(of: /class="median"[^>]*? y2="([0-9.]+)"/).flatMap { Double($0.1) })
    #expect(!bars.isEmpty && bars.allSatisfy { $0 > end })
    // Equal values are one bar, not the whole chart.
    let equal = Histogram([24, 24, 24], axis: "hours", least: 1, decimals: 1).figure
    #expect(
      equal.components(separatedBy: "class=\"bar\"").count == 2 && equal.contains(">18<") && equal.contains("16.67%"))
  }

  @Test("the citation names the current version")
  func citation() throws {
    let text = try TemporaryDirectory.text(of: Repository.path("CITATION.cff"))
    #expect(text.contains("\nversion: \(Version.current)\n"))
  }

  @Test("the accuracy in the methods is that of the README, for people excluded from the fit")
  func accuracy() throws {
    let rows = try TemporaryDirectory.text(of: Repository.path("README.md")).split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let heading = try #require(rows.first { $0.contains("without the person") })
    let column = try #require(heading.firstIndex(of: "without the person"))
    func figure(_ name: String) throws -> String {
      try #require(rows.first { $0.first?.hasPrefix(name) == true })[column]
    }
    let (error, falseSteps) = (try figure("mean error of walks"), try figure("false steps an hour"))
    #expect(MethodsText.accuracy.contains("over five data sets was \(error), with \(falseSteps) false steps an hour"))
  }
}
