/// A Slurm job array that analyses a study, with one shard per task.
package struct SlurmJob: Sendable, Hashable {
  /// The number of tasks, and the maximum number at once.
  package var shards: Int
  package var atOnce: Int?
  /// Cores per task; each analyses one recording at a time.
  package var cores = 1
  /// The time limit of a task in minutes.
  package var minutes = 240
  /// The memory limit of a task in megabytes: at most 60 per recording, and room for the page cache.
  package var megabytes: Int { 160 + 80 * cores }
  /// The program, and the arguments of `pedometer study` before `--shard`.
  package var program: String
  package var arguments: [String]
  /// The folder for the output of the tasks.
  package var logFolder: String
  /// Additional `#SBATCH` lines.
  package var options: [String] = []

  package init(shards: Int, program: String, arguments: [String], logFolder: String) {
    (self.shards, self.program, self.arguments) = (shards, program, arguments)
    self.logFolder = logFolder
  }

  /// The number of shards for a number of recordings: 200 recordings per task, and at most 1000 tasks, which is the
  /// limit of many clusters.
  package static func shards(for recordings: Int) -> Int { min(max(1, (recordings + 199) / 200), 1000) }

  /// The script.
  ///
  /// A task whose node fails is queued again, and skips the recordings that it has finished.
  package var script: String {
    let limit = atOnce.map { "%\($0)" } ?? ""
    var lines = [
      "#!/bin/sh", "#SBATCH --job-name=pedometer-study", "#SBATCH --array=1-\(shards)\(limit)",
      "#SBATCH --cpus-per-task=\(cores)", "#SBATCH --mem=\(megabytes)M", "#SBATCH --time=\(minutes)",
      "#SBATCH --requeue", "#SBATCH --open-mode=append", "#SBATCH --output=\(logFolder)/%a.log",
    ]
    lines += options.map { "#SBATCH \($0)" }
    let words = ([program] + arguments).map(Self.quoted).joined(separator: " ")
    lines.append("exec \(words) --shard \"$SLURM_ARRAY_TASK_ID/\(shards)\" --jobs \(cores) --keep-going")
    return lines.joined(separator: "\n") + "\n"
  }

  package static func quoted(_ word: String) -> String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-"
    if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
