import Foundation
import TestSupport

/// Recorded devices, played by umockdev to a test program.
///
/// umockdev intercepts the C library's calls of a whole process, so the tested process is a small program,
/// `sensor-probe`, that SwiftPM builds with the tests.
struct Replay {
  /// The program's output.
  var lines: [String] = []
  var status: Int32 = 0

  /// The samples in the output: nanoseconds and g.
  var samples: [(nanoseconds: Int64, g: [Double])] {
    lines.compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, let time = Int64(words[0]) else { return nil }
      return (time, words.dropFirst().compactMap { Double($0) })
    }
  }

  /// How often an axis rises above 1.15 g after it was below 1 g: the recorded walks bounce once per step.
  func bounces(axis: Int) -> Int {
    var count = 0
    var isUp = false
    for value in samples.map({ $0.g[axis] }) {
      if value > 1.15 && !isUp { (count, isUp) = (count + 1, true) }
      if value < 1 { isUp = false }
    }
    return count
  }

  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run")

  static func fixture(_ name: String) -> String { Repository.path("Fixtures/devices/\(name)") }

  /// The program next to the test runner.
  static let probe: String = {
    let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent("sensor-probe").path
  }()

  /// Plays recordings to the probe; `before` is a shell command that runs first.
  static func of(
    _ recordings: [String], _ more: [String] = [], probe words: [String], before: String = "true"
  ) throws -> Replay {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/umockdev-run")
    process.arguments =
      recordings.flatMap { ["-d", fixture($0 + ".umockdev")] } + more + [
        "--", "sh", "-c", before + "; exec timeout \(Hang.seconds) $RUN \"$@\"", "sh", probe,
      ] + words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    return Replay(lines: text.split(separator: "\n").map(String.init), status: process.terminationStatus)
  }

  /// An evdev recording whose node is a file with all its events, so that they are read at full speed.
  ///
  /// umockdev's own player writes into a pseudo-terminal, which splits an event if its reader is delayed.
  static func eventsAtOnce(of recording: String, node: String) throws -> (arguments: [String], file: String) {
    let text = try String(contentsOfFile: fixture(recording + ".events"), encoding: .utf8)
    var bytes: [UInt8] = []
    for line in text.split(separator: "\n") where line.hasPrefix("E: ") {
      let words = line.split(separator: " ")
      // A recorded SYN_DROPPED would make libevdev discard the rest of the file.
      if words[2] == "0000", words[3] == "0003" { continue }
      let time = words[1].split(separator: ".").compactMap { Int64($0) }
      append(time[0], 8, to: &bytes)
      append(time[1], 8, to: &bytes)
      append(Int64(words[2], radix: 16) ?? 0, 2, to: &bytes)
      append(Int64(words[3], radix: 16) ?? 0, 2, to: &bytes)
      append(Int64(words[4]) ?? 0, 4, to: &bytes)
    }
    let digits = Array("0123456789ABCDEF".utf8)
    let hexadecimal = String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    let device = try String(contentsOfFile: fixture(recording + ".umockdev"), encoding: .utf8)
    let name = String(node.dropFirst("/dev/".count))
    let file = NSTemporaryDirectory() + "pedometer-\(UUID().uuidString).umockdev"
    try device.replacingOccurrences(of: "N: \(name)\n", with: "N: \(name)=\(hexadecimal)\n")
      .write(toFile: file, atomically: false, encoding: .utf8)
    return (["-d", file, "-i", "\(node)=\(fixture(recording + ".ioctl"))"], file)
  }

  private static func append(_ value: Int64, _ size: Int, to bytes: inout [UInt8]) {
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
