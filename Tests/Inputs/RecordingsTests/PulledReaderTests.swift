import Accelerometry
import Dispatch
import TestSupport
import Testing

@testable import Recordings

@Suite("A reader on another thread", .timeLimit(.minutes(30)))
struct PulledReaderTests {
  /// All samples of a reader.
  private static func all(_ reader: some SampleReader) throws -> [AccelerationSample] {
    var reader = reader
    var (all, batch): ([AccelerationSample], [AccelerationSample]) = ([], [])
    while try reader.read(into: &batch) { all += batch }
    return all
  }

  private static func text(rows: Int) -> String {
    "t,x,y,z\n" + (0..<rows).map { "\(Double($0) / 50),0.\($0 % 97),1,0\n" }.joined()
  }

  @Test("samples and summary are those of the reader alone", arguments: [1, 300, 40_000], [16, nil])
  func same(rows: Int, ahead: Int?) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array((Self.text(rows: rows) + "bad\n").utf8), to: "walk.csv")
    let options = RecordingOptions(unit: .g)
    let alone = try RecordingReader(path: path, options: options)
    let expected = try Self.all(alone)
    let pulled = PulledReader(ahead: ahead, open: { try RecordingReader(path: path, options: options) })
    #expect(try Self.all(pulled) == expected)
    #expect(pulled.summary == alone.summary && pulled.verdict == alone.verdict)
    #expect(pulled.profile == alone.profile)
  }

  @Test("an error is thrown once, after the samples before it", arguments: [16, 0, nil])
  func failure(ahead: Int?) throws {
    struct Damage: Error {}
    let samples = (0..<10).map { AccelerationSample(nanoseconds: $0, acceleration: [0, 0, 1]) }
    let pulled = PulledReader(ahead: ahead, open: { ScriptedReader(samples, inPiecesOf: 4, failure: Damage()) })
    var (all, some): ([AccelerationSample], [AccelerationSample]) = ([], [])
    #expect(throws: Damage.self) { while try pulled.read(into: &some) { all += some } }
    #expect(all == samples)
    #expect(try !pulled.read(into: &some))
  }

  @Test("a recording that cannot be opened fails at the first read")
  func missing() {
    let pulled = PulledReader(ahead: 16, open: { try RecordingReader(path: "/nowhere/walk.csv") })
    var samples: [AccelerationSample] = []
    #expect(throws: RecordingError.self) { try pulled.read(into: &samples) }
  }

  @Test("no more is read ahead than there is room for")
  func bounded() throws {
    let gate = DispatchSemaphore(value: 0)
    let read = DispatchSemaphore(value: 0)
    // One for each sample, and one for the end.
    for _ in 0...100 { gate.signal() }
    let samples = (0..<100).map { AccelerationSample(nanoseconds: $0, acceleration: [0, 0, 1]) }
    let pulled = PulledReader(
      ahead: 4, wake: { read.signal() }, open: { ScriptedReader(samples, inPiecesOf: 1, gate: gate) })
    for _ in 0..<4 { read.wait() }
    var some: [AccelerationSample] = []
    for index in 0..<4 {
      #expect(try pulled.read(into: &some))
      #expect(some == [samples[index]])
    }
    // The fourth was the last that was read; taking it made room for four more.
    for _ in 0..<4 { read.wait() }
    #expect(try Self.all(pulled) == Array(samples[4...]))
  }
}
