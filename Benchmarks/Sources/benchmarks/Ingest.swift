import Accelerometry
import CReference
import Glibc
import Recordings

/// What reading a day costs, against a C loop that only turns its digits into numbers.
struct Ingest {
  let path: String
  let size: Double

  init(path: String) {
    self.path = path
    var information = stat()
    stat(path, &information)
    size = Double(information.st_size)
  }

  func runReader() -> Bool {
    let comparison = Comparison(
      name: "reading CSV", unit: "GB/s (C digit loop)", scale: { size / $0 * 1e-9 },
      limit: 0.83)
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

  /// By the clock on the wall: the command reads and counts on two cores where there are two.
  func runCommand(_ executable: String) -> Bool {
    let comparison = Comparison(
      name: "pedometer count on a day of 100 Hz CSV", unit: "s (C digit loop)", scale: { $0 }, limit: 1.1)
    return comparison.run(rounds: 7, reference: readDigitsByTheWall) {
      let start = wallTime()
      precondition(spawn([executable, "count", path]) == 0)
      return wallTime() - start
    }
  }

  private func readDigits() -> Double { digitLoop(threadTime) }
  private func readDigitsByTheWall() -> Double { digitLoop(wallTime) }

  /// The file through the C loop, in chunks of 256 KiB.
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

/// Runs a program to its end, its output thrown away.
/// - Returns: its exit status, or −1.
func spawn(_ arguments: [String]) -> Int32 {
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
  guard waitpid(child, &status, 0) == child, status & 0x7F == 0 else { return -1 }
  return (status >> 8) & 0xFF
}
