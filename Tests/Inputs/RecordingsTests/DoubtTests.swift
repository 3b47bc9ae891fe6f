import Accelerometry
import Platform
import TestSupport
import Testing

@testable import Recordings

/// A minute of walking as rows of text, in milliseconds.
private func walk(
  position: SensorPlacement = .lowerBack, seconds: Int = 60, _ number: (Float) -> String
) throws -> String {
  var walk = SyntheticWalk()
  walk.position = position
  walk.duration = .seconds(seconds)
  var reader = try walk.reader()
  var rows = "ms,x,y,z\n"
  var some: [AccelerationSample] = []
  while reader.read(into: &some) {
    for sample in some {
      let axes = [sample.acceleration.x, sample.acceleration.y, sample.acceleration.z].map(number)
      rows += "\(sample.nanoseconds / 1_000_000),\(axes.joined(separator: ","))\n"
    }
  }
  return rows
}

/// The readings of a converter.
private func readings(zero: Float, countsPerG: Float) -> (Float) -> String {
  { "\(Int((zero + $0 * countsPerG).rounded()))" }
}

@Suite("Readings of an analogue-digital converter", .timeLimit(.minutes(30)))
struct ConverterTests {
  @Test(
    "that is used up to half its range are shifted to zero, with a warning that shows both figures",
    arguments: [(512, 102), (2048, 372), (128, 25), (8192, 1638), (32_768, 6500)] as [(Float, Float)])
  func half(zero: Float, countsPerG: Float) throws {
    let read = ReadRecording(try walk(readings(zero: zero, countsPerG: countsPerG)))
    let straight = ReadRecording(try walk { "\($0)" })
    #expect(read.error == nil && read.summary.zero == Double(zero))
    let warning = try #require(read.warnings.first { $0.contains("\(RecordingOption.converter)") })
    #expect(warning.contains("\(Int(zero)) at 0 g"))
    var worst: Float = 0
    for (sample, expected) in zip(read.samples, straight.samples) {
      let difference = sample.acceleration - expected.acceleration
      worst = max(worst, (difference * difference).sum().squareRoot())
    }
    #expect(read.samples.count == straight.samples.count && worst < 0.2)
  }

  @Test(
    "whose zero is elsewhere are shifted by what the turning of the sensor shows", arguments: [(338, 67), (300, 120)])
  func centre(zero: Double, countsPerG: Double) {
    let rows = (0..<2000).map { row in
      // Gravity turns by a quarter in ten seconds, with some motion.
      let angle = Double(row) / 500 * 3.1416 / 2
      let motion = Double(row % 7 - 3) / 30
      let axes = [cos(angle) + motion, sin(angle) * 0.8, sin(angle) * 0.6 - motion]
      return "\(row * 20)," + axes.map { "\(Int((zero + $0 * countsPerG).rounded()))" }.joined(separator: ",") + "\n"
    }
    let read = ReadRecording("ms,x,y,z\n" + rows.joined())
    #expect(read.error == nil && abs(read.summary.zero - zero) < 0.1 * countsPerG, "\(read.summary.zero)")
  }

  @Test("whose zero cannot be known are a grave doubt, which names the option")
  func unknown() throws {
    let read = ReadRecording(try walk(readings(zero: 338, countsPerG: 67)))
    let refusal = read.summary.refusal(path: "walk.csv", isWithoutResult: true)
    #expect(refusal?.code == .doubtful && refusal?.message.contains("\(RecordingOption.converter)") == true)
    #expect(read.summary.refusal(path: "walk.csv") == nil)
  }

  @Test("are read as stated, and stated figures produce no warning", arguments: ["raw=102@512", "raw=67@338"])
  func stated(name: String) throws {
    var options = RecordingOptions()
    let isTaken = options.takeUnit(named: name)
    #expect(isTaken)
    let numbers = name.dropFirst(4).split(separator: "@").compactMap { Float($0) }
    let read = ReadRecording(try walk(readings(zero: numbers[1], countsPerG: numbers[0])), options)
    let straight = ReadRecording(try walk { "\($0)" })
    #expect(read.warnings == [] && read.samples.count == straight.samples.count)
    for (sample, expected) in zip(read.samples, straight.samples) {
      #expect(abs(sample.acceleration.z - expected.acceleration.z) < 0.6 / numbers[0])
    }
  }

  @Test(
    "need the counts as a number and a plain zero",
    arguments: ["g@512", "raw=@512", "raw=102@", "raw=102@x", "raw=102@inf"])
  func notUnits(name: String) {
    var options = RecordingOptions()
    let isTaken = options.takeUnit(named: name)
    #expect(!isTaken && options.unit == nil && options.zero == nil)
  }

  @Test("are no mg, and mg and g in any direction are no readings of a converter", arguments: [1, 1000] as [Float])
  func others(scale: Float) throws {
    for direction in [SIMD3<Float>(0, 0, 1), SIMD3(0.577, 0.577, 0.577)] {
      let rows = (0..<500).map { row in
        let motion = Float(row % 7 - 3) * 0.1
        let axes = (0..<3).map { "\(scale * (direction[$0] + ($0 == 2 ? motion : 0)))" }
        return "\(row * 20),\(axes.joined(separator: ","))\n"
      }
      #expect(ReadRecording("ms,x,y,z\n" + rows.joined()).summary.zero == 0)
    }
  }
}

@Suite("Grave doubts", .timeLimit(.minutes(30)))
struct DoubtTests {
  /// Counts of movement: whole numbers, half of them 0, never below.
  private func counts(_ row: Int) -> String {
    row % 3 == 0 ? "0,0,0" : "\(row * 7919 % 4001),\(row * 104_729 % 3001),\(row * 1301 % 2003)"
  }

  @Test(
    "activity counts are refused, whatever their times look like",
    arguments: ["time", "timestamp", "ms"], [1000, 60, 5, 60_000])
  func activityCounts(name: String, step: Int) {
    let rows = (0..<1000).map { "\($0 * step),\(counts($0))\n" }.joined()
    let read = ReadRecording("\(name),axis1,axis2,axis3\n" + rows)
    let error = read.error ?? read.summary.refusal(path: "walk.csv", isWithoutResult: true)
    // A thousand that look like a second in microseconds are too few to judge.
    #expect([.activityCounts, .implausibleRate, .doubtful].contains(error?.code), "\(error.debugDescription)")
    if step != 1000 { #expect(error?.code == .activityCounts || error?.code == .implausibleRate) }
    #expect(error?.kind == .badData)
  }

  @Test("the epoch in ActiLife's header is refused, and the same header above raw samples is not")
  func epoch() {
    func text(_ epoch: String) -> String {
      "------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.4 date format M/d/yyyy at 30 Hz -----------\n"
        + "Start Time 08:00:00\nStart Date 5/4/2026\nEpoch Period (hh:mm:ss) \(epoch)\n"
        + (0..<300).map { "0.\($0 % 7),0.1,-0.98\n" }.joined()
    }
    let error = ReadRecording(text("00:01:00")).error
    #expect(error == .epochs(path: "walk.csv", line: 4, seconds: 60) && error?.message.contains("60 s") == true)
    #expect(ReadRecording(text("00:00:00")).samples.count == 300)
  }

  @Test("samples that are unrelated to their neighbours are no hundred a second")
  func sparse() {
    let rows = (0..<1000).map { row in
      // Deviations from the mean in no order.
      "\(row * 5),\(Double(row * 7919 % 101 - 50) / 100),\(Double(row * 104_729 % 97 - 48) / 100),0.95\n"
    }
    let sparse = ReadRecording("time,x,y,z\n" + rows.joined()).summary
    #expect(sparse.refusal(path: "walk.csv", isWithoutResult: true)?.code == .doubtful)
    // A column that says so is believed.
    #expect(ReadRecording("time_ms,x,y,z\n" + rows.joined()).warnings == [])
  }

  @Test("Unix milliseconds a minute apart are no microseconds")
  func slowMilliseconds() {
    let rows = (0..<100).map { "\((1_777_882_500 + $0 * 60) * 1000),0.1,-0.2,0.\(90 + $0 % 9)\n" }.joined()
    #expect(ReadRecording("time,x,y,z\n" + rows).error?.code == .implausibleRate)
  }

  @Test("a date, a magnitude and an angle are not three axes")
  func dateAndTwo() {
    let rows = (0..<100).map { "2026-05-04 08:\(10 + $0 / 12):\(10 + $0 % 12 * 4),0.0\($0 % 9),\($0 % 90)\n" }.joined()
    #expect(ReadRecording("timestamp,ENMO,anglez\n" + rows).error?.code == .tooFewColumns)
  }

  @Test("doubt about the unit, the times or the columns refuses a count of nothing, and only warns otherwise")
  func withoutResult() {
    let rows = (0..<400).map { "\($0 * 60),0.\($0 % 7),-0.2,0.\(90 + $0 % 9)\n" }.joined()
    for header in ["time,x,y,z\n", "a,b,c,d\n"] {
      let summary = ReadRecording(header + rows).summary
      let refusal = summary.refusal(path: "walk.csv", isWithoutResult: true)
      #expect(refusal?.code == .doubtful)
      #expect(summary.refusal(path: "walk.csv") == nil && !summary.warnings.isEmpty)
      #expect(refusal?.message.hasPrefix("walk.csv: no steps were found, but ") == true)
    }
    let plain = ReadRecording("t,x,y,z\n" + plainRows(400)).summary
    #expect(plain.refusal(path: "walk.csv", isWithoutResult: true) == nil)
  }

  @Test(
    "a sensor that freezes in motion and stays frozen is named with the time, however its bytes arrive",
    arguments: [1, 7, 4096])
  func frozenEnd(pieces: Int) {
    let rows = (0..<200).map { "\(Double($0 * 2) / 100),0.\($0 % 7),-0.\($0 % 5),0.98\n" }.joined()
    func frozen(_ count: Int) -> String {
      (200..<200 + count).map { "\(Double($0 * 2) / 100),0.3,-0.1,0.98\n" }.joined()
    }
    let bytes = Array(("t,x,y,z\n" + rows + frozen(100)).utf8)
    let warning = ReadRecording(bytes, pieces: min(pieces, bytes.count)).warnings.first
    #expect(warning?.hasPrefix("from 4 s to the end all samples are the same") == true)
    // Too short to be told from rest; and still before.
    #expect(ReadRecording("t,x,y,z\n" + rows + frozen(70)).warnings == [])
    let still = (0..<200).map { "\(Double($0 * 2) / 100),0.30\($0 % 2),-0.1,0.98\n" }.joined()
    #expect(ReadRecording("t,x,y,z\n" + still + frozen(100)).warnings == [])
  }

  @Test("a frozen end is the same in batches of any sizes, even if a value was repeated before", arguments: 0..<40)
  func frozenBatches(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let period = Int64.random(in: 5...150, using: &random) * 1_000_000
    var accelerations = (0..<8).map { _ in Float.random(in: -0.4...0.4, using: &random) }.flatMap { value in
      Array(repeating: SIMD3(value, 0, 1), count: Int.random(in: 1...6, using: &random))
    }
    accelerations += Array(repeating: SIMD3(0.1, 0.2, 0.9), count: 330)
    let samples = accelerations.enumerated().map { index, acceleration in
      AccelerationSample(nanoseconds: Int64(index) * period, acceleration: acceleration)
    }
    var whole = FrozenEnd()
    whole.take(samples)
    for _ in 0..<20 {
      var cut = FrozenEnd()
      var rest = samples[...]
      while !rest.isEmpty {
        let size = min(rest.count, Int.random(in: 1...12, using: &random))
        cut.take(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(cut.freeze == whole.freeze)
    }
  }

  @Test("a sensor that moves again was not frozen to the end")
  func thawed() {
    let rows = (0..<400).map { row in
      (200..<300).contains(row)
        ? "\(Double(row * 2) / 100),0.3,-0.1,0.98\n" : "\(Double(row * 2) / 100),0.\(row % 7),-0.\(row % 5),0.98\n"
    }
    #expect(ReadRecording("t,x,y,z\n" + rows.joined()).summary.freeze == nil)
  }
}

@Suite("Calendar times of rows", .timeLimit(.minutes(30)))
struct CalendarRowTests {
  /// Seven minutes of rows 0.02 s apart, of which every minute begins in the middle of a batch.
  private static let rows = 21_000

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private static func fraction(_ row: Int) -> String { String(String(1000 + row % 50 * 20).dropFirst()) }

  @Test(
    "in every notation rise by their step, also from one minute, hour and day to the next",
    arguments: [
      "Y-M-DTh:m:s.f", "Y-M-D h:m:s,f", "D-May-Y h:m:s.f", "D.M.Y h:m:s.f", "Y-M-DTh:m:s.f+02:00", "Y-M-DTh:m:s.fZ",
      "Y/M/D h:m:s.f",
    ], [";", "\t"])
  func notations(notation: String, delimiter: String) {
    let text = (0..<Self.rows).map { row in
      // From 23:57 on the 4th of May.
      let second = (23 * 60 + 57) * 60 + row / 50
      let fields = [
        "Y": "2026", "M": "05", "D": Self.two(4 + second / 86_400), "h": Self.two(second / 3600 % 24),
        "m": Self.two(second / 60 % 60), "s": Self.two(second % 60), "f": Self.fraction(row),
      ]
      var time = ""
      var isName = false
      for character in notation {
        if notation.contains("May"), character == "M" { isName = true }
        time += isName ? String(character) : fields[String(character)] ?? String(character)
        if isName, character == "y" { isName = false }
      }
      return [time, "0.\(row % 7)", "-0.1", "0.9"].joined(separator: delimiter) + "\n"
    }.joined()
    let read = ReadRecording("time;x;y;z\n".split(separator: ";").joined(separator: delimiter) + text)
    #expect(read.error == nil && read.samples.count == Self.rows && read.warnings == [])
    let steps = Set(zip(read.nanoseconds, read.nanoseconds.dropFirst()).map { $1 - $0 })
    #expect(steps == [20_000_000])
  }

  @Test("a day whose name holds a month is read to the second, many samples in each")
  func wholeSeconds() {
    let text = (0..<600).map {
      "13-Nov-2025 10:\(Self.two(5 + $0 / 50 / 60)):\(Self.two($0 / 50 % 60)),0.\($0 % 7),-0.1,0.9\n"
    }
    .joined()
    let read = ReadRecording("Timestamp,X,Y,Z\n" + text)
    #expect(read.error == nil && read.samples.count == 600)
    #expect(read.nanoseconds.first == 1_763_028_300_000_000_000)
    #expect(read.warnings.count == 1 && read.warnings[0].contains("whole seconds"))
  }

  @Test("that go back, repeat or are no times are reported as in any other row")
  func odd() {
    func row(_ time: String) -> String { "2026-05-04T08:15:\(time),0.1,0.2,0.9\n" }
    let text =
      "time,x,y,z\n" + (0..<40).map { row("10.\(10 + $0)") }.joined() + row("10.49") + row("10.20")
      + row("6x.10") + row("60.00") + row("10.51") + row("10.5") + row("10.520000001") + row("10.53")
    let read = ReadRecording(text)
    #expect(read.summary.skipped[.repeatedTimestamp]?.count == 1)
    #expect(read.summary.skipped[.badTimestamp]?.count == 1)
    #expect(read.nanoseconds.last.map { $0 % 1_000_000_000 } == 530_000_000)
  }
}
