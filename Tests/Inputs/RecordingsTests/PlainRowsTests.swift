import Accelerometry
import Platform
import Testing

@testable import Recordings

@Suite("Fast parsing of numbers", .timeLimit(.minutes(30)))
struct PlainRowsTests {
  /// Whether the numbers are equal or adjacent.
  private func isWithinOneUlp(_ a: Float, _ b: Float) -> Bool { a == b || a == b.nextUp || a == b.nextDown }

  @Test(
    "a number is parsed within one unit in the last place",
    arguments: [
      "0", "-0", "1", "-1", "00001.5", "0.00001", "12345678", "-12345678", "1.2345678", "123456789", "0.123456789",
      "-1234.56789012345", "0.1234567890123456789", "99999999", "0.9999999", "1234567.8", "12345678.9", "5.", ".5",
      "-.5",
      "16777217", "0.000000001", "3.4028234", "1e-3", "2.5E+1", "+7.25", "123456789012345678901234567890",
      "0.30000001192092896",
    ])
  func exact(text: String) throws {
    // In g, between two numbers of other lengths, so that the bytes on both sides differ.
    let rows = (0..<60).map { "\(Double($0) / 50),1,0,0\n" }.joined()
    let read = ReadRecording(
      "t,x,y,z\n" + rows + "1.21,\(text),-\(text.drop { "+-".contains($0) }),\(text)\n", RecordingOptions(unit: .g))
    let expected = try #require(
      Float(
        text.hasPrefix(".") || text.hasPrefix("-.")
          ? text.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "0.")
          : text.hasSuffix(".") ? text + "0" : text))
    let sample = try #require(read.samples.last)
    #expect(sample.nanoseconds == 1_210_000_000)
    #expect(isWithinOneUlp(sample.acceleration.x, expected), "\(sample.acceleration.x) \(expected)")
    #expect(sample.acceleration.y == -abs(sample.acceleration.x))
    #expect(sample.acceleration.z == sample.acceleration.x)
  }

  @Test("random numbers of every length are exact", arguments: 0..<8)
  func random(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var expected: [SIMD3<Float>] = []
    var text = "t,x,y,z\n"
    for row in 0..<400 {
      let numbers = (0..<3).map { _ in number(&generator) }
      expected.append(SIMD3(Float(numbers[0]) ?? 0, Float(numbers[1]) ?? 0, Float(numbers[2]) ?? 0))
      text += "\(row * 10_000_000),\(numbers.joined(separator: ","))\n"
    }
    let read = ReadRecording(text, RecordingOptions(unit: .g))
    #expect(read.samples.count == 400)
    let wrong = zip(read.samples, expected).first { sample, expected in
      !(0..<3).allSatisfy { isWithinOneUlp(sample.acceleration[$0], expected[$0]) }
    }
    #expect(wrong == nil)
  }

  private func number(_ generator: inout SplitMix64) -> String {
    let whole = (0..<Int.random(in: 1...9, using: &generator)).map { _ in "\(Int.random(in: 0...9, using: &generator))"
    }.joined()
    let decimals = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
      "\(Int.random(in: 0...9, using: &generator))"
    }.joined()
    return (Bool.random(using: &generator) ? "-" : "") + whole + (decimals.isEmpty ? "" : "." + decimals)
  }

  @Test(
    "a timestamp is exact to the nanosecond",
    arguments: [
      ("t", "0.123456789", Int64(123_456_789)), ("t_ns", "1700000000123456789", 1_700_000_000_123_456_789),
      ("t_ns", "1700000000123456789.6", 1_700_000_000_123_456_790),
      ("t_s", "1700000000.123456789", 1_700_000_000_123_456_789),
      ("t_us", "1700000000123456.789", 1_700_000_000_123_456_789),
      ("t_ms", "1700000000123.456789", 1_700_000_000_123_456_789),
      ("t_s", "86399.99", 86_399_990_000_000), ("t_s", "-12.5", -12_500_000_000),
      ("t_s", "1.7e9", 1_700_000_000_000_000_000),
      ("t_s", "0.0000000004", 0), ("t_s", "0.0000000005", 1), ("t_s", "12345678", 12_345_678_000_000_000),
    ])
  func timestamps(name: String, text: String, nanoseconds: Int64) throws {
    let read = ReadRecording("\(name),x,y,z\n\(text),0,0,1\n")
    #expect(read.nanoseconds == [nanoseconds])
    // Again with plain rows.
    let unit: Int64 =
      name.hasSuffix("_ns") ? 1 : name.hasSuffix("_us") ? 1000 : name.hasSuffix("_ms") ? 1_000_000 : 1_000_000_000
    let start = nanoseconds / unit - 2
    guard unit < 1_000_000_000, start > 0 else { return }
    let step = 20_000_000 / unit
    let rows = (0..<80).map { "\(start - (80 - Int64($0)) * step),0,0,1\n" }.joined()
    #expect(ReadRecording("\(name),x,y,z\n\(rows)\(text),0,0,1\n").nanoseconds.last == nanoseconds)
  }

  @Test("both parsers give the same samples, in any order of columns")
  func sameAsCareful() {
    var generator = SplitMix64(seed: 7)
    let rows = (0..<600).map { row in
      ["\(Double(row) / 100)"]
        + (0..<4).map { _ in "\(Double(Int.random(in: -200_000...200_000, using: &generator)) / 100_000)" }
    }
    for order in [[0, 1, 2, 3], [0, 3, 2, 1], [4, 0, 2, 1, 3], [1, 0, 2, 3, 4], [0, 2, 3, 1, 4]] {
      let names = order.map { ["t", "x", "y", "z", "label"][$0] }.joined(separator: ",")
      let plain = rows.map { row in order.map { row[$0] }.joined(separator: ",") + "\n" }.joined()
      let quoted = rows.map { row in order.map { "\"\(row[$0])\"" }.joined(separator: ",") + "\n" }.joined()
      let options = RecordingOptions(unit: .milliG)
      let first = ReadRecording(names + "\n" + plain, options)
      #expect(first.samples.count == 600)
      #expect(first.samples == ReadRecording(names + "\n" + quoted, options).samples)
    }
  }

  @Test(
    "the fast parser gives exactly the results of the other one, even with damaged rows",
    arguments: 0..<4, [(true, false), (false, false), (true, true), (false, true)])
  func damaged(seed: Int, usage: (registers: Bool, keepsRepeats: Bool)) throws {
    var generator = SplitMix64(seed: UInt64(100 + seed))
    let dialect = CSVDialect(delimiter: UInt8(ascii: seed == 3 ? ";" : ","))
    let kinds: [(format: TimestampFormat, unit: Double, step: Double, decimals: Int)] = [
      (.seconds, 1e9, 0.01, 2), (.milliseconds, 1e6, 20, 0), (.seconds, 1e9, 0.005, 9), (.milliseconds, 1e6, 10, 3),
    ]
    let kind = kinds[seed]
    var text: [UInt8] = []
    var time = seed == 1 ? 1_700_000_000_000.0 : 0
    for _ in 0..<3000 {
      // Some times repeat, and some jump.
      let chance = Int.random(in: 0..<20, using: &generator)
      time += chance < 3 ? 0 : chance == 3 ? kind.step * 1000 : kind.step
      let whole = Int64(time)
      let fraction = "\(Int64(((time - Double(whole)) * 1e9).rounded()) + 1_000_000_000)".dropFirst().prefix(
        kind.decimals)
      var row = "\(whole)" + (fraction.isEmpty ? "" : "." + fraction)
      for axis in 0..<3 {
        row +=
          ","
          + (chance == 7 + axis ? ["-", "", ".", "-."][Int.random(in: 0..<4, using: &generator)] : number(&generator))
      }
      if chance == 4 { row += ",and,more" }
      var line = Array((row + (chance == 5 ? "\r\n" : "\n")).utf8)
      if seed == 3 { line = line.map { $0 == 0x2C ? 0x3B : $0 == 0x2E ? 0x2C : $0 } }
      if chance == 6 {
        let odd = Array("-.,+e \"\t;0NaN\0/:".utf8)
        line[Int.random(in: 0..<line.count - 1, using: &generator)] = odd.randomElement(using: &generator) ?? 0
      }
      text += line
    }
    let linesEnd = text.count
    text += [UInt8](repeating: UInt8(ascii: "7"), count: LineBuffer.slack)
    var decoder = RowDecoder(
      fields: RowFields(kind: .csv(dialect)), layout: ColumnLayout(time: 0, x: 1, y: 2, z: 3),
      timestampFormat: kind.format, unitInG: 1 / 9.80665)
    let mark = UInt8(ascii: seed == 3 ? "," : ".")
    let plain = try #require(
      PlainRows(decoder, decimalMark: mark, keepsRepeats: usage.keepsRepeats, usesRegisters: usage.registers))
    var (place, last, fast, repeats) = (0, Int64(-1), 0, 0)
    while place < linesEnd {
      var progress = PlainRows.Progress(place: place, last: last, plainEnd: .max, offset: 0, rowIndex: 0)
      var samples: [AccelerationSample] = []
      unsafe text.withUnsafeBufferPointer { bytes in
        samples.append(addingCapacity: 2048) { room in
          unsafe plain.read(bytes, linesEnd: linesEnd, progress: &progress, into: &room)
        }
      }
      var expected: [AccelerationSample] = []
      func nextRow() -> RowDecoder.Row {
        let end = text[place...].firstIndex(of: 0x0A) ?? linesEnd
        let row = decoder.decode(text.span, place..<(end > place && text[end - 1] == 0x0D ? end - 1 : end))
        place = end + 1
        return row
      }
      var seen = 0
      while place < progress.place {
        guard case .values(let nanoseconds, let acceleration) = nextRow() else {
          Issue.record("the fast parser accepted a row that the other one rejects, before byte \(place)")
          return
        }
        if nanoseconds == last { seen += 1 }
        if nanoseconds != last || usage.keepsRepeats {
          expected.append(.init(nanoseconds: nanoseconds, acceleration: acceleration))
        }
        last = nanoseconds
      }
      #expect(place == progress.place)
      #expect(progress.repeats == (usage.keepsRepeats ? 0 : seen))
      #expect(samples.count == expected.count)
      let wrong = zip(samples, expected).first { one, other in
        one.nanoseconds != other.nanoseconds
          || (0..<3).contains { one.acceleration[$0].bitPattern != other.acceleration[$0].bitPattern }
      }
      #expect(wrong == nil)
      (fast, repeats) = (fast + samples.count, repeats + seen)
      // The row at which it stopped.
      if place < linesEnd, case .values(let nanoseconds, _) = nextRow() { last = nanoseconds }
    }
    #expect(fast > 1500)
    #expect(repeats > 100)
  }

  @Test("rows that repeat a time are counted, with the line of the first, by both parsers")
  func repeated() {
    let rows = (0..<300).map { "\(Double($0 / 3) / 10),0.\($0 / 3 % 10),0,1" }
    let fast = ReadRecording("t,x,y,z\n" + rows.joined(separator: "\n") + "\n", RecordingOptions(unit: .g))
    let careful = ReadRecording(
      "t,x,y,z\n" + rows.map { "\"" + $0.replacing(",", with: "\",\"") + "\"" }.joined(separator: "\n") + "\n",
      RecordingOptions(unit: .g))
    #expect(fast.samples.count == 100)
    #expect(fast.samples == careful.samples)
    #expect(fast.summary.skipped == [.repeatedTimestamp: .init(count: 200, firstLine: 3)])
    #expect(fast.summary.skipped == careful.summary.skipped)
  }
}
