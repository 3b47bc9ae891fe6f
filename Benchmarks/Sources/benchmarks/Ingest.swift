import Accelerometry
import CReference
import Glibc
import Recordings

/// The cost of reading text, compared with a C loop that only converts its digits to numbers.
struct Ingest {
  let path: String
  let size: Double

  init(path: String) {
    self.path = path
    var information = stat()
    stat(path, &information)
    size = Double(information.st_size)
  }

  /// Writes six hours at 100 Hz. With `repeating`, each time is stated twice, as by a clock of 20 ms.
  init?(_ format: RecordingWriter.Format, repeating: Bool = false, to path: String) {
    var walk = SyntheticWalk()
    walk.rate = 100
    walk.duration = .seconds(21_600)
    var options = RecordingWriter.Options()
    options.format = format
    do {
      var reader = try walk.reader()
      var writer = try RecordingWriter(to: .file(path: path), options: options)
      var samples: [AccelerationSample] = []
      while reader.read(into: &samples) {
        if repeating {
          samples = samples.map {
            AccelerationSample(nanoseconds: $0.nanoseconds / 20_000_000 * 20_000_000, acceleration: $0.acceleration)
          }
        }
        try writer.write(samples)
      }
      try writer.finish()
    } catch { return nil }
    self.init(path: path)
  }

  func runReader(_ name: String, limit: Double) -> Bool {
    let comparison = Comparison(
      name: "reading \(name)", unit: "GB/s (C digit loop)", scale: { size / $0 * 1e-9 },
      limit: limit)
    return comparison.run(rounds: 5, reference: readDigits) {
      let start = threadTime()
      var samples: [AccelerationSample] = []
      var count = 0
      do {
        let reader = try RecordingReader(path: path)
        while try reader.read(into: &samples) { count += samples.count }
      } catch {
        print(error)
      }
      precondition(count > 0)
      return threadTime() - start
    }
  }

  /// In wall-clock time: the command reads and counts on two cores if available.
  func runCommand(_ executable: String) -> Bool {
    let comparison = Comparison(
      name: "pedometer count on a day of 100 Hz CSV", unit: "s (C digit loop)", scale: { $0 }, limit: 1.1)
    let isFast = comparison.run(rounds: 7, reference: readDigitsByTheWall) {
      let start = wallTime()
      precondition(spawn([executable, "count", path]) == 0)
      return wallTime() - start
    }
    return reportMemory(of: [executable, "count", path], "pedometer count on a day of 100 Hz CSV") && isFast
  }

  /// Many files with one job and with two, in wall-clock time; on one core only reported.
  func runJobs(_ executable: String) -> Bool {
    let links = (0..<8).map { path + ".\($0)" }
    defer { for link in links { unlink(link) } }
    for other in links { precondition(link(path, other) == 0) }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    let comparison = Comparison(
      name: "pedometer count --jobs 2 on 8 files", unit: "s (--jobs 1)", scale: { $0 }, limit: cores > 1 ? 1 / 1.8 : nil
    )
    let run = { (jobs: String) in
      let start = wallTime()
      precondition(spawn([executable, "count", "--jobs", jobs] + links) == 0)
      return wallTime() - start
    }
    return comparison.run(rounds: 3) {
      run("1")
    } ours: {
      run("2")
    }
  }

  private func readDigits() -> Double { digitLoop(threadTime) }
  private func readDigitsByTheWall() -> Double { digitLoop(wallTime) }

  /// Processes the file with the C loop, in chunks of 256 KiB.
  private func digitLoop(_ clock: () -> Double) -> Double {
    let start = clock()
    let descriptor = open(path, O_RDONLY)
    precondition(descriptor >= 0)
    var chunk = [CChar](repeating: 0, count: 1 << 18)
    var number = reference_number()
    var sum = 0.0
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { break }
      sum += reference_read_digits(&number, chunk, count)
    }
    close(descriptor)
    precondition(sum.isFinite)
    return clock() - start
  }
}

/// Measures the resident memory of a command.
func reportMemory(of arguments: [String], _ name: String) -> Bool {
  var usage = rusage()
  precondition(spawn(arguments, usage: &usage) == 0)
  let megabytes = Double(usage.ru_maxrss) / 1024
  print("\(megabytes <= 40 ? "ok    " : "LARGE ") \(name): \(rounded(megabytes)) MiB resident  (at most 40)")
  return megabytes <= 40
}

func spawn(_ arguments: [String]) -> Int32 {
  var usage = rusage()
  return spawn(arguments, usage: &usage)
}

/// Runs a program to its end and discards its output.
/// - Returns: its exit status, or −1.
func spawn(_ arguments: [String], usage: inout rusage) -> Int32 {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
  var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
  words.append(nil)
  defer { for word in words { free(word) } }
  var child = pid_t()
  guard posix_spawn(&child, arguments[0], &actions, nil, words, environ) == 0 else { return -1 }
  var status: Int32 = 0
  guard wait4(child, &status, 0, &usage) == child, status & 0x7F == 0 else { return -1 }
  return (status >> 8) & 0xFF
}
