import CReference
import Glibc

/// The processor time of commands, compared with that of the same command on the same samples: what compression adds, and
/// what a study adds to a count.
enum Containers {
  static func run(_ executable: String, in folder: String) -> Bool {
    let full = executable + "-full"
    guard access(executable, X_OK) == 0, access(full, X_OK) == 0 else {
      print("skipped: compressed recordings and studies; \(full) does not exist; build it with: make release")
      return true
    }
    let (csv, cwa) = (folder + "/pedometer-benchmark-day.csv", folder + "/pedometer-benchmark-week.cwa")
    let (stored, deflated) = (folder + "/pedometer-benchmark-day.gt3x", folder + "/pedometer-benchmark-packed.gt3x")
    let results = folder + "/pedometer-benchmark-study"
    let files = [csv, csv + ".gz", stored, deflated, cwa]
    defer { for file in files { unlink(file) } }
    let isWritten =
      spawn([
        executable, "simulate", "--duration", "86400", "--bout", "900", "--pause", "1800", "--rate", "100", "-o", csv,
      ])
      == 0 && spawn(["/usr/bin/env", "gzip", "--keep", "--force", csv]) == 0
      && reference_write_gt3x(stored, 86_400, 0) > 0 && reference_write_gt3x(deflated, 86_400, 1) > 0
      && reference_write_cwa(cwa, 7 * 86_400, 0) > 0
    guard isWritten else {
      print("the recordings could not be written to \(folder); free some space, or set TMPDIR to another folder")
      return false
    }
    var isGood = true
    for (name, path, plain, limit) in [
      ("gzip CSV : plain CSV", csv + ".gz", csv, 2.2), ("GT3X : the same uncompressed", deflated, stored, 1.55),
    ] {
      let comparison = Comparison(name: "pedometer count, \(name)", unit: "s", scale: { $0 }, limit: limit)
      isGood =
        comparison.run(rounds: 5) {
          processorTime([executable, "count", plain])
        } ours: {
          processorTime([executable, "count", path])
        } && isGood
    }
    // SHA-256 adds 0.4 to it on a processor without instructions for that.
    let study = Comparison(name: "pedometer study : count, on a week of CWA", unit: "s", scale: { $0 }, limit: 2)
    isGood =
      study.run(rounds: 5) {
        processorTime([executable, "count", cwa])
      } ours: {
        defer { _ = spawn(["/usr/bin/env", "rm", "-r", results]) }
        return processorTime([full, "study", "run", "--quiet", "--jobs", "1", cwa, "--output", results])
      } && isGood
    return isGood
  }

  /// The processor time of a command, that of the kernel for it included, in seconds.
  private static func processorTime(_ arguments: [String]) -> Double {
    var usage = rusage()
    precondition(spawn(arguments, usage: &usage) == 0)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
  }
}
