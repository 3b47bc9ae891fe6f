/// A Slurm job array that analyses a study: each task a shard.
package struct SlurmJob: Sendable, Hashable {
  /// How many tasks, and how many of them at once.
  package var shards: Int
  package var atOnce: Int?
  /// Cores a task, each with one recording at a time.
  package var cores = 1
  /// Minutes and megabytes a task may take.
  package var minutes = 240
  package var megabytes = 250
  /// The program, and the words of `pedometer study` in front of `--shard`.
  package var program: String
  package var arguments: [String]
  /// Where the tasks' own output goes.
  package var logFolder: String
  /// More lines of `#SBATCH`.
  package var options: [String] = []

  package init(shards: Int, program: String, arguments: [String], logFolder: String) {
    self.shards = shards
    self.program = program
    self.arguments = arguments
    self.logFolder = logFolder
  }

  /// The shards for so many recordings: 200 recordings a task, and 1000 tasks at most, as many clusters allow no more.
  package static func shards(for recordings: Int) -> Int { min(max(1, (recordings + 199) / 200), 1000) }

  /// The script.
  ///
  /// A task whose node is lost is queued again, and leaves the recordings alone that it has finished.
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

  /// A word as the shell reads it.
  static func quoted(_ word: String) -> String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-"
    if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
