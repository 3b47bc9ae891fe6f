import Accelerometry
import Testing

@testable import Recordings

@Suite("Every row of a table is explained, or said", .timeLimit(.minutes(10)))
struct ExplainedRowsTests {
  /// A moving sensor in g, at rest for no longer than a moment.
  private func axes(_ row: Int) -> [String] {
    ["0.\(100 + row * 7 % 90)", "-0.\(100 + row * 5 % 80)", "0.\(900 + row * 11 % 99)"]
  }

  private func row(_ row: Int) -> String { axes(row).joined(separator: ",") }

  /// The time of a row at 50 Hz, in seconds with two decimals.
  private func seconds(_ row: Int) -> String { "\(row / 50)." + (row % 50 < 5 ? "0" : "") + "\(row % 50 * 2)" }

  private func table(_ header: String, _ rows: Int = 400, _ line: (Int) -> String) -> String {
    header + (0..<rows).map { line($0) + "\n" }.joined()
  }

  @Test("a sampling frequency is found above rows that end as on Windows")
  func windowsLines() {
    let text = table("# Sampling rate: 50 Hz\nx,y,z\n") { row($0) }
    let read = ReadRecording(text.replacing("\n", with: "\r\n"))
    #expect(read.error == nil)
    #expect(read.samples == ReadRecording(text).samples)
  }

  @Test(
    "signs, blanks and digits of other scripts are read like those of ASCII",
    arguments: [
      ("-", "\u{2212}"), ("-", "\u{200E}-"), (",", ",\u{00A0}"), ("1", "\u{0661}"), ("1", "\u{FF11}"),
    ])
  func otherCharacters(_ ascii: String, _ other: String) {
    let rows = table("") { "\(Double($0) / 50),\(row($0))" }
    let read = ReadRecording("time,x,y,z\n" + rows.replacing(ascii, with: other))
    #expect(read.error == nil)
    #expect(read.samples == ReadRecording("time,x,y,z\n" + rows).samples)
  }

  @Test("times with a no-break space before AM and PM are read", arguments: ["\u{202F}PM", "\u{00A0}p.\u{00A0}m."])
  func halvesOfDay(_ mark: String) {
    let text = table("time,x,y,z\n") { "3/25/2024 2:07:\(10 + $0 / 50).\(100 + $0 % 50 * 10) PM,\(row($0))" }
    #expect(ReadRecording(text.replacing(" PM", with: mark)).samples == ReadRecording(text).samples)
  }

  @Test(
    "rows of several sensors are told apart by a tag without a name",
    arguments: [
      ["A", "G"], ["Accelerometer", "Gyroscope"], ["1", "4"], ["sensor.accelerometer", "sensor.gyroscope"],
    ])
  func tags(_ tags: [String]) {
    let read = ReadRecording(
      table("", 800) { number in
        let time = number / 2 * 20 + number % 2
        let gyroscope = "\(number % 7 - 3).5,\(number % 5 - 2).25,\(number % 3 - 1).75"
        return "\(tags[number % 2]),\(time),\(number % 2 == 0 ? row(number / 2) : gyroscope)"
      })
    #expect(read.error == nil)
    #expect(read.samples.count == 400)
  }

  @Test("of several devices the first is read, and said")
  func devices() {
    let read = ReadRecording(
      table("device,timestamp,x,y,z\n", 800) { number in
        let values = axes(number / 2)
        let turned = [values[2], values[0], values[1]].joined(separator: ",")
        let time = 1_709_647_651_000 + number / 2 * 20 + number % 2 * 3
        return "\(number % 2 == 0 ? "left" : "right"),\(time),\(number % 2 == 0 ? row(number / 2) : turned)"
      })
    #expect(read.samples.count == 400)
    #expect(read.warnings.contains { $0.contains("2 devices") && $0.contains("left, right") }, "\(read.warnings)")
  }

  @Test("rows of a file that are out of order are sorted, and those of a pipe are refused")
  func order() {
    var numbers = Array(0..<1000)
    numbers[100..<150].reverse()
    numbers.replaceSubrange(300..<500, with: Array(400..<500) + Array(300..<400))
    let text = "time,x,y,z\n" + numbers.map { "\(Double($0) / 50),\(row($0))\n" }.joined()
    let read = ReadRecording(text)
    #expect(read.samples == ReadRecording(table("time,x,y,z\n", 1000) { "\(Double($0) / 50),\(row($0))" }).samples)
    #expect(read.warnings.contains { $0.contains("they were sorted") }, "\(read.warnings)")
    let piped = ReadRecording(Array(text.utf8), pieces: 4)
    #expect(piped.summary.refusal(path: "walk.csv")?.code == .disordered)
  }

  @Test("times that a spreadsheet rounded to minutes are refused, unless a sampling frequency is given")
  func coarseTimes() {
    let text = table("time,x,y,z\n", 4000) { "14:0\(7 + ($0 + 900) / 3000),\(row($0))" }
    let read = ReadRecording(text)
    #expect(read.error?.code == .coarseTimes)
    #expect(read.error?.message.contains("resolution of 60 s") == true)
    let rated = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(rated.samples.count == 4000)
    #expect(rated.summary.span == .milliseconds(3999 * 20))
  }

  @Test("times of ten seconds with as many rows each are spread over these, and the warning does not speak of seconds")
  func evenTimes() {
    let read = ReadRecording(table("time,x,y,z\n", 4000) { "\(1_778_062_270 + $0 / 500 * 10),\(row($0))" })
    #expect(read.samples.count == 4000 && read.summary.span > .seconds(79))
    let spread = read.warnings.filter { $0.contains("spread evenly") }
    #expect(spread == ["the timestamps have a resolution of 10 s; samples were spread evenly over it"])
  }

  @Test("samples that share the time of their packet are spread up to the next packet", arguments: [2, 8, 16, 64])
  func packets(_ size: Int) {
    let time = { (number: Int) in number / size * size * 20 + [0, 7, 3, 9][number / size % 4] }
    let text = table("time_ms,x,y,z\n", 1024) { "\(time($0) + ($0 < 512 ? 0 : 10_000)),\(row($0))" }
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 7)] {
      #expect(read.samples.count == 1024 && read.summary.skipped.isEmpty)
      #expect(read.warnings.first?.contains("several rows share each time") == true, "\(read.warnings)")
      let steps = zip(read.nanoseconds, read.nanoseconds.dropFirst()).map { $1 - $0 }
      #expect(steps.allSatisfy { $0 > 0 } && abs(steps[..<500].reduce(0, +) / 500 - 20_000_000) < 400_000)
      // Nothing is moved into a pause.
      #expect(read.summary.gaps == 1 && read.summary.longestGap > .seconds(9))
    }
  }

  @Test(
    "samples with the times at which their packets arrived are spread up to the next packet", arguments: [5, 10, 25],
    [1e-3, 1, 1000])
  func arrivals(_ size: Int, _ tick: Double) {
    let arrival = { (number: Int) in
      let packet = number / size
      return Double(packet * size * 40 + [0, 7, 3, 9][packet % 4]) + Double(number % size)
        * [0.3, 0.9, 0.05][packet % 3]
    }
    let text = table("time,x,y,z\n", 1000) { "\((arrival($0) * tick * 1e4).rounded() / 1e4),\(row($0))" }
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 7)] {
      #expect(
        read.samples.count == 1000 && read.summary.skipped.isEmpty, "\(read.error?.message ?? "") \(read.warnings)")
      #expect(read.warnings.first?.contains("packets of rows arrived") == true, "\(read.warnings)")
      let late = zip(read.nanoseconds, 0...).map { $0 - Int64($1) * 40_000_000 }
      #expect(late.allSatisfy { abs($0) < 11_000_000 }, "\(late.min() ?? 0) \(late.max() ?? 0)")
    }
  }

  @Test("a row that goes back within its packet stays there")
  func disorderedArrivals() {
    let time = { (number: Int) in number / 10 * 400 + (number % 10 + (number % 100 == 55 ? -4 : 0)) * 2 }
    let read = ReadRecording(table("time_ms,x,y,z\n", 1000) { "\(time($0)),\(row($0))" })
    #expect(read.samples.count == 1000 && read.summary.refusal(path: "") == nil, "\(read.error?.message ?? "")")
    #expect(zip(read.nanoseconds, 0...).allSatisfy { $0 == Int64($1) * 40_000_000 })
  }

  @Test("a sensor that measures in turns and sleeps, or samples slowly before it samples fast, keeps its times")
  func turns() {
    for time in [
      { $0 / 10 * 1000 + $0 % 10 * 10 }, { $0 / 50 * 10_000 + $0 % 50 * 20 }, { min($0, 12) * 160 + $0 * 2 },
    ] {
      let read = ReadRecording(table("time_ms,x,y,z\n", 1000) { "\(time($0)),\(row($0))" })
      #expect(zip(read.nanoseconds, 0...).prefix(50).allSatisfy { $0 == Int64(time($1)) * 1_000_000 })
      #expect(!read.warnings.contains { $0.contains("packets") }, "\(read.warnings)")
    }
  }

  @Test("a stated sampling frequency has precedence over times that packets share", arguments: ["time,x,y,z\n", ""])
  func ratedPackets(_ header: String) {
    let read = ReadRecording(
      table(header, 1000) { "\($0 / 10 * 10 / 50).\($0 / 10 % 5 * 2)3,\(row($0))" },
      RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 52)))
    #expect(read.samples.count == 1000 && abs(read.summary.span / .seconds(999.0 / 52) - 1) < 1e-6)
  }

  @Test("rows that a program wrote several times with their time are one sample")
  func copies() {
    let read = ReadRecording(table("time_ms,x,y,z\n", 1200) { "\($0 / 3 * 20),\(row($0 / 3))" })
    #expect(read.summary.skipped[.repeatedTimestamp]?.count == 800)
    #expect(read.samples.count == 400 && !read.warnings.contains { $0.contains("share") }, "\(read.warnings)")
  }

  @Test(
    "times that a spreadsheet rounded to tenths of a second, without the hour, are spread", arguments: [".", ","])
  func minutes(_ mark: String) {
    let separator = mark == "," ? ";" : ","
    let read = ReadRecording(
      table("time,x,y,z\n".replacing(",", with: separator), 1000) { number in
        let tenths = 5 * 600 + 583 + number / 5
        let second = "\(tenths / 10 % 60 + 100)".dropFirst()
        let values = row(number).replacing(",", with: separator).replacing(".", with: mark)
        return "0\(tenths / 600):\(second)\(mark)\(tenths % 10)\(separator)\(values)"
      })
    #expect(read.error == nil && read.samples.count == 1000)
    #expect(read.summary.span > .milliseconds(19_900) && read.summary.span < .seconds(20))
  }

  @Test("rows in no order are sorted if one even clock explains them, and refused otherwise")
  func shuffled() {
    let numbers = (0..<1000).map { $0 * 367 % 1000 }
    let text = "time,x,y,z\n" + numbers.map { "\(seconds($0)),\(row($0))\n" }.joined()
    let read = ReadRecording(text)
    #expect(read.samples == ReadRecording(table("time,x,y,z\n", 1000) { "\(seconds($0)),\(row($0))" }).samples)
    #expect(read.warnings == ["the rows are not in the order of their times; they were sorted"])
    #expect(ReadRecording(Array(text.utf8), pieces: 4).summary.refusal(path: "walk.csv") != nil)
    // The column of another quantity under the name of the time.
    let other = ReadRecording(table("x,y,z,time\n", 1000) { "\(seconds($0)),\(row($0))" })
    #expect(other.error != nil || other.summary.refusal(path: "walk.csv") != nil)
  }

  @Test("the time at which a row was stored is used if there is no other")
  func stored() {
    let stored = { (number: Int) in "2024-03-05T14:02:\(10 + number / 50)Z" }
    let read = ReadRecording(table("id,received_at,x,y,z\n") { "\($0),\(stored($0)),\(row($0))" })
    #expect(read.samples.count == 400 && read.warnings.contains { $0.contains("whole seconds") }, "\(read.warnings)")
    let both = ReadRecording(table("received_at,time_ms,x,y,z\n") { "\(stored($0)),\($0 * 20),\(row($0))" })
    #expect(both.summary.span == .milliseconds(399 * 20))
  }

  @Test("axes with the numbers of their channels are of one sensor, unless another has all axes")
  func channels() {
    let read = ReadRecording(table("Sampling period,20,ms\nNo.,CH1 X [g],CH2 Y [g],CH3 Z [g]\n") { "\($0),\(row($0))" })
    #expect(read.samples.count == 400 && read.summary.columns?.x == "CH1 X [g]", "\(read.error as Any)")
    let two = ReadRecording(
      table("t,ax1,ay1,az1,ax2,ay2\n") { "\(seconds($0)),\(row($0)),0.5,0.5" })
    #expect(two.summary.columns?.z == "az1" && two.samples.count == 400)
  }

  @Test("the number that tells sensors apart is no axis")
  func numbersOfSensors() {
    let read = ReadRecording(
      table("timestamp_ns,sensor_type,v0,v1,v2\n", 800) { number in
        let values = number % 2 == 0 ? row(number / 2) : "0.0\(number % 7),-0.0\(number % 5),0.1"
        return "\(8_123_400 + number / 2 * 20 + number % 2)000000,\([1, 4][number % 2]),\(values)"
      })
    #expect(read.samples.count == 400)
    #expect((read.samples.first?.acceleration.z ?? 0) > 0.8, "\(read.warnings)")
  }

  @Test("a value that a program writes for failed reads is no sample", arguments: [-1, 65535])
  func failedReads(_ value: Int) {
    let read = ReadRecording(
      table("ms,x,y,z\n", 1000) { number in
        let isFailed = number % 100 < 3
        let values = "\(1900 + number % 90),-\(300 + number % 70),16\(100 + number % 80)"
        return "\(number * 20)," + (isFailed ? "\(value),\(value),\(value)" : values)
      })
    #expect(read.samples.count == 970)
    #expect(read.summary.skipped[.failedRead]?.count == 30)
  }

  @Test("a sensor that is off for a second now and then delivers zeros, which stay: steps are counted on over them")
  func off() {
    let read = ReadRecording(
      table("t,x,y,z\n", 1000) { number in
        let isOff = number % 125 < 25
        return "\(Double(number) / 25)," + (isOff ? "0,0,0" : "0.9\(100 + number % 90),0.0\(10 + number % 70),0.1")
      })
    #expect(read.samples.count == 1000)
    #expect(read.summary.skipped[.failedRead] == nil)
  }

  @Test("without names, the columns with gravity are those that have it in all of a file")
  func gravity() {
    let read = ReadRecording(
      table("", 2000) { number in
        let turning =
          number < 300
          ? "\(100 + number % 9).5,2.\(number % 7),-1.\(number % 5)"
          : "\(number % 9 - 4).5,\(number % 7 - 3).5,\(number % 5 - 2).5"
        return "1572339\(seconds(number + 10_000)),\(turning),\(row(number))"
      })
    #expect(read.summary.columns?.x == "5")
  }

  @Test("the time may be in several columns", arguments: ["hour,min,sec,ms", "tv_sec,tv_usec"])
  func splitTime(_ names: String) {
    let read = ReadRecording(
      table(names + ",ax,ay,az\n") { number in
        let (second, step) = (number / 50, number % 50 * 20)
        let time = names.hasPrefix("hour") ? "14,7,\(second),\(step)" : "\(1_709_647_651 + second),\(step * 1000)"
        return "\(time),\(row(number))"
      })
    #expect(read.samples.count == 400)
    #expect(Set(zip(read.nanoseconds, read.nanoseconds.dropFirst()).map { $1 - $0 }) == [20_000_000])
  }

  @Test("decimal commas are read in columns that commas separate, with quotes or without", arguments: ["\"", ""])
  func decimalCommas(_ quote: String) {
    let plain = table("Time (s),X (g),Y (g),Z (g)\n") { number in
      ([seconds(number)] + axes(number)).joined(separator: ",")
    }
    let commas = plain.split(separator: "\n").enumerated().map { index, line in
      guard index > 0 else { return String(line) }
      return line.split(separator: ",").map { quote + $0.replacing(".", with: ",") + quote }.joined(separator: ",")
    }
    let read = ReadRecording(commas.joined(separator: "\n") + "\n")
    #expect(read.error == nil)
    #expect(read.samples == ReadRecording(plain).samples)
  }

  @Test("quoted thousands are read as such")
  func thousands() {
    let read = ReadRecording(
      table("ms,x,y,z\n") { number in
        let time = number * 20
        let text = time < 1000 ? "\(time)" : "\(time / 1000),\(String(time % 1000 + 1000).dropFirst())"
        return "\"\(text)\",\"11\(number % 9)\",\"4\(number % 9)\",\"98\(number % 9)\""
      })
    #expect(read.samples.count == 400)
    #expect(read.summary.span == .milliseconds(399 * 20))
  }

  @Test(
    "files of other kinds are named",
    arguments: [
      ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "Excel"), (Array("RIFF1234WAVEfmt ".utf8), "WAV"),
      (Array("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n".utf8), "git lfs pull"),
    ] as [([UInt8], String)])
  func otherKinds(_ head: [UInt8], _ word: String) {
    #expect(ReadRecording(head + [UInt8](repeating: 10, count: 64)).error?.message.contains(word) == true)
  }

  @Test(
    "points and apostrophes between thousands are no decimal marks, wherever the first one stands",
    arguments: [".", "'", "’"], [";", "\t"])
  func thousands(_ separator: String, _ delimiter: String) {
    func text(_ separator: String) -> String {
      func number(_ value: Int) -> String {
        guard abs(value) > 999 else { return "\(value)" }
        let rest = "\(abs(value) % 1000)"
        return "\(value / 1000)" + separator + String(repeating: "0", count: 3 - rest.count) + rest
      }
      return table("time_ms;x_mg;y_mg;z_mg\n".replacing(";", with: delimiter)) { row in
        // The first second is below one g.
        let z = 900 + row * 11 % (row < 50 ? 99 : 199)
        return [row * 20, 100 + row * 7 % 90, -80 - row * 5 % 80, z].map(number).joined(separator: delimiter)
      }
    }
    let read = ReadRecording(text(separator))
    #expect(read.error == nil)
    #expect(read.samples == ReadRecording(text("")).samples && read.samples.count == 400)
    #expect(read.warnings.contains { $0.contains("separators of thousands") }, "\(read.warnings)")
  }

  @Test(
    "a pipe waits for thousands only where a number comes near one, or where milliseconds will pass one",
    arguments: [("512", 8), ("977", 100), ("512\t20", 400)])
  func patience(_ number: String, _ lines: Int) {
    var search = TextFormatSearch()
    var text: [UInt8] = []
    let decided = (1...500).first { _ in
      text += Array("101\t498\t\(number)\n".utf8)
      return search.format(of: text, isAll: false) != nil
    }
    #expect(decided == lines)
  }

  @Test("a pipe waits no longer for thousands when a number above one has no mark")
  func thousandWithoutMark() {
    var search = TextFormatSearch()
    var text: [UInt8] = []
    let decided = (1...500).first { row in
      text += Array("\(row * 20);101;-498;512\n".utf8)
      return search.format(of: text, isAll: false) != nil
    }
    #expect(decided == 50)
  }

  @Test("numbers with a decimal point between semicolons stay as they are")
  func decimals() {
    let text = table("time_ms;x_mg;y_mg;z_mg\n") {
      "\($0 * 20);\(100 + $0 * 7 % 90);\(-80 - $0 % 80);\(900 + $0 % 99).125"
    }
    let read = ReadRecording(text)
    #expect(read.samples.first.map { abs($0.acceleration.z - 0.900125) < 1e-5 } == true, "\(read.samples.prefix(1))")
    #expect(!read.warnings.contains { $0.contains("thousands") })
  }

  @Test("a unit in the names that the values contradict is corrected, and said", arguments: ["m/s^2", "mg"])
  func contradiction(_ unit: String) {
    func text(_ unit: String) -> String {
      table("time (s),ax (\(unit)),ay (\(unit)),az (\(unit))\n") { "\(seconds($0)),\(row($0))" }
    }
    let read = ReadRecording(text(unit))
    #expect(read.samples == ReadRecording(text("g")).samples && read.samples.count == 400)
    #expect(read.warnings.contains { $0.contains("in g, which was used") }, "\(read.warnings)")
    var options = RecordingOptions()
    options.unit = .milliG
    #expect(ReadRecording(text(unit), options).samples != read.samples, "what the user states is used")
  }

  @Test("the interval above the rows gives the rate", arguments: ["Sampling period,20,ms", "Sampling interval: 20 ms"])
  func interval(_ line: String) {
    let read = ReadRecording(table("Device,BX-200\n\(line)\nx,y,z\n") { row($0) })
    #expect(read.error == nil)
    #expect(read.samples == ReadRecording(table("# Sampling rate: 50 Hz\nx,y,z\n") { row($0) }).samples)
  }

  @Test("a date and a time under \"Fecha y hora\" are times")
  func fecha() {
    let rows = { (name: String) in
      self.table("\(name);X (g);Y (g);Z (g)\n") { number in
        "2024-03-05 11:59:\(10 + number / 50).\(100 + number % 50 * 10);" + self.axes(number).joined(separator: ";")
      }
    }
    #expect(ReadRecording(rows("Fecha y hora")).samples == ReadRecording(rows("Fecha")).samples)
    #expect(ReadRecording(rows("Fecha y hora")).error == nil)
  }

  @Test("quoted numbers with a decimal comma may have an exponent")
  func exponents() {
    let text = table("\"Time (s)\",\"x (g)\",\"y (g)\",\"z (g)\"\n") { number in
      ([seconds(number)] + axes(number)).map { "\"\($0.replacing(".", with: ","))E+00\"" }.joined(separator: ",")
    }
    let read = ReadRecording(text)
    #expect(read.error == nil)
    #expect(read.samples == ReadRecording(table("time,x (g),y (g),z (g)\n") { "\(seconds($0)),\(row($0))" }).samples)
  }
}
