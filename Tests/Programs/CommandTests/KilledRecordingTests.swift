import Accelerometry
import Foundation
import Glibc
import Recordings
import TestSupport
import Testing

/// What a process that was killed has left.
@Suite("A killed recording", .timeLimit(.minutes(30)), .ownThreads)
struct KilledRecordingTests {
  @Test(
    "it lost at most a few seconds, and the next start says how to take the rest",
    arguments: [["record", "-", "-o", "walk.csv"], ["record", "-", "-o", "walk.csv.gz"]])
  func killed(_ arguments: [String]) throws {
    let name = try #require(arguments.last)
    let folder = try TemporaryDirectory()
    let watch = try FolderWatch(folder.path)
    let walk = try WrittenWalk.minute()
    let pedometer = try Executable.built("pedometer").inFolder(folder.path)
    let running = try pedometer.start(arguments)
    try running.send(Array((WrittenWalk.header + walk.rows[..<2500].joined()).utf8))
    // All but the last seconds are in the file while the source is silent.
    while try samples(in: folder) < 2300 { try watch.waitForBytes() }
    running.send(signal: SIGKILL)
    #expect(try running.finishWithOpenInput().ending == .signal(SIGKILL))
    let left = folder.contents
    #expect(left.count == 1 && left[0].hasPrefix("." + name) && left[0].hasSuffix(".part"), "\(left)")

    let next = try pedometer.run(arguments, input: .text(walk.text))
    #expect(next.ending == .exit(0))
    let line = try #require(next.errorLines.first { $0.contains(left[0]) }, "\(next.errors)")
    let command = try #require(line.components(separatedBy: "; to keep it: ").last)
    let shell = Executable(path: "/bin/sh").inFolder(folder.path)
    #expect(try shell.run(["-c", command]).ending == .exit(0), "\(command)")
    let part = "walk.part" + name.dropFirst(4)
    #expect(folder.contents == [name, part].sorted())
    let count = try pedometer.run(["count", "--format", "json", part])
    let samples = count.output.firstMatch(of: /"samples":(\d+)/).flatMap { Int($0.1) }
    #expect(samples.map { $0 >= 2300 } == true, "\(count)")
    // It is offered once.
    #expect(!(try pedometer.run(arguments, input: .text(walk.text)).errors.contains("to keep it")))
  }

  /// The samples in the draft.
  private func samples(in folder: TemporaryDirectory) throws -> Int {
    guard let draft = folder.contents.first else { return 0 }
    let name = draft.hasSuffix(".part") ? folder.path + "/" + draft : ""
    guard let reader = try? RecordingReader(path: name) else { return 0 }
    var (count, some) = (0, [AccelerationSample]())
    while (try? reader.read(into: &some)) == true { count += some.count }
    return count + some.count
  }

  @Test("a recording that another process is writing is not offered")
  func alive() throws {
    let folder = try TemporaryDirectory()
    let watch = try FolderWatch(folder.path)
    let walk = try WrittenWalk.minute()
    let pedometer = try Executable.built("pedometer").inFolder(folder.path)
    let running = try pedometer.start(["record", "-", "-o", "walk.csv"])
    try running.send(Array((WrittenWalk.header + walk.rows[..<500].joined()).utf8))
    try watch.waitForBytes()
    let other = try pedometer.run(["record", "-", "-o", "other.csv"], input: .text(walk.text))
    #expect(!other.errors.contains("to keep it"), "\(other.errors)")
  }
}
