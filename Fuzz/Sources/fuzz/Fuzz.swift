import Glibc

/// libFuzzer's loop (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"), because executables of a package
/// have their own main function.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// Fuzzes the format in the environment variable `FORMAT`. `Fuzz/run` calls it once for each.
@main
struct Fuzz {
  static func main() {
    if CommandLine.arguments.dropFirst() == ["--formats"] {
      for format in Format.allCases { print(format.rawValue) }
      return
    }
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(
      runDriver(&count, &arguments) { bytes, count in
        format.check([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
        return 0
      })
  }
}

private let format: Format = {
  let name = getenv("FORMAT").map { String(cString: $0) } ?? ""
  guard let format = Format(rawValue: name) else {
    print("set FORMAT to one of: \(Format.allCases.map(\.rawValue).joined(separator: " "))")
    exit(64)
  }
  return format
}()

/// What is fuzzed. Each has its own corpus.
enum Format: String, CaseIterable {
  // Recordings, as in a file; they differ in their corpora only.
  case text, json, events, containers
  // The parts of dumps whose archive or header does not survive random changes, and the dumps themselves.
  case cwa
  case gt3x
  case gt3xActivity = "gt3x-activity"
  case geneactiv, matrix, scans
  /// What the writer writes is read as it was.
  case written
  /// The output of a board at a serial port.
  case board
  /// Messages of phones and programs, answers of services.
  case messages
  /// Reports that wait for delivery.
  case reports
  /// Attributes and events of the kernel, and values of Bluetooth sensors.
  case sensors
  /// The files of a device in sysfs.
  case trees
  /// Answers over HTTP.
  case answers
  /// The lines of a room, requests to it, and sentences of satellite receivers.
  case rooms
  /// The configuration file.
  case settings
  /// Files of other programs with steps.
  case imports
  /// The step detector.
  case counting
  /// The messages of a client with samples, and the clock in them.
  case clock
  /// The readings of counters, and finished steps.
  case counters

  func check(_ bytes: [UInt8]) {
    switch self {
    case .text, .json, .events, .containers: checkRecording(bytes)
    case .cwa, .gt3x, .gt3xActivity, .geneactiv, .matrix, .scans: checkDump(self, bytes)
    case .written: checkWriter(bytes)
    case .board: checkBoard(bytes)
    case .messages: checkMessages(bytes)
    case .reports: checkReports(bytes)
    case .sensors: checkSensors(bytes)
    case .trees: checkTree(bytes)
    case .answers: checkAnswers(bytes)
    case .rooms: checkRooms(bytes)
    case .settings: checkSettings(bytes)
    case .imports: checkImport(bytes)
    case .counting: checkCounting(bytes)
    case .clock: checkClientClock(bytes)
    case .counters: checkCounters(bytes)
    }
  }
}

/// Ends the process unless a property holds. Unlike `precondition`, it prints the property in release builds, too.
func require(_ holds: Bool, _ property: @autoclosure () -> String = "a property") {
  if !holds { fail(property()) }
}

/// Ends the process and prints the property that does not hold.
func fail(_ property: String) -> Never { fatalError(property) }

/// Numbers that follow from the input, so that a finding can be repeated.
struct Dice {
  private var state: UInt64

  init(_ bytes: [UInt8]) { state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1 }

  /// A number below `limit`.
  mutating func roll(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }

  /// The bytes in pieces of any sizes, most of them small.
  mutating func cut(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var place = 0
    while place < bytes.count {
      let size = min(bytes.count - place, 1 + roll(1 << (1 + roll(12))))
      pieces.append(Array(bytes[place..<place + size]))
      place += size
    }
    return pieces
  }
}
