import Accelerometry
import TestSupport
import Testing

@testable import Recordings

@Suite("Rows that are in a recording twice", .timeLimit(.minutes(10)))
struct CopyTests {
  private static let header = "t,x,y,z\n"
  /// Two minutes without a period of a second, so that a row resembles no row of another time.
  private static func rows(_ range: Range<Int>, seed: Int = 0) -> String {
    range.map { i in
      let phase = i * 7919 + seed
      return "\(Double(i * 2) / 100),\(Double(phase % 211) / 1000),-0.\(100 + phase % 809),0.98\n"
    }.joined()
  }
  private static let options = RecordingOptions(unit: .g)

  @Test(
    "a recording that was appended to itself is counted once", arguments: [rows(0..<6000), header + rows(0..<6000)],
    [1, 2])
  func whole(text: String, more: Int) throws {
    let single = ReadRecording(text, Self.options)
    let copied = ReadRecording(text + String(repeating: text, count: more), Self.options)
    #expect(copied.samples == single.samples)
    #expect(copied.warnings.contains { $0.hasPrefix("\(6000 * more) rows from line ") && $0.contains("counted once") })
    #expect(copied.summary.clockRestarts == 0 && copied.summary.gaps == 0)
  }

  @Test("a transfer that was resumed too early goes on behind the copy", arguments: [500, 2000, 2777])
  func resumed(at place: Int) {
    let single = ReadRecording(Self.rows(0..<6000), Self.options)
    let resumed = ReadRecording(Self.rows(0..<3000) + Self.rows(place..<6000), Self.options)
    #expect(resumed.samples == single.samples)
    #expect(
      resumed.warnings.contains { $0.hasPrefix("\(3000 - place) rows from line 3001 on repeat") }, "\(resumed.warnings)"
    )
  }

  @Test("the result does not depend on how the bytes arrive", arguments: [64, 600, 4096])
  func pieces(size: Int) {
    let text = Self.rows(0..<3000) + Self.rows(1000..<4000)
    #expect(ReadRecording(Array(text.utf8), pieces: size, Self.options).samples.count == 4000)
  }

  @Test("packets that were sent twice are counted once", arguments: [5, 25, 120])
  func packets(size: Int) {
    let single = ReadRecording(Self.rows(0..<6000), Self.options)
    let text = stride(from: 0, to: 6000, by: size).map { first in
      let packet = Self.rows(first..<first + size)
      return first / size % 6 == 5 ? packet + packet : packet
    }
    let twice = ReadRecording(text.joined(), Self.options)
    #expect(twice.samples == single.samples)
    #expect(twice.summary.copies != nil && twice.summary.lateBlocks == 0 && twice.error == nil)
  }

  @Test("a second walk whose clock begins at zero again is another walk")
  func another() {
    let both = ReadRecording(Self.rows(0..<3000) + Self.rows(0..<3000, seed: 5), Self.options)
    #expect(both.samples.count == 6000 && both.summary.clockRestarts == 1 && both.summary.copies == nil)
  }

  @Test("rows that differ behind the first second are no copy, and none of them is lost")
  func differsLater() {
    let later = Self.rows(0..<60) + Self.rows(60..<3000, seed: 5)
    let both = ReadRecording(Self.rows(0..<3000) + later, Self.options)
    #expect(both.samples.count == 6000 && both.summary.copies == nil)
  }
}

@Suite("Streams without an end", .timeLimit(.minutes(10)))
struct EndlessStreamTests {
  private static let start = ContinuousClock.now

  /// - Parameter now: the time stands still by default, so that a slow machine reads no less.
  private func failure(of bytes: [UInt8], now: @escaping () -> ContinuousClock.Instant = { start }) -> RecordingError? {
    let packets = PacketWriter(bytes, pieces: 65_536)
    let reader = RecordingReader(fileDescriptor: packets.output, name: "standard input", handingOver: true)
    reader.unread.mostBytes = 1 << 19
    reader.unread.now = now
    var samples: [AccelerationSample] = []
    do throws(RecordingError) { while try reader.read(into: &samples) {} } catch { return error }
    return nil
  }

  @Test(
    "too many bytes without a sample end it, with what was there instead",
    arguments: ["hello\n", "\0", "a,b,c\n", "{\"a\":1}\n"])
  func bytes(line: String) throws {
    let text = [UInt8](repeating: 0, count: 700_000).indices.map { Array(line.utf8)[$0 % line.utf8.count] }
    let error = try #require(failure(of: text))
    #expect(error.message.contains(" kB arrived without a sample"), "\(error)")
    #expect(error.message.contains(line == "\0" ? "bytes of zero" : "'\(line.dropLast())'"), "\(error)")
    #expect(error.kind == .badData)
  }

  @Test("ten seconds of a board's menu end it")
  func time() throws {
    var seconds = 0
    let menu = String(repeating: "1: start   2: stop\n", count: 20_000)
    let error = try #require(
      failure(of: Array(menu.utf8)) {
        seconds += 4
        return Self.start.advanced(by: .seconds(seconds))
      })
    #expect(error.message.contains("'1: start   2: stop'"), "\(error)")
  }

  @Test("a preamble of 400 kB is read, if rows follow")
  func preamble() {
    let text = String(repeating: "booting\n", count: 50_000) + plainRows(500)
    #expect(failure(of: Array(text.utf8)) == nil)
  }
}
