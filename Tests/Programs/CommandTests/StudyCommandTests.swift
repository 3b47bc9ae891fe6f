import LiveSources
import TestSupport
import Testing

@testable import PedometerCommands
@testable import Studies
@testable import pedometer_full

/// `pedometer study`, as transcripts of the real executable.
@Suite("pedometer study", .timeLimit(.minutes(30)), .ownThreads)
struct StudyCommandTests {
  private let folder: TemporaryDirectory
  private var manifest: String { folder.path + "/manifest.txt" }
  private var out: String { folder.path + "/out" }

  /// Three walks, a file that is no recording, and one that does not exist.
  init() throws {
    folder = try TemporaryDirectory()
    let pedometer = try Executable.built("pedometer")
    for number in 1...3 {
      let path = "\(folder.path)/p\(number).csv"
      let made = try pedometer.run(["simulate", "--seed", "\(number)", "--duration", "40", "--rate", "25", "-o", path])
      try #require(made.ending == .exit(0))
    }
    try folder.write(Array("nothing\n".utf8), to: "bad.txt.csv")
    try folder.write(Array("p1.csv\np2.csv\nbad.txt.csv\np3.csv\nabsent.csv\n".utf8), to: "manifest.txt")
  }

  private func study(_ arguments: String..., environment: [String: String] = [:]) throws -> Transcript {
    try Executable.built("pedometer").run(["study"] + arguments, environment: environment)
  }

  @Test("the exit code is that of the gravest failure; with --keep-going, failures of recordings are recorded only")
  func exitCodes() throws {
    let plain = try study(manifest, "-o", out)
    #expect(plain.ending == .exit(66))
    #expect(plain.errorLines.last == "3 analysed, 0 kept from an earlier run, 2 failed")
    #expect(plain.errors.contains("bad.txt.csv") && plain.errors.contains("(65)") && plain.errors.contains("(66)"))
    let again = try study(manifest, "-o", out, "--keep-going")
    #expect(again.ending == .exit(0))
    #expect(again.errorLines.last == "0 analysed, 4 kept from an earlier run, 1 failed")
  }

  @Test("a manifest is recognised by its content, whatever its name")
  func nameOfManifest() throws {
    try folder.write(Array("p1.csv\np2.csv\n".utf8), to: "participants")
    let read = try study(folder.path + "/participants", "-o", out)
    #expect(read.ending == .exit(0) && read.errorLines.last == "2 analysed, 0 kept from an earlier run, 0 failed")
    try folder.write(Array("Trial 1.2\nt,x,y,z\n0,0,0,1\n".utf8), to: "recording.log")
    let recording = try study(folder.path + "/recording.log", "-o", out)
    #expect(recording.errorLines.last == "1 analysed, 0 kept from an earlier run, 0 failed", "\(recording.errors)")
  }

  @Test("a manifest that a spreadsheet has saved is no recording", arguments: [",", ";", "\t"])
  func spreadsheet(delimiter: String) throws {
    let rows = [["path", "id"], ["p1.csv", "a"], ["p2.csv", "b"]]
    let text = "\u{FEFF}" + rows.map { $0.joined(separator: delimiter) + "\r\n" }.joined()
    try folder.write(Array(text.utf8), to: "people.csv")
    let read = try study(folder.path + "/people.csv", "-o", out)
    #expect(read.errorLines.last == "2 analysed, 0 kept from an earlier run, 0 failed", "\(read.errors)")
  }

  @Test("what is neither a manifest nor a recording is not called a manifest")
  func absent() throws {
    let absent = try study(folder.path + "/nosuch.csv", "-o", out)
    #expect(absent.ending == .exit(66) && absent.errors.hasPrefix("pedometer: cannot read \(folder.path)/nosuch.csv; "))
    #expect(absent.errors.contains("check the name of the manifest or recording"))
  }

  @Test("recordings whose names are not UTF-8 are analysed, in a folder and in a manifest")
  func otherNames() throws {
    let renamed = try Executable(path: "/bin/sh").inFolder(folder.path).run([
      "-c", "mkdir more && mv p1.csv more/\"$(printf 'p\\3511.csv')\" && printf 'more/p\\3511.csv\\np2.csv\\n' >people",
    ])
    try #require(renamed.ending == .exit(0), "\(renamed.errors)")
    let whole = try study(folder.path + "/more", "-o", out)
    #expect(whole.errorLines.last == "1 analysed, 0 kept from an earlier run, 0 failed", "\(whole.errors)")
    let listed = try study(folder.path + "/people", "-o", out)
    #expect(listed.errorLines.last == "2 analysed, 0 kept from an earlier run, 0 failed", "\(listed.errors)")
  }

  @Test("two names that are not UTF-8 and look the same are to be changed, for a study and for count")
  func sameNames() throws {
    let copied = try Executable(path: "/bin/sh").inFolder(folder.path).run([
      "-c",
      "mkdir more && cp p1.csv more/\"$(printf 'M\\374ller.csv')\" && cp p2.csv more/\"$(printf 'M\\366ller.csv')\"",
    ])
    try #require(copied.ending == .exit(0), "\(copied.errors)")
    let whole = try study(folder.path + "/more", "-o", out)
    #expect(whole.ending == .exit(65) && whole.errors.contains("rename the files"), "\(whole.errors)")
    let one = try Executable.built("pedometer").run(["count", folder.path + "/more/M\u{FFFD}ller.csv"])
    #expect(one.ending == .exit(66) && one.errors.contains("or rename the file in UTF-8"), "\(one.errors)")
  }

  @Test("a Slurm script quotes arguments for the shell, and gives each task its shard")
  func slurm() throws {
    let command = try SubmitStudy.parse(["it's.txt", "-o", "out", "--at-once", "5", "--sbatch=--partition=short"])
    let script = command.job(["/opt/my tools/pedometer", "study", "run", "it's.txt"], tasks: 20, logs: "/out/log")
    #expect(script.contains("#SBATCH --array=1-20%5\n") && script.contains("#SBATCH --partition=short\n"))
    #expect(
      script.hasSuffix(
        "exec '/opt/my tools/pedometer' study run 'it'\\''s.txt' --shard \"$SLURM_ARRAY_TASK_ID/20\" --jobs 1 --keep-going\n"
      ))
    #expect([1, 100_000, 1_000_000].map(SubmitStudy.usualTasks) == [1, 500, 1000])
  }

  @Test("temporary errors outrank all others, then results that cannot be written")
  func severity() {
    let faults: [LiveSources.ExitStatus] = [.badData, .noInput, .permission, .cannotCreate, .busy]
    for count in 1...faults.count {
      let outcomes = faults.prefix(count).map { StudyRun.Outcome.failed($0, message: "") }
      #expect(RunStudy.fault(outcomes, keepGoing: false) == faults[count - 1])
      #expect(RunStudy.fault(outcomes, keepGoing: true) == (count < 4 ? nil : faults[count - 1]))
    }
    #expect(RunStudy.fault([.done(steps: 1), .kept], keepGoing: false) == nil)
  }

  @Test("shards, then one table; what is missing is a manifest that can be analysed from anywhere")
  func shards() throws {
    #expect(try study(manifest, "-o", out, "--shard", "1/2", "--keep-going").ending == .exit(0))
    let early = try study("collate", manifest, "-o", out)
    #expect(early.ending == .exit(75))
    #expect(early.output == "2 of 5 recordings have results; 0 failed, 2 missing\n" || early.output.contains("missing"))
    #expect(try study(out + "/missing.csv", "-o", out, "--keep-going").ending == .exit(0))
    let whole = try study("collate", manifest, "-o", out, "--report", out + "/report.html", "--title", "Walks")
    #expect(whole.ending == .exit(0))
    #expect(whole.output == "3 of 5 recordings have results; 2 failed, 0 missing\n")
    #expect(try TemporaryDirectory.text(of: out + "/report.html").contains("<h1>Walks</h1>"))
    let rows = try TemporaryDirectory.text(of: out + "/participants.csv").split(separator: "\n")
    #expect(
      rows.dropFirst().map { $0.split(separator: ",")[0] } == [
        "p1.csv", "p2.csv", "bad.txt.csv", "p3.csv", "absent.csv",
      ])
    #expect(try study("methods", out).output.contains("3 of 5 recordings were analysed; 2 could not be read"))
    #expect(try study("methods", folder.path).ending == .exit(65))
  }

  @Test("two entries with one name are refused before anything is written")
  func collision() throws {
    try folder.write(Array("id,path\na,p1.csv\na,p2.csv\n".utf8), to: "twice.csv")
    let transcript = try study(folder.path + "/twice.csv", "-o", out)
    #expect(transcript.ending == .exit(65) && transcript.errors.contains("first in line 2"))
    #expect(!folder.contents.contains("out"))
  }

  @Test("columns of a manifest that are not used are named once; -q omits that")
  func unusedColumns() throws {
    try folder.write(Array("path,age,sex\np1.csv,40,f\n".utf8), to: "people.csv")
    let all = try study(folder.path + "/people.csv", "-o", out)
    #expect(all.ending == .exit(0))
    #expect(all.errorLines.first == "pedometer: \(folder.path)/people.csv: columns 'age', 'sex' are not used")
    #expect(try !study(folder.path + "/people.csv", "-o", out, "-q").errors.contains("'age'"))
  }

  @Test("a CSV recording alone is a source, too")
  func sources() throws {
    let one = try study(folder.path + "/p1.csv", "-o", out + "1")
    #expect(one.errorLines.last == "1 analysed, 0 kept from an earlier run, 0 failed")
    #expect(try study(folder.path + "/q*.csv", "-o", out + "2").ending == .exit(66))
  }

  @Test(
    "a folder's recordings have any ending of a recording; the number of other files is told, and the first of them")
  func endings() throws {
    let walk = Array(try TemporaryDirectory.text(of: folder.path + "/p1.csv").utf8)
    let others = try TemporaryDirectory()
    for name in ["p1.csv", "p2.tsv", "p3.txt", "p4.tab", "p5.csv"] { try others.write(walk, to: name) }
    var tar = TarWriter()
    tar.add("p6.csv", walk)
    try others.write(tar.bytes, to: "p6.tar")
    let whole = try study(others.path, "-o", out)
    #expect(whole.errors == "6 analysed, 0 kept from an earlier run, 0 failed\n")
    for name in ["slurm-12.log", "README", ".hidden.md"] { try others.write([0x20], to: name) }
    let more = try study(others.path, "-o", out)
    #expect(more.ending == .exit(0) && more.errorLines.last == "0 analysed, 6 kept from an earlier run, 0 failed")
    #expect(
      more.errors.contains("2 files were left out, first README: their names do not end like those of recordings"))
  }

  @Test("the results in a folder of recordings are no recordings")
  func resultsWithin() throws {
    // The manifest is text, and no recording.
    let first = try study(folder.path, "-o", out, "--keep-going")
    #expect(first.errorLines.last == "3 analysed, 0 kept from an earlier run, 2 failed")
    #expect(try study("collate", folder.path, "-o", out).output.hasPrefix("3 of 5 recordings"))
    let again = try study(folder.path + "/.", "-o", folder.path + "/./out/", "--keep-going")
    #expect(again.errorLines.last?.hasSuffix("2 failed") == true)
  }

  @Test(
    "wrong options are usage errors",
    arguments: [
      ["--shard", "3/2"], ["--jobs", "0"], ["--day-start", "25:00"], ["--valid-day", "25"],
      ["--time-zone", "CEST"],
    ])
  func usage(_ options: [String]) throws {
    let transcript = try Executable.built("pedometer").run(["study", manifest, "-o", out] + options)
    #expect(transcript.ending == .exit(64))
    #expect(!folder.contents.contains("out"))
  }

  @Test("a job array is handed to sbatch, with the options of the study, and the way to go on is shown")
  func submission() throws {
    let sbatch = try folder.write(Array("#!/bin/sh\ncat \"$1\" >\"$SEEN\"\n".utf8), to: "sbatch")
    _ = try Executable(path: "/bin/chmod").run(["755", sbatch])
    let environment = ["PATH": folder.path + ":/usr/bin:/bin", "SEEN": folder.path + "/seen"]
    let transcript = try study(
      "submit", manifest, "-o", out, "--slurm", "--tasks", "9", "--cores", "2", "--", "--valid-day", "8",
      environment: environment)
    #expect(transcript.ending == .exit(0), "\(transcript)")
    #expect(transcript.output.contains("5 tasks for 5 recordings"))
    #expect(transcript.output.contains("pedometer study submit \(manifest) -o \(out) -- --valid-day 8\n"))
    let script = try TemporaryDirectory.text(of: folder.path + "/seen")
    #expect(script.contains("#SBATCH --array=1-5\n") && script.contains("#SBATCH --mem=320M\n"))
    #expect(script.contains("study run --valid-day 8 \(manifest) -o \(out) --shard \"$SLURM_ARRAY_TASK_ID/5\""))
  }

  @Test("without sbatch, or when Slurm refuses the job, the command says what to do")
  func noSlurm() throws {
    let without = try study("submit", manifest, "-o", out, environment: ["PATH": folder.path])
    #expect(without.ending == .exit(69))
    let sbatch = try folder.write(Array("#!/bin/sh\nexit 1\n".utf8), to: "sbatch")
    _ = try Executable(path: "/bin/chmod").run(["755", sbatch])
    let refused = try study("submit", manifest, "-o", out, environment: ["PATH": folder.path + ":/usr/bin:/bin"])
    #expect(refused.ending == .exit(75))
    let dry = try study("submit", manifest, "-o", out, "--dry-run", environment: ["PATH": folder.path])
    #expect(dry.ending == .exit(0) && dry.output.contains("study.sbatch"))
  }
}
