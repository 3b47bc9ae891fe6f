import Glibc
import Recordings

/// `make bench`: costs as ratios to C in the same run. With the argument `history`: the cost of queries over ten years;
/// with `dumps`: reading dumps only; with `packed`: compressed recordings and studies only.
@main
struct Benchmarks {
  static func main() throws {
    let folder = String(cString: getenv("TMPDIR") ?? strdup("/tmp"))
    // Creating ten years takes minutes, so it is a separate argument.
    if CommandLine.arguments.dropFirst().first == "history" {
      exit(try HistoryReading().run(in: folder) ? 0 : 1)
    }
    let executable = ".build/release/pedometer"
    if CommandLine.arguments.dropFirst().first == "packed" { exit(Containers.run(executable, in: folder) ? 0 : 1) }
    if CommandLine.arguments.dropFirst().first == "dumps" { exit(runDumps(executable, in: folder) ? 0 : 1) }
    try runAll(CommandLine.arguments.dropFirst().first ?? executable, in: folder)
  }

  private static func runAll(_ executable: String, in folder: String) throws {
    var isGood = true
    isGood = try Detection(.walking).run("walking", limit: 1.9) && isGood
    isGood = try Detection(.standing).run("standing", limit: 1) && isGood
    isGood = SensorReading.runScans("le:s16/32>>0", limit: 1.5) && isGood
    isGood = SensorReading.runScans("be:s12/16>>4", limit: 1.5) && isGood
    // One call into another module per event, which is inlined in the reader; the C loop needs none.
    isGood = SensorReading.runFrames(limit: 4) && isGood

    guard access(executable, X_OK) == 0 else {
      print("skipped: the command; \(executable) does not exist; build it with: make release")
      exit(isGood ? 0 : 1)
    }
    print("wall-clock measurements are only valid on an idle machine")
    let day = folder + "/pedometer-benchmark-day.csv"
    defer { unlink(day) }
    print("generating a day of 100 Hz …")
    let made = spawn([
      executable, "simulate", "--duration", "86400", "--bout", "900", "--pause", "1800", "--rate", "100", "-o", day,
    ])
    guard made == 0 else {
      print("the day could not be written to \(day); free some space, or set TMPDIR to another folder")
      exit(74)
    }
    let ingest = Ingest(path: day)
    isGood = ingest.runReader("CSV", limit: 0.83) && isGood
    isGood = ingest.runCommand(executable) && isGood
    unlink(day)
    isGood = runOtherText(executable, day) && isGood
    isGood = runDumps(executable, in: folder) && isGood
    isGood = Containers.run(executable, in: folder) && isGood
    exit(isGood ? 0 : 1)
  }

  private static func runDumps(_ executable: String, in folder: String) -> Bool {
    var isGood = true
    for kind in DumpReading.Kind.allCases {
      guard let dump = DumpReading(kind, in: folder) else {
        print("the dump could not be written to \(folder); free some space, or set TMPDIR to another folder")
        exit(74)
      }
      defer { unlink(dump.path) }
      isGood = dump.runReader() && isGood
      if kind == .cwa { isGood = dump.runCommand(executable, seconds: 1.5) && isGood }
    }
    return isGood
  }

  /// Other text than plain CSV, and several files at once.
  private static func runOtherText(_ executable: String, _ path: String) -> Bool {
    var isGood = true
    for (name, format, repeating, limit) in [
      ("CSV that repeats times", RecordingWriter.Format.csv, true, 1.5), ("JSON Lines", .jsonLines, false, 1.25),
    ] {
      guard let text = Ingest(format, repeating: repeating, to: path) else {
        print("\(name) could not be written to \(path); free some space, or set TMPDIR to another folder")
        exit(74)
      }
      isGood = text.runReader(name, limit: limit) && isGood
      if format == .jsonLines { isGood = text.runJobs(executable) && isGood }
      unlink(path)
    }
    return isGood
  }
}
