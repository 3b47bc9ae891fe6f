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
    "it lost at most a few seconds, and the rest is in walk.part.csv",
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
    let part = "walk.part" + name.dropFirst(4)
    #expect(folder.contents == [part])

    // The next one leaves it alone.
    let next = try pedometer.run(arguments, input: .text(walk.text))
    #expect(next.ending == .exit(0))
    #expect(folder.contents == [name, part].sorted())
    let count = try pedometer.run(["count", "--format", "json", part])
    let samples = count.output.firstMatch(of: /"samples":(\d+)/).flatMap { Int($0.1) }
    #expect(samples.map { $0 >= 2300 } == true, "\(count)")
  }

  /// The samples in the file.
  private func samples(in folder: TemporaryDirectory) throws -> Int {
    guard let part = folder.contents.first, let reader = try? RecordingReader(path: folder.path + "/" + part) else {
      return 0
    }
    var (count, some) = (0, [AccelerationSample]())
    while (try? reader.read(into: &some)) == true { count += some.count }
    return count + some.count
  }
}
