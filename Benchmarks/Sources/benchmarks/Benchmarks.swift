import Glibc

/// What things cost, as ratios against C in the same run: `make bench`; and with the argument `history` what answers over
/// ten years cost.
@main
struct Benchmarks {
  static func main() throws {
    let folder = String(cString: getenv("TMPDIR") ?? strdup("/tmp"))
    // Ten years take minutes to make, so they are asked for by name.
    if CommandLine.arguments.dropFirst().first == "history" {
      exit(try HistoryReading().run(in: folder) ? 0 : 1)
    }
    let executable = CommandLine.arguments.dropFirst().first ?? ".build/release/pedometer"
    var isGood = true
    isGood = try Detection(.walking).run("walking", limit: 1.7) && isGood
    isGood = try Detection(.standing).run("standing", limit: 1) && isGood
    isGood = SensorReading.runScans("le:s16/32>>0", limit: 1.5) && isGood
    isGood = SensorReading.runScans("be:s12/16>>4", limit: 1.5) && isGood
    // A call into another module for each event, where the reader has it inlined; the C loop has all in one.
    isGood = SensorReading.runFrames(limit: 4) && isGood

    guard access(executable, X_OK) == 0 else {
      print("skipped: the command; there is no \(executable), build it with: make release")
      exit(isGood ? 0 : 1)
    }
    print("what is measured by the clock on the wall is only right on a machine that does nothing else")
    let day = folder + "/pedometer-benchmark-day.csv"
    defer { unlink(day) }
    print("a day of 100 Hz is being made …")
    let made = spawn([
      executable, "simulate", "--duration", "86400", "--bout", "900", "--pause", "1800", "--rate", "100", "-o", day,
    ])
    guard made == 0 else {
      print("the day could not be written to \(day); free some space, or name another folder in TMPDIR")
      exit(74)
    }
    let ingest = Ingest(path: day)
    isGood = ingest.runReader() && isGood
    isGood = ingest.runCommand(executable) && isGood
    unlink(day)
    for kind in DumpReading.Kind.allCases {
      guard let dump = DumpReading(kind, in: folder) else {
        print("the dump could not be written to \(folder); free some space, or name another folder in TMPDIR")
        exit(74)
      }
      defer { unlink(dump.path) }
      isGood = dump.runReader() && isGood
      if kind == .cwa { isGood = dump.runCommand(executable, seconds: 1.5) && isGood }
    }
    exit(isGood ? 0 : 1)
  }
}
