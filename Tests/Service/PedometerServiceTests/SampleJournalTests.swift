import Accelerometry
import History
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore

@Suite("Sample journal", .timeLimit(.minutes(30)))
struct SampleJournalTests {
  let folder: TemporaryDirectory
  let path: String
  let source = HistorySource(identity: "usb:1209:7e58:serial=A1:accelerometer", name: "a pad")

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path + "/samples"
  }

  private static func samples(_ range: Range<Int>) -> [AccelerationSample] {
    range.map { AccelerationSample(timestamp: .milliseconds($0 * 10), acceleration: [Float($0), 0, 1]) }
  }

  @Test("the samples of one process are read by the next one, once")
  func roundTrip() throws {
    let writer = try #require(SampleJournal(path: path, bootID: "b"))
    writer.begin(source)
    writer.append(Self.samples(0..<100), shift: .seconds(50))
    let reader = try #require(SampleJournal(path: path, bootID: "b"))
    let found = try #require(reader.recover(at: .seconds(60)))
    #expect(found.source == source)
    #expect(found.samples.count == 100)
    #expect(found.samples.first == AccelerationSample(timestamp: .seconds(50), acceleration: [0, 0, 1]))
    #expect(reader.recover(at: .seconds(60)) == nil)
  }

  @Test("only the latest samples are kept, in order")
  func ring() throws {
    let journal = try #require(SampleJournal(path: path, bootID: "b"))
    journal.begin(source)
    for start in stride(from: 0, to: 6000, by: 100) { journal.append(Self.samples(start..<start + 100), shift: .zero) }
    let found = try #require(journal.recover(at: .seconds(60)))
    #expect(found.samples == Self.samples(6000 - SampleJournal.capacity..<6000))
  }

  @Test("samples of another boot, of long ago or of the future are ignored")
  func useless() throws {
    for (boot, time) in [("c", 60), ("b", 600), ("b", -1)] {
      let journal = try #require(SampleJournal(path: path, bootID: "b"))
      journal.begin(source)
      journal.append(Self.samples(0..<100), shift: .zero)
      #expect(try #require(SampleJournal(path: path, bootID: boot)).recover(at: .seconds(time)) == nil)
    }
  }

  @Test("another file is not a journal, and a missing folder gives none")
  func strange() throws {
    try folder.write([UInt8](repeating: 0xFF, count: 200_000), to: "samples")
    #expect(try #require(SampleJournal(path: path)).recover(at: .seconds(60)) == nil)
    #expect(SampleJournal(path: folder.path + "/none/samples") == nil)
  }
}
