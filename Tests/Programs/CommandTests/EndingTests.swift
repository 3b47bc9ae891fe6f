import Accelerometry
import Foundation
import Glibc
import Recordings
import TestSupport
import Testing

@testable import PedometerCommands

/// Every command that writes, ended in every way: what was recorded is there under a name, nothing hidden is left, and
/// nothing half-written replaces a file.
@Suite("The end of a command that writes", .timeLimit(.minutes(30)), .ownThreads)
struct EndingTests {
  /// A command that waits for more of its input when it is ended.
  enum Command: String, CaseIterable {
    case record, recordCompressed, live, convert, plot, study

    /// Whether a signal is an orderly end, as for everything that follows a sensor.
    var isLive: Bool { [.record, .recordCompressed, .live].contains(self) }

    func arguments(in folder: String) -> [String] {
      switch self {
      case .record: ["record", "-", "-o", folder + "/walk.csv"]
      case .recordCompressed: ["record", "-", "-o", folder + "/walk.csv.gz"]
      case .live: ["live", "-", "--format", "json"]
      case .convert: ["convert", "-", "-o", folder + "/walk.csv"]
      case .plot: ["count", "-", "--steps", "--format", "csv", "--plot", folder + "/walk.svg"]
      case .study: ["study", folder + "/manifest.txt", "-o", folder + "/out"]
      }
    }

    /// The files that the end leaves.
    var files: [String] {
      switch self {
      case .record: ["walk.csv"]
      case .convert: ["walk.part.csv"]
      case .recordCompressed: ["walk.csv.gz"]
      case .live, .plot: []
      case .study: ["manifest.txt"]
      }
    }
  }

  /// Signals that arrive together.
  enum Signals: CaseIterable {
    case interrupt, terminate, hangUp
    /// GNU `timeout` sends the same signal to the process and to its group.
    case twice
    /// A logout.
    case logout
    case interruptAndHangUp, terminateAndInterrupt

    var numbers: [Int32] {
      switch self {
      case .interrupt: [SIGINT]
      case .terminate: [SIGTERM]
      case .hangUp: [SIGHUP]
      case .twice: [SIGTERM, SIGTERM]
      case .logout: [SIGTERM, SIGHUP]
      case .interruptAndHangUp: [SIGINT, SIGHUP]
      case .terminateAndInterrupt: [SIGTERM, SIGINT]
      }
    }
  }

  /// Starts it with half a minute of samples, and returns when it has written something.
  private func start(_ command: Command, in folder: TemporaryDirectory) throws -> RunningExecutable {
    let walk = try WrittenWalk.minute()
    if command == .study { try #require(unsafe mkfifo(folder.path + "/manifest.txt", 0o600) == 0) }
    let watch = try FolderWatch(folder.path)
    let running = try Executable.built("pedometer").start(command.arguments(in: folder.path))
    if command == .study {
      // Opening blocks until the command reads the manifest.
      close(unsafe open(folder.path + "/manifest.txt", O_WRONLY | O_CLOEXEC))
      return running
    }
    // Enough for a buffer.
    try running.send(Array((WrittenWalk.header + walk.rows[..<2900].joined()).utf8))
    if command.isLive && command != .live || command == .convert {
      try watch.waitForBytes()
      // A compressed file begins with bytes that are no sample.
      while command == .recordCompressed, !Self.holdsSamples(folder.path + "/walk.part.csv.gz") {
        try watch.waitForBytes()
      }
    } else {
      #expect(try running.outputLines(3).count == 3)
    }
    return running
  }

  private static func holdsSamples(_ path: String) -> Bool {
    var some: [AccelerationSample] = []
    return (try? RecordingReader(path: path).read(into: &some)) == true && !some.isEmpty
  }

  @Test("signals, alone and two at once", arguments: Command.allCases, Signals.allCases)
  func signals(_ command: Command, _ signals: Signals) throws {
    let folder = try TemporaryDirectory()
    let running = try start(command, in: folder)
    for number in signals.numbers { running.send(signal: number) }
    let transcript = try running.finishWithOpenInput()
    if command.isLive {
      #expect(transcript.ending == .exit(0), "\(transcript.errors)")
    } else if command != .study {
      #expect(signals.numbers.contains { transcript.ending == .signal($0) }, "\(transcript)")
    }
    #expect(folder.contents.filter { $0 != "out" } == command.files, "\(transcript.errors)")
    if command == .live { #expect(try LiveLines(transcript).total != nil) }
    if let file = command.files.first(where: { $0.hasPrefix("walk.") }) {
      let reader = try RecordingReader(path: folder.path + "/" + file)
      var (count, some) = (0, [AccelerationSample]())
      while (try? reader.read(into: &some)) == true { count += some.count }
      #expect(count > 0)
    }
  }

  @Test("three signals do not wait, and what was recorded is kept", arguments: ["walk.csv", "walk.csv.gz"])
  func insisted(_ name: String) throws {
    let folder = try TemporaryDirectory()
    let running = try start(name == "walk.csv" ? .record : .recordCompressed, in: folder)
    for number in [SIGSTOP, SIGINT, SIGTERM, SIGHUP, SIGCONT] { running.send(signal: number) }
    let transcript = try running.finishWithOpenInput()
    // It may have been faster than the third.
    #expect(transcript.exitCode == 0 || transcript.exitCode.map { $0 > 128 } == true, "\(transcript)")
    // It is complete, or the third came before that.
    let part = "walk.part" + name.dropFirst(4)
    let files = folder.contents
    try #require(files == [name] || files == [part], "\(files)")
    let reader = try RecordingReader(path: folder.path + "/" + files[0])
    var (count, some) = (0, [AccelerationSample]())
    while (try? reader.read(into: &some)) == true { count += some.count }
    #expect(count > 0 && (files == [part] || reader.summary.warnings.isEmpty), "\(transcript)")
  }

  @Test("a terminal that vanishes", arguments: [Command.record, .live, .convert, .plot])
  func vanishedTerminal(_ command: Command) throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.path + "/input"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    // Both ends, so that the program, which has it as standard input, starts without waiting for a writer.
    let writer = unsafe open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    let watch = try FolderWatch(folder.path)
    let terminal = try Executable.built("pedometer").start(
      command.arguments(in: folder.path), inTerminalOf: (80, 24), input: pipe)
    let bytes = try Array((WrittenWalk.header + WrittenWalk.minute().rows.joined()).utf8)
    #expect(unsafe write(writer, bytes, bytes.count) == bytes.count)
    if command == .record || command == .convert {
      try watch.waitForBytes()
    } else {
      // An event, or the time of a step.
      try terminal.wait { $0.lines.contains { $0.contains("step") || $0.first?.isNumber == true } }
    }
    let ending = terminal.vanish()
    // A write to the terminal may fail before the signal arrives.
    #expect([.exit(0), .exit(74), .signal(SIGHUP)].contains(ending))
    #expect(command != .record || ending == .exit(0))
    #expect(folder.contents.filter { $0 != "input" } == command.files)
  }

  // MARK: Full disks

  @Test(
    "a full disk: samples are kept up to the last row, and named", .enabled(if: SmallDisk.isPossible),
    arguments: [
      ["record", "-", "-o", "walk.csv"], ["record", "-", "-o", "walk.csv.gz"], ["convert", "-", "-o", "walk.jsonl"],
      ["convert", "-", "-o", "walk.csv.gz"],
    ])
  func fullDisk(_ arguments: [String]) throws {
    let disk = try #require(SmallDisk(kibibytes: 16))
    let place = try #require(Mounted(disk))
    let name = try #require(arguments.last)
    let transcript = try Executable.built("pedometer").inFolder(place.path).run(
      arguments, input: .text(WrittenWalk.minute().text))
    #expect(transcript.ending == .exit(74))
    let part = "walk.part" + name.dropFirst(4)
    #expect(transcript.errors.contains("it was saved as \(part)\n"), "\(transcript.errors)")
    #expect(transcript.errors.contains("cannot write \(name): no space left on device; free some space"))
    #expect(TemporaryDirectory.names(in: place.path) == [part])
    let count = try Executable.built("pedometer").run(["count", "--format", "json", place.path + "/" + part])
    #expect(count.output.contains(#""samples":"#), "\(count)")
    if !name.hasSuffix(".gz") { #expect(!count.output.contains("skipped"), "\(count)") }
  }

  @Test(
    "a full disk: what can be made again leaves nothing, and the remedy is space",
    .enabled(if: SmallDisk.isPossible),
    arguments: [
      // A study tries again, with pauses; StudiesTests has a clock for it.
      ["count", "-", "--plot", "walk.svg"],
      ["analytics", "on", "--url", "http://127.0.0.1:8080", "--token-file", "/dev/null"],
    ])
  func fullDiskOfResults(_ arguments: [String]) throws {
    let disk = try #require(SmallDisk(kibibytes: 8))
    let place = try #require(Mounted(disk))
    disk.fill()
    let transcript = try Executable.built("pedometer").inFolder(place.path).run(
      arguments, input: .text(WrittenWalk.minute().text),
      environment: ["XDG_CONFIG_HOME": place.path, "HOME": place.path])
    #expect(transcript.exitCode.map { [73, 74, 75].contains($0) } == true, "\(transcript)")
    #expect(!transcript.errors.contains("may write to") && !transcript.errors.contains("root"), "\(transcript)")
    #expect(!TemporaryDirectory.names(in: place.path).contains { $0.hasSuffix(".part") })
  }

  /// A disk under a path that another program can use.
  private final class Mounted {
    let path: String
    init?(_ disk: SmallDisk) {
      let number = disk.path.split(separator: "/").last ?? ""
      path = "/proc/\(getpid())/fd/\(number)"
    }
  }

  // MARK: Standard output

  private static let printing: [[String]] = [
    ["count", "-"], ["live", "-"], ["record", "-", "-o", "-"], ["convert", "-", "-o", "-"], ["simulate"], ["board"],
    ["board", "arduino-mpu6050"], ["devices", "--format", "csv"], ["doctor"], ["info", "-"],
    ["export", "--state", "state"], ["history", "--state", "state"],
    ["import", "--state", "other", "--dry-run", "days.csv"], ["--help"], ["--version"], ["count", "--help"],
    ["history", "--help"],
  ]

  @Test("a full disk: walks that are exported leave nothing hidden", .enabled(if: SmallDisk.isPossible))
  func fullDiskOfWalks() throws {
    let disk = try #require(SmallDisk(kibibytes: 8))
    let place = try #require(Mounted(disk))
    disk.fill()
    let folder = try walked()
    let transcript = try Executable.built("pedometer").run([
      "export", "--state", folder.path + "/state", "--format", "tcx", "--shortest", "0", "-o", place.path,
    ])
    #expect(transcript.ending == .exit(74) && transcript.errors.contains("free some space"), "\(transcript)")
    #expect(TemporaryDirectory.names(in: place.path) == ["ballast"])
  }

  private func run(_ arguments: [String], output: Executable.Output) throws -> Transcript {
    let folder = try walked()
    return try Executable.built("pedometer").inFolder(folder.path).run(
      arguments, input: .text(WrittenWalk.minute().text), output: output,
      environment: ["HOME": folder.path, "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""])
  }

  @Test("standard output on a full disk is an I/O error with its remedy", arguments: printing)
  func fullOutput(_ arguments: [String]) throws {
    let transcript = try run(arguments, output: .file("/dev/full"))
    #expect(transcript.ending == .exit(74), "\(transcript)")
    #expect(transcript.errors.contains("no space left on device; free some space"), "\(transcript.errors)")
  }

  @Test("a reader that closes standard output is a normal end without a message", arguments: printing)
  func closedReader(_ arguments: [String]) throws {
    let transcript = try run(arguments, output: .closedAfter(bytes: 0))
    // The doctor finds nothing to count with.
    #expect(transcript.exitCode.map { $0 == 0 || arguments == ["doctor"] } == true, "\(transcript)")
    #expect(!transcript.errors.contains("pipe"), "\(transcript.errors)")
  }
}
