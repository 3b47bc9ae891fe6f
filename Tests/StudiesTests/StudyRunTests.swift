import Accelerometry
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Studies

@Suite("Running a study", .timeLimit(.minutes(10)))
struct StudyRunTests {
  private let folder: TemporaryDirectory
  private let manifest: StudyManifest

  /// Four walks, one file that holds no recording, and one that is not there.
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

  @Test("every recording has a record: results, or the reason why there are none")
  func records() throws {
    let outcomes = run().run { _, _, _ in }
    #expect(outcomes.count == 6)
    let collation = Collation(manifest, in: StudyFolder(folder.path + "/out"))
    #expect(collation.results.map(\.entry.id) == ["p1.csv", "p2.csv", "p3.csv", "p4.csv"])
    #expect(collation.failures.map(\.record.exitCode) == [65, 66])
    #expect(collation.missing.isEmpty)
    let steps = collation.results.compactMap { $0.record.number("steps") }
    #expect(steps.allSatisfy { (50...58).contains($0) })
    for name in ["summary.json", "minutes.csv.gz", "bouts.csv", "days.csv", "week.svg"] {
      #expect(try !TemporaryDirectory.bytes(of: folder.path + "/out/p1.csv/" + name).isEmpty)
    }
  }

  @Test("shards, run in any order, give the tables of one run, byte for byte")
  func shards() throws {
    _ = run(to: "whole").run { _, _, _ in }
    for index in [3, 1, 2] { _ = run(manifest.shard(index, of: 3), to: "parts").run { _, _, _ in } }
    #expect(try tables("parts") == tables("whole"))
  }

  @Test("what is done is left alone; another version, other bytes or lost results are made anew")
  func resume() throws {
    _ = run().run { _, _, _ in }
    // A recording that was not there is looked for again.
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

  @Test("a recording that was only touched is not analysed again")
  func touched() throws {
    _ = run([manifest.entries[0]]).run { _, _, _ in }
    try folder.write(try TemporaryDirectory.bytes(of: folder.path + "/p1.csv"), to: "p1.csv")
    #expect(run([manifest.entries[0]]).run { _, _, _ in } == [.kept])
  }

  @Test("a fault that may pass is tried four times with growing pauses, and is missing, not failed")
  func temporaryFault() throws {
    // A file that can be opened and cannot be read.
    let entry = StudyEntry(id: "memory", path: "/proc/self/mem")
    var study = run([entry])
    let waits = Mutex<[Double]>([])
    let noted = Waits(waits)
    study.wait = { noted.add($0) }
    let outcomes = study.run { _, _, _ in }
    guard case .failed(.temporary, _) = outcomes[0] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(noted.all == [1, 2, 4, 8])
    let collation = Collation(try StudyManifest([entry]), in: study.folder)
    #expect(collation.missing == [entry] && collation.failures.isEmpty)
  }

  /// What a study waited for.
  private final class Waits: Sendable {
    private let values: Mutex<[Double]>
    init(_ values: consuming Mutex<[Double]>) { self.values = values }
    func add(_ value: Double) { values.withLock { $0.append(value) } }
    var all: [Double] { values.withLock { $0 } }
  }

  @Test("a draft that a killed run has left behind is not taken for a result")
  func drafts() throws {
    _ = run([manifest.entries[0]]).run { _, _, _ in }
    let text = try TemporaryDirectory.text(of: folder.path + "/out/p1.csv/summary.json")
    _ = run([manifest.entries[1]]).run { _, _, _ in }
    try folder.write(Array(text.utf8.prefix(80)), to: "out/p2.csv/summary.json")
    #expect(Collation(manifest, in: StudyFolder(folder.path + "/out")).missing.map(\.id).contains("p2.csv"))
  }

  @Test("the report and the methods name what was done, and escape what files are called")
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

  @Test("a Slurm script quotes what a shell would split, and gives each task its shard")
  func slurm() {
    var job = SlurmJob(
      shards: 20, program: "/opt/my tools/pedometer", arguments: ["study", "run", "it's.txt"], logFolder: "/out/log")
    job.atOnce = 5
    #expect(job.script.contains("#SBATCH --array=1-20%5\n"))
    #expect(
      job.script.hasSuffix(
        "exec '/opt/my tools/pedometer' study run 'it'\\''s.txt' --shard \"$SLURM_ARRAY_TASK_ID/20\" --jobs 1 --keep-going\n"
      ))
    #expect(
      SlurmJob.shards(for: 1) == 1 && SlurmJob.shards(for: 100_000) == 500 && SlurmJob.shards(for: 1_000_000) == 1000)
  }
}
