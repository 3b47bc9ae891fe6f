import ArgumentParser
import Foundation
import LiveSources
import PedometerCommands
import Platform
import Studies
import Terminals

struct SubmitStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit",
    abstract: "Analyse a study as a Slurm job array",
    usage: "pedometer study submit <manifest> --output <output> [<options>]",
    discussion: """
      Writes study.sbatch into the output folder and submits it: each task of the array analyses a part of the manifest. Options \
      for 'pedometer study run' follow '--'. All paths must be the same on all nodes. Submit again for missing recordings.

      EXAMPLES
        pedometer study submit manifest.csv -o out/ --slurm
        pedometer study submit manifest.csv -o out/ -- --time-zone Europe/London
      """)

  @Argument(help: "The manifest.", completion: .file())
  var manifest: String

  @Option(name: [.customShort("o"), .long], help: "The folder of the results.", completion: .directory)
  var output: String

  @Flag(help: "Use Slurm, the only scheduler so far.")
  var slurm = false

  @Option(parsing: .unconditional, help: "Number of tasks. (default: one per 200 recordings, at most 1000)")
  var tasks: Int?

  @Option(parsing: .unconditional, help: "Maximum number of tasks that run at the same time.")
  var atOnce: Int?

  @Option(parsing: .unconditional, help: "Cores of a task, and recordings analysed in parallel.")
  var cores = 1

  @Option(parsing: .unconditional, help: "Time limit of a task, in minutes.")
  var minutes = 240

  @Option(help: ArgumentHelp("An option for sbatch, such as --partition=short; may be repeated.", valueName: "option"))
  var sbatch: [String] = []

  @Flag(help: "Write the script without submitting it.")
  var dryRun = false

  @Argument(parsing: .postTerminator, help: "Options for 'pedometer study run'.")
  var options: [String] = []

  func validate() throws {
    for (name, value) in [
      ("--tasks", tasks ?? 1), ("--at-once", atOnce ?? 1), ("--cores", cores), ("--minutes", minutes),
    ]
    where value < 1 { throw ValidationError("\(name) takes a number of at least 1") }
    _ = try RunStudy.parse(options + [manifest, "-o", output])
  }

  func run() throws {
    let study = try StudySources.manifest([manifest], output: output)
    let folder = StudySources.absolute(output)
    let tasks = min(tasks ?? Self.usualTasks(for: study.entries.count), study.entries.count)
    let command = [Self.program, "study", "run"] + options + [StudySources.absolute(manifest), "-o", folder]
    let script = folder + "/study.sbatch"
    do {
      try StudyFolder(folder).make(folder + "/log")
      try ResultFile.write(job(command, tasks: tasks, logs: folder + "/log"), to: script)
    } catch { throw ExitStatus.cannotCreate.failure("cannot create \(error)") }
    if dryRun {
      try StandardOutput.write("\(script) was written; submit it with: sbatch \(script)\n")
      return
    }
    try submit(script)
    let rest = [manifest, "-o", output]
    let again = Self.quoted(["pedometer", "study", "submit"] + rest + (options.isEmpty ? [] : ["--"] + options))
    let collate = Self.quoted(["pedometer", "study", "collate"] + rest)
    try StandardOutput.write(
      """
      \(tasks) task\(tasks == 1 ? "" : "s") for \(study.entries.count) recordings
        watch    squeue --me; tail -f \(folder)/log/1.log
        then     \(collate)
        resume   \(again)

      """)
  }

  /// 200 recordings per task, and at most 1000 tasks, which is the limit of many clusters.
  static func usualTasks(for recordings: Int) -> Int { min(max(1, (recordings + 199) / 200), 1000) }

  /// The script of a Slurm job array with one shard per task. A task whose node fails is queued again, and skips the
  /// recordings that it has finished.
  func job(_ command: [String], tasks: Int, logs: String) -> String {
    // A recording needs at most 60 MB; the rest is for the page cache.
    let memory = 160 + 80 * cores
    let lines =
      [
        "#!/bin/sh", "#SBATCH --job-name=pedometer-study", "#SBATCH --array=1-\(tasks)\(atOnce.map { "%\($0)" } ?? "")",
        "#SBATCH --cpus-per-task=\(cores)", "#SBATCH --mem=\(memory)M", "#SBATCH --time=\(minutes)",
        "#SBATCH --requeue", "#SBATCH --open-mode=append", "#SBATCH --output=\(logs)/%a.log",
      ] + sbatch.map { "#SBATCH \($0)" }
    let shard = "--shard \"$SLURM_ARRAY_TASK_ID/\(tasks)\" --jobs \(cores) --keep-going"
    return lines.joined(separator: "\n") + "\nexec \(Self.quoted(command)) \(shard)\n"
  }

  /// As a shell reads it.
  private static func quoted(_ command: [String]) -> String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-"
    return command.map { word in
      !word.isEmpty && word.allSatisfy(plain.contains) ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }

  private func submit(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sbatch", script]
    do { try process.run() } catch {
      throw ExitStatus.noSensor.failure("cannot run sbatch: \(error.localizedDescription)")
    }
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0: return
    case 127:
      throw ExitStatus.noSensor.failure(
        "sbatch is not installed here; submit \(script) on the cluster, or use GNU parallel: "
          + "seq N | parallel pedometer study \(manifest) -o \(output) --shard {}/N")
    default:
      throw ExitStatus.busy.failure("Slurm refused \(script); see its message above")
    }
  }

  /// The executable that users start, next to this one.
  private static var program: String {
    guard let own = resolvedPath("/proc/self/exe") else { return "pedometer" }
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? ""
    for candidate in ["\(folder)pedometer", "\(folder)../../bin/pedometer"] where unsafe access(candidate, X_OK) == 0 {
      return resolvedPath(candidate) ?? candidate
    }
    return own
  }
}
