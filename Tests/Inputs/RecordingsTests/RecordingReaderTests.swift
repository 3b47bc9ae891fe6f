import Accelerometry
import Glibc
import Platform
import TestSupport
import Testing

@testable import Recordings

/// Two seconds of valid rows around an invalid part.
private func around(_ bad: String) -> String { "t,x,y,z\n" + plainRows(100) + bad + plainRows(100, from: 100) }

@Suite("Reading recordings", .timeLimit(.minutes(30)))
struct RecordingReaderTests {
  @Test(
    "a bad row is skipped and counted, and every good row is read",
    arguments: [
      ("2.00,oops,0,1\n", SkipReason.notNumbers), ("no row at all\n", .notNumbers),
      ("2.00,0.1,0.2\n", .missingValues),
      ("2.00,0.1,,1\n", .missingValues), ("2.00,NaN,0,1\n", .notFinite), ("2.00,0,-inf,1\n", .notFinite),
      ("2.00,0,1e99,1\n", .notFinite), ("nan,0,0,1\n", .notFinite), ("x,0,0,1\n", .badTimestamp),
      ("1e300,0,0,1\n", .badTimestamp), ("1.98,0,0,1\n", .repeatedTimestamp), ("1.5,0,0,1\n", .timeBackwards),
      ("2e5,0,0,1\n", .timeOutlier), ("0.0,0,0,1\n", .timeOutlier), ("2.00,\0\0,0,1\n", .nulByte),
      ("\0\0\0\0\n", .nulByte),
      (String(repeating: "7", count: 70_000) + "\n", .lineTooLong),
      (String(repeating: "7,", count: 150_000) + "\n", .lineTooLong),
    ])
  func badRow(text: String, reason: SkipReason) {
    let read = ReadRecording(around(text))
    #expect(read.error == nil)
    #expect(read.samples.count == 200)
    #expect(read.summary.skipped == [reason: RecordingSummary.Skipped(count: 1, firstLine: 102)], "\(read.summary)")
    #expect(read.warnings.count == 1 && read.warnings[0].contains("102"), "\(read.warnings)")
  }

  @Test(
    "blank lines and comments in the middle are ignored", arguments: ["\n", "  \r\n", "# pause\n", "// pause\n", "%\n"])
  func silent(text: String) {
    let read = ReadRecording(around(text))
    #expect(read.samples.count == 200)
    #expect(read.warnings == [])
  }

  @Test("many bad rows produce one warning with a count")
  func manyBadRows() {
    let read = ReadRecording(around(String(repeating: "oops,1,2,3\n", count: 40)) + "4.0,a,b,c\n")
    #expect(read.summary.skipped[.badTimestamp] == .init(count: 40, firstLine: 102))
    #expect(read.warnings.count == 2 && read.warnings.contains { $0.hasPrefix("40 rows") })
  }

  @Test("a truncated last line is skipped; a complete one without a line break is read")
  func cutShort() {
    let cut = ReadRecording("t,x,y,z\n" + plainRows(100) + "2.00,0.1,0.")
    #expect(cut.samples.count == 100)
    #expect(cut.summary.skipped == [.lastLineCutShort: .init(count: 1, firstLine: 102)])
    let whole = ReadRecording("t,x,y,z\n" + plainRows(100) + "2.00,0.1,0.1,1")
    #expect(whole.samples.count == 101)
    #expect(whole.warnings == [])
  }

  @Test("a gap of an hour is counted, without a warning")
  func gap() {
    let read = ReadRecording("t,x,y,z\n" + plainRows(100) + plainRows(100, from: 180_000))
    #expect(read.samples.count == 200)
    #expect(read.summary.gaps == 1)
    #expect(read.summary.longestGap == .seconds(3600) - .seconds(2) + .milliseconds(20))
    #expect(read.warnings == [])
  }

  @Test(
    "after a clock restart, times continue directly after the previous sample",
    arguments: [(50_000, 0), (100, 1_700_000_000)])
  func restart(first: Int, second: Int) {
    let later = (0..<100).map { "\(Double(second) + Double($0) / 50),0,0.0\($0 % 3),1\n" }.joined()
    let read = ReadRecording("t,x,y,z\n" + plainRows(100, from: first) + later)
    #expect(read.samples.count == 200)
    #expect(Set(zip(read.nanoseconds, read.nanoseconds.dropFirst()).map { $1 - $0 }) == [20_000_000])
    #expect(read.summary.clockRestarts == 1)
    #expect(read.summary.gaps == 1)
    #expect(read.warnings.count == 1 && read.warnings[0].contains("line 102"), "\(read.warnings)")
  }

  @Test("constant samples are read, with a warning that the sensor may be stuck")
  func constant() {
    let read = ReadRecording("t,x,y,z\n" + (0..<3000).map { "\(Double($0) / 50),0,0,1\n" }.joined())
    #expect(read.samples.count == 3000)
    #expect(read.warnings.count == 1 && read.warnings[0].contains("stuck"), "\(read.warnings)")
  }

  @Test("a short recording is read completely", arguments: 1...5)
  func short(rows: Int) {
    let read = ReadRecording("t,x,y,z\n" + plainRows(rows))
    #expect(read.samples.count == rows)
    #expect(read.error == nil)
  }

  @Test("gzip is detected by content, whole or in pieces, in one or several members")
  func compressed() {
    let plain = ReadRecording("t,x,y,z\n" + plainRows(3000))
    let members = gzip(Array(("t,x,y,z\n" + plainRows(1000)).utf8)) + gzip(Array(plainRows(2000, from: 1000).utf8))
    for read in [ReadRecording(members), ReadRecording(members, pieces: 7), ReadRecording(members + [0, 0, 0])] {
      #expect(read.samples == plain.samples)
      #expect(read.summary.isCompressed)
      #expect(read.warnings == [])
    }
    #expect(!plain.summary.isCompressed)
  }

  @Test("a truncated or damaged gzip is read up to the damage, with a warning")
  func truncated() {
    let whole = gzip(Array(("t,x,y,z\n" + plainRows(3000)).utf8))
    let cut = ReadRecording(Array(whole.dropLast(whole.count / 2)))
    #expect(cut.error == nil)
    #expect(cut.samples.count > 1000 && cut.samples.count < 2900)
    #expect(cut.warnings.contains { $0.contains("ends too early, at byte \(whole.count - whole.count / 2)") })
    var wrongChecksum = whole
    wrongChecksum[whole.count - 6] ^= 1
    let damaged = ReadRecording(wrongChecksum)
    #expect(damaged.samples.count == 3000)
    #expect(damaged.warnings.contains { $0.contains("damaged") })
    let garbage = ReadRecording(whole + Array("what is this".utf8))
    #expect(garbage.samples.count == 3000)
    #expect(garbage.warnings.contains { $0.contains("not gzip") })
    #expect(ReadRecording(Array(whole.prefix(12))).error == .damagedGzip(path: "walk.csv", byte: 12))
  }

  @Test("a window excludes samples before and after it")
  func window() throws {
    let text =
      "t,x,y,z\n" + (0..<500).map { "\(100 + $0 / 50).\($0 % 50 < 5 ? "0" : "")\($0 % 50 * 2),0,0,1\n" }.joined()
    let read = ReadRecording(text, RecordingOptions(window: try TimeWindow(start: "2.5", end: "4")))
    #expect(read.samples.count == 75)
    #expect(read.summary.firstTimestamp == 102_500_000_000)
    #expect(read.summary.lastTimestamp == 103_980_000_000)
    #expect(read.summary.recordingStart == 100_000_000_000)
    #expect(read.warnings == [])
    let outside = ReadRecording(text, RecordingOptions(window: try TimeWindow(start: "99", end: nil)))
    #expect(outside.samples.isEmpty && outside.error == nil)
    let sentence = "there are no samples between the given start and end; the recording"
    #expect(outside.warnings == ["\(sentence) has samples from 0 to 9.98 s"])
    let before = ReadRecording(text, RecordingOptions(window: try TimeWindow(start: nil, end: "0")))
    #expect(before.warnings == ["\(sentence) begins at 0 s"])
  }

  @Test("a window may use dates if the recording has dates, and is rejected otherwise")
  func absoluteWindow() throws {
    let options = RecordingOptions(
      window: try TimeWindow(start: "2023-11-14T23:13:21+01:00", end: "2023-11-14 22:13:22"))
    let dated = ReadRecording(
      "t,x,y,z\n" + (0..<200).map { "\(1_700_000_000_000 + $0 * 20),0,0,1\n" }.joined(), options)
    #expect(dated.samples.count == 50)
    #expect(dated.summary.firstTimestamp == 1_700_000_001_000_000_000)
    let late = ReadRecording(
      "t,x,y,z\n" + (0..<200).map { "\(1_700_000_000_000 + $0 * 20),0,0,1\n" }.joined(),
      RecordingOptions(window: try TimeWindow(start: "400", end: nil)))
    #expect(late.warnings.contains { $0.hasSuffix("22:13:20+00:00 to 2023-11-14T22:13:23.980+00:00 (0 to 3.98 s)") })
    let relative = ReadRecording("t,x,y,z\n" + plainRows(200), options)
    #expect(relative.error == .windowNeedsAbsoluteTime(path: "walk.csv"))
    #expect(relative.error?.kind == .usage)
  }

  @Test("a live pipe delivers samples as they arrive")
  func live() throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    func send(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(unsafe bytes.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) } == bytes.count)
    }
    let reader = RecordingReader(fileDescriptor: ends[0], name: "-", handingOver: true)
    var samples: [AccelerationSample] = []
    // A second and a half is enough to detect the layout.
    send("t,x,y,z\n" + plainRows(75))
    #expect(try reader.read(into: &samples))
    #expect(samples.count == 75)
    send(plainRows(1, from: 75) + "1.5")
    #expect(try reader.read(into: &samples))
    #expect(samples.count == 1)
    send("2,0.5,0.25,1\n")
    #expect(try reader.read(into: &samples))
    #expect(samples == [AccelerationSample(nanoseconds: 1_520_000_000, acceleration: [0.5, 0.25, 1])])
    close(ends[1])
    #expect(try !reader.read(into: &samples))
    #expect(try !reader.read(into: &samples))
  }

  @Test("batches are small, and the reader's memory does not grow with the recording")
  func batches() {
    let read = ReadRecording("t,x,y,z\n" + plainRows(30_000))
    #expect(read.samples.count == 30_000)
    #expect((read.batches.max() ?? 0) <= RecordingReader.batchSize + 1)
  }

  @Test("the times of all rows can be replaced, also of one that the end of the text decides")
  func retime() throws {
    let folder = try TemporaryDirectory()
    // A last time that may be in milliseconds is held until the next.
    let text = "t,x,y,z\n" + plainRows(100) + "2000,0,0,1\n"
    let reader = try RecordingReader(
      path: try folder.write(Array(text.utf8), to: "walk.csv"), options: RecordingOptions(unit: .g))
    var count: Int64 = 0
    reader.retime = { samples, _ in
      for index in samples.indices {
        count += 1
        samples[index].nanoseconds = count
      }
    }
    #expect(ReadRecording(reader).nanoseconds == Array(1...101))
  }

  @Test("the bytes may arrive in any pieces, whatever they contain", arguments: [1, 7, 4096])
  func pieces(size: Int) {
    let text =
      around("2.0,NaN,1,2\n\0\n# c\n\n1.0,0,0,1\n" + String(repeating: "q", count: 66_000) + "\n7,7\n")
      + "900,1,1,1\n3,1"
    let bytes = Array(
      text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: size == 7 ? "\r" : "\r\n").utf8)
    let whole = ReadRecording(bytes)
    let pieces = ReadRecording(bytes, pieces: size)
    #expect(whole.samples.count == 201)
    #expect(pieces.samples == whole.samples)
    #expect(pieces.summary == whole.summary)
  }

  @Test("random bytes and random damage never crash", arguments: 0..<40)
  func fuzz(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let texts = [
      "t,x,y,z\n" + plainRows(60), "time;ax;ay;az\r\n0,1;1,5;0,5;9,8\r\n",
      "{\"t\":1,\"a\":{\"x\":1,\"y\":[2],\"z\":3}}\n[1,2,3,4]\n", "2023-11-14T23:13:20.5Z,1,2,3\n",
    ]
    var bytes = Array((texts[seed % 4] + texts[(seed / 4) % 4] + plainRows(40, from: 100)).utf8)
    for _ in 0..<20 {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: place)
      case 2:
        bytes.insert(Array("0123456789.,;-+eE\n\r\"{}[]:# ".utf8).randomElement(using: &generator) ?? 0, at: place)
      default: bytes.replaceSubrange(place..<min(place + 3, bytes.count), with: Array("99999999999999999999".utf8))
      }
    }
    if seed % 5 == 0 { bytes = bytes.map { _ in UInt8.random(in: 0...255, using: &generator) } }
    let read = ReadRecording(bytes)
    #expect(zip(read.nanoseconds, read.nanoseconds.dropFirst()).allSatisfy { $0 < $1 })
    #expect(
      read.samples.allSatisfy { $0.acceleration.x.isFinite && $0.acceleration.y.isFinite && $0.acceleration.z.isFinite }
    )
    #expect(read.summary.samples == read.samples.count)
  }
}
