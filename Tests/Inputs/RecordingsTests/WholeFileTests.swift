import Accelerometry
import Testing

@testable import Recordings

@Suite("The layout that explains most of a file is used", .timeLimit(.minutes(30)))
struct WholeFileTests {
  /// A moving sensor in g.
  private func axes(_ row: Int) -> [String] {
    ["0.\(100 + row * 7 % 90)", "-0.\(100 + row * 5 % 80)", "0.\(900 + row * 11 % 99)"]
  }

  private func row(_ row: Int, _ separator: String = ",") -> String { axes(row).joined(separator: separator) }

  private func table(_ header: String, _ rows: Int = 400, _ line: (Int) -> String) -> String {
    header + (0..<rows).map { line($0) + "\n" }.joined()
  }

  /// The samples of the same rows with plain names and times of 50 Hz.
  private func plain(_ rows: Int = 400) -> [AccelerationSample] {
    ReadRecording(table("time_ms,x,y,z\n", rows) { "\($0 * 20),\(row($0))" }).samples
  }

  private func accelerations(_ read: ReadRecording) -> [SIMD3<Float>] { read.samples.map(\.acceleration) }

  private func steps(_ read: ReadRecording) -> Set<Int64> {
    Set(zip(read.nanoseconds, read.nanoseconds.dropFirst()).map { $1 - $0 })
  }

  // MARK: Columns without names

  private func number(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }

  @Test("a quaternion is no acceleration, although three of its parts may look like one g", arguments: [true, false])
  func quaternion(_ isFile: Bool) {
    let text = table("", 1000) { row in
      let turn = Double(row) / 400
      // The first part falls, and one stands still.
      let (w, y) = (0.6 - turn / 10, 0.05)
      let parts = [w, y, 0.01, (1 - w * w - y * y - 0.0001).squareRoot()].map(number)
      let metres = [1.0 + Double(row * 7 % 90) / 100, -2.1 - Double(row % 5) / 100, 9.2 + Double(row * 11 % 99) / 100]
        .map(number)
      return "\(40_210 + row * 20)," + (parts + metres).joined(separator: ",")
    }
    let read = isFile ? ReadRecording(text) : ReadRecording(Array(text.utf8), pieces: 3)
    #expect(read.summary.columns?.x == "6", "\(read.warnings)")
    #expect(read.summary.unit == .metresPerSecondSquared && read.samples.count == 1000)
  }

  @Test("a temperature in front of the axes is none of them")
  func temperature() {
    let read = ReadRecording(table("", 1000) { "\($0 * 20),26.\(50 + $0 / 100),\(row($0))" })
    #expect(read.summary.columns?.x == "3", "\(read.warnings)")
    let behind = ReadRecording(table("", 1000) { "\($0 * 20),\(row($0)),26.\(50 + $0 / 100)" })
    #expect(behind.summary.columns?.x == "2" && behind.warnings.isEmpty, "\(behind.warnings)")
  }

  // MARK: Rows between samples

  @Test("zeros between the samples of a sensor that is slower than the rows are no samples", arguments: [2, 10])
  func filler(_ every: Int) {
    let read = ReadRecording(
      table("time_ms,x,y,z\n", 4000) { number in
        "\(number * 20 / every)," + (number % every == 0 ? row(number / every) : "0,0,0")
      })
    #expect(read.samples.count == 4000 / every && steps(read) == [20_000_000])
    #expect(read.profile.samplingFrequency.map { abs($0.hertz - 50) < 0.1 } == true)
    #expect(read.summary.skipped[.failedRead]?.count == 4000 - 4000 / every)
    #expect(read.summary.refusal(path: "walk.csv") == nil)
  }

  @Test("a sensor that sleeps as long each time is no filler")
  func duty() {
    let read = ReadRecording(
      table("time_ms,x,y,z\n", 1000) { "\($0 * 20)," + ($0 % 50 < 25 ? row($0) : "0,0,0") })
    #expect(read.summary.skipped[.failedRead] == nil)
  }

  // MARK: Times

  @Test("milliseconds behind a third colon may have no leading zeros", arguments: ["2026-05-04 ", ""])
  func milliseconds(_ date: String) {
    let read = ReadRecording(
      table("time,x,y,z\n") { "\(date)08:15:\(10 + $0 / 50):\($0 % 50 * 20),\(row($0))" })
    #expect(read.samples.count == 400 && steps(read) == [20_000_000])
  }

  @Test("two digits behind a third colon are hundredths of a second if some begin with a zero")
  func hundredths() {
    let read = ReadRecording(
      table("time,x,y,z\n") { number in
        let hundredths = (number + 20) % 50 * 2
        return "2026-05-04 08:15:\(10 + (number + 20) / 50):" + (hundredths < 10 ? "0" : "")
          + "\(hundredths),\(row(number))"
      })
    #expect(read.samples.count == 400 && steps(read) == [20_000_000])
  }

  @Test("a time in brackets as of C's ctime stands before the numbers", arguments: ["[%] ", "%,"])
  func bracketed(_ form: String) {
    let read = ReadRecording(
      table(form == "%," ? "time,x,y,z\n" : "") { number in
        let time = "Mon May 04 08:15:\(10 + number / 50).\(100 + number % 50 * 10) 2026"
        return form.replacing("%", with: time) + row(number)
      })
    #expect(read.samples.count == 400 && steps(read) == [10_000_000, 510_000_000])
    #expect(read.nanoseconds.first == 1_777_882_510_100_000_000)
  }

  @Test("times before and after a change of the clock are those of the rows, with the offset of each")
  func clockChange() {
    let read = ReadRecording(
      table("time,ax,ay,az\n", 1000) { number in
        let second = "\(100 + (50 + number / 50) % 60)".dropFirst()
        return "2025-11-02 0\(number < 500 ? "1:59" : "1:00"):\(second).\(100 + number % 50 * 10),\(row(number))"
      })
    // New York: four hours behind until six in UTC, then five.
    let zone = { (nanoseconds: Int64, isWall: Bool) in
      nanoseconds / 1_000_000_000 < 1_762_063_200 - (isWall ? 4 * 3600 : 0) ? -4 * 3600 : -5 * 3600
    }
    let (summary, times) = (read.summary, read.nanoseconds)
    let shown = times.map { (summary.clockText(of: $0) ?? "", summary.clockText(of: $0, zone: zone) ?? "") }
    for (number, (plain, zoned)) in shown.enumerated() {
      let isLater = number >= 500
      #expect(plain.hasPrefix(isLater ? "2025-11-02T01:00:0" : "2025-11-02T01:59:5"), "\(plain)")
      #expect(zoned == plain + (isLater ? "-05:00" : "-04:00"))
    }
    #expect(times.count == 1000 && summary.gaps == 0)
    // A second that begins between the two rows is the later one.
    let change = times[499] / 1_000_000_000 * 1_000_000_000 + 1_000_000_000
    #expect(summary.clockText(of: change, zone: zone) == "2025-11-02T01:00:00-05:00")
  }

  @Test("a start in local time is before an end that is a moment, although its figures are later")
  func mixedWindow() throws {
    var options = try RecordingOptions(
      format: "auto", units: "auto", rate: nil, columns: nil, start: "2026-05-04T08:15:02", end: "2026-05-04T06:15:06Z")
    options.zone = RecordingZone(name: "+02:00") { _ in 7200 }
    let text = table("time,x,y,z\n") { "2026-05-04 08:15:0\($0 / 50).\(100 + $0 % 50 * 10),\(row($0))" }
    let read = ReadRecording(text, options)
    #expect(read.samples.count == 200 && read.warnings == [])
  }

  @Test("clock times follow the rows of a clock that is set often", arguments: [true, false])
  func oftenSet(_ isFile: Bool) {
    let hour: Int64 = 3600 * 1_000_000_000
    // From row 200 on, it is set back before every other row.
    let times = (0..<600).map { (row: Int) -> Int64 in
      1_777_882_500_000_000_000 + Int64(row) * 20_000_000 - Int64(max(0, row / 2 - 99)) * hour
    }
    let text = table("time,x,y,z\n", times.count) { number in
      "\(ClockTime.iso8601(wallNanoseconds: times[number], offset: nil, decimals: 3)),\(row(number))"
    }
    let read = isFile ? ReadRecording(text) : ReadRecording(Array(text.utf8), pieces: 7)
    #expect(read.samples.count == 600 && steps(read) == [20_000_000], "\(read.warnings)")
    #expect(read.nanoseconds.map { read.summary.shown($0) } == times)
  }

  @Test("a window with offsets is one of moments, also in the hour that the zone's clocks show twice")
  func windowInRepeatedHour() throws {
    var options = RecordingOptions()
    // New York: 2025-11-02T06:00Z.
    options.zone = RecordingZone(name: "New York") { $0 < 1_762_063_200_000_000_000 ? -14_400 : -18_000 }
    let text = table("time,ax,ay,az\n", 1000) { number in
      let second = number < 500 ? "1:59:5" : "1:00:0"
      return "2025-11-02 0\(second)\(number / 50 % 10).\(100 + number % 50 * 10),\(row(number))"
    }
    for (start, end, samples) in [
      ("05:59:55Z", nil, 750), ("06:00:05Z", nil, 250), ("01:00:05-05:00", nil, 250), (nil, "05:59:55Z", 250),
      ("05:59:55Z", "06:00:05Z", 500),
    ] as [(String?, String?, Int)] {
      options.window = try TimeWindow(start: start.map { "2025-11-02T" + $0 }, end: end.map { "2025-11-02T" + $0 })
      let part = ReadRecording(text, options)
      #expect(part.samples.count == samples && part.warnings == [], "\(start ?? "") \(end ?? "") \(part.warnings)")
    }
  }

  @Test("the rows of an hour that local times repeat are in their order, in a file as in a pipe")
  func repeatedHour() {
    let text = table("time,ax,ay,az\n", 12_000) { number in
      let second = number / 10
      let (minute, hundred) = (second < 600 ? 50 + second / 60 : (second - 600) / 60, 100 + second % 60)
      return "2026-10-25 02:\("\(100 + minute)".dropFirst()):\("\(hundred)".dropFirst()).\(number % 10),\(row(number))"
    }
    let (file, pipe) = (ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 3))
    #expect(file.nanoseconds == pipe.nanoseconds && file.samples.count == 12_000)
    #expect(steps(file) == [100_000_000], "\(file.warnings)")
    #expect(file.summary.clockText(of: file.nanoseconds[0])?.contains("02:50:00") == true)
  }

  @Test("times after a stated start in local time go on when the zone's clocks are set", arguments: [true, false])
  func startBeforeChange(isAutumn: Bool) {
    // Berlin: 2026-03-29T01:00Z to 2026-10-25T01:00Z.
    let berlin = RecordingZone(name: "Berlin") {
      (1_774_746_000_000_000_000..<1_792_890_000_000_000_000).contains($0) ? 7200 : 3600
    }
    let (date, hour) = isAutumn ? ("2026-10-25", 2) : ("2026-03-29", 1)
    func shown(_ zone: String) -> [String] {
      let header = "# start: \(date)T0\(hour):59:56\(zone)\nt,x,y,z\n"
      let read = ReadRecording(table(header) { "\(Double($0) / 50),\(row($0))" })
      return [0, 199, 200].compactMap { read.summary.clockText(of: read.nanoseconds[$0], in: berlin) }
    }
    let times = ["\(date)T0\(hour):59:56", "\(date)T0\(hour):59:59.980"]
    let after = isAutumn ? "2026-10-25T02:00:00+01:00" : "2026-03-29T03:00:00+02:00"
    #expect(shown("") == times.map { $0 + (isAutumn ? "+02:00" : "+01:00") } + [after])
    // A stated offset is that of all times.
    #expect(shown("+02:00") == (times + ["\(date)T0\(hour + 1):00:00"]).map { $0 + "+02:00" })
  }

  @Test("a pause does not include the hour that local times skip if the zone is known; it includes any other hour")
  func clockAhead() throws {
    // London: 2026-03-29T01:00Z.
    let london = RecordingZone(name: "London") { $0 < 1_774_746_000_000_000_000 ? 0 : 3600 }
    func read(
      _ before: String, _ after: String, _ zone: RecordingZone?, _ window: TimeWindow? = nil
    ) -> RecordingSummary {
      var options = RecordingOptions(window: window)
      options.zone = zone
      let text = table("time,ax,ay,az\n", 1000) { number in
        "\(number < 500 ? before : after):0\(number / 50 % 10).\(100 + number % 50 * 10),\(row(number))"
      }
      // The last ten seconds of a minute.
      return ReadRecording(text.replacing("\(before):0", with: "\(before):5"), options).summary
    }
    let (day, next) = ("2026-03-29", "2026-03-30")
    let even = read("\(day) 00:59", "\(day) 02:00", london)
    #expect(even.samples == 1000 && even.gaps == 0 && even.span < .seconds(20) && even.warnings == [])
    #expect(even.firstTimestamp.flatMap { even.clockText(of: $0, in: london) } == "2026-03-29T00:59:50.100+00:00")
    #expect(even.lastTimestamp.flatMap { even.clockText(of: $0, in: london) } == "2026-03-29T02:00:09.590+01:00")
    // A window is one of the clock.
    for (start, end, samples) in [
      (nil, "T02:00:05", 750), ("T02:00:05", nil, 250), ("T00:59:55", "T02:00:05", 500),
    ] as [(String?, String?, Int)] {
      let window = try TimeWindow(start: start.map { day + $0 }, end: end.map { day + $0 })
      #expect(read("\(day) 00:59", "\(day) 02:00", london, window).samples == samples, "\(start ?? "") \(end ?? "")")
    }
    // One with offsets is one of moments.
    for (start, end, samples) in [
      ("T00:59:55Z", "T01:00:05Z", 500), ("T02:59:55+02:00", nil, 750), (nil, "T02:00:05+01:00", 750),
    ] as [(String?, String?, Int)] {
      let window = try TimeWindow(start: start.map { day + $0 }, end: end.map { day + $0 })
      let part = read("\(day) 00:59", "\(day) 02:00", london, window)
      #expect(part.samples == samples && part.warnings == [], "\(start ?? "") \(end ?? "") \(part.warnings)")
    }
    for (before, after, zone) in [
      ("\(day) 00:59", "\(day) 02:00", nil), ("\(day) 00:59", "\(day) 03:00", london),
      ("\(day) 00:59", "\(day) 02:01", london), ("\(day) 02:59", "\(day) 04:00", london),
      ("\(next) 00:59", "\(next) 02:00", london),
    ] as [(String, String, RecordingZone?)] {
      #expect(read(before, after, zone).gaps == 1, "\(before) \(after)")
    }
    // A pause over the change is an hour shorter than its times say, unless there are times within that hour.
    for (before, after, zone, seconds) in [
      ("\(day) 00:49", "\(day) 02:10", london, 1200), ("\(day) 00:49", "\(day) 02:10", nil, 4800),
      ("\(day) 00:49", "\(next) 00:50", london, 82_800), ("\(day) 01:29", "\(day) 03:00", london, 5400),
      ("\(day) 00:49", "\(day) 01:10", london, 1200), ("\(day) 02:49", "\(day) 04:10", london, 4800),
    ] as [(String, String, RecordingZone?, Int)] {
      let paused = read(before, after, zone)
      #expect(paused.gaps == 1 && paused.longestGap == .milliseconds(seconds * 1000 + 510), "\(before) \(after)")
      let isSaid = paused.warnings.contains { "\($0)".contains("an hour shorter than its times say") }
      #expect(isSaid == (zone != nil && (seconds == 1200 && after.hasSuffix("02:10") || seconds == 82_800)))
    }
    let paused = read("\(day) 00:49", "\(day) 02:10", london)
    let change: Int64 = 1_774_746_000_000_000_000
    #expect(paused.clockText(of: change - 1_000_000_000, in: london) == "2026-03-29T00:59:59+00:00")
    #expect(paused.clockText(of: change, in: london) == "2026-03-29T02:00:00+01:00")
    #expect(paused.lastTimestamp.flatMap { paused.clockText(of: $0, in: london) } == "2026-03-29T02:10:09.590+01:00")
    for end in ["\(day)T02:10:05", "\(day)T01:10:05Z"] {
      let window = try TimeWindow(start: nil, end: end)
      #expect(read("\(day) 00:49", "\(day) 02:10", london, window).samples == 750, "\(end)")
    }
    // A flight at 2026-05-06T12:00Z: the rows tell whether the clock was set, also some minutes later.
    let flight = RecordingZone(name: "New York, then London") { $0 < 1_778_068_800_000_000_000 ? -14_400 : 3600 }
    for (before, after, gaps) in [("07:59", "13:00", 0), ("08:06", "13:07", 0), ("07:49", "13:10", 1)] {
      let flown = read("2026-05-06 \(before)", "2026-05-06 \(after)", flight)
      #expect(flown.gaps == gaps, "\(before) \(after)")
      #expect(flown.firstTimestamp.flatMap { flown.clockText(of: $0, in: flight) }?.hasSuffix("50.100-04:00") == true)
      let last = flown.lastTimestamp.flatMap { flown.clockText(of: $0, in: flight) }
      #expect(last == "2026-05-06T\(after):09.590+01:00")
    }
  }

  @Test(
    "a clock that shows a time twice shows it first before the change, east and west of Greenwich", arguments: [-5, 1])
  func shownTwice(hours: Int) {
    let (hour, change) = (Int64(3600 * 1_000_000_000), Int64(1_792_890_000_000_000_000))
    let zone = { (moment: Int64) in (moment < change ? hours + 1 : hours) * 3600 }
    let shown = change + Int64(hours) * hour + hour / 2
    #expect(ClockTime.offset(showing: shown, in: zone) == (hours + 1) * 3600)
    #expect(ClockTime.offset(showing: shown, isLater: true, in: zone) == hours * 3600)
    #expect(ClockTime.offset(showing: shown + hour, in: zone) == hours * 3600)
    #expect(ClockTime.offset(showing: shown - hour, isLater: true, in: zone) == (hours + 1) * 3600)
  }

  // MARK: Lines above the rows

  @Test("lines of numbers with a label above the names are no rows", arguments: ["\t", ";"])
  func labels(_ separator: String) {
    let header = """
      Channels,3
      Samples,3000,3000,3000
      Date,2026/05/04,2026/05/04,2026/05/04
      X0,0.0E+0,0.0E+0,0.0E+0
      Delta,0.02,0.02,0.02
      ***End_of_Header***
      X_Value,A,B,C

      """.replacing(",", with: separator)
    let text = table(header) { "\(Double($0 * 2) / 100)\(separator)\(row($0, separator))" }
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 9)] {
      #expect(accelerations(read) == plain().map(\.acceleration), "\(read.error as Any) \(read.warnings)")
      #expect(steps(read) == [20_000_000])
    }
  }

  @Test("lines of words and numbers above a table are no rows of two samples, whatever the options")
  func metadata() {
    let header =
      "Label: sensor 1 rate: 148.1 points: 8889 start: 0 end\nLabel: sensor 2 rate: 148.1 points: 8889 start: 0 end\n"
    let text = table(header + "X[s],ACC.X[g],X[s],ACC.Y[g],X[s],ACC.Z[g]\n") { number in
      let time = "\(Double(number * 2) / 100)"
      return axes(number).map { "\(time),\($0)" }.joined(separator: ",")
    }
    #expect(ReadRecording(text).samples == plain())
    let options = RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50))
    #expect(ReadRecording(text, options).samples == plain())
  }

  @Test("a column of times is no axis, and one of a speed no time")
  func abscissa() {
    #expect(ColumnName("X [s]").role == .time(.seconds))
    #expect(ColumnName("x (ms)").role == .time(.milliseconds))
    #expect(ColumnName("X [m/s]").role != .time(.milliseconds))
    #expect(ColumnName("X [ms2]").unit == .metresPerSecondSquared)
  }

  @Test("if hardly a row is like those that were chosen, the file is refused")
  func hardlyAnyRow() {
    let text =
      "1,0.1,0.2,0.9\n"
      + String(repeating: "1,0.1,0.2,0.9\n", count: 8).split(separator: "\n").enumerated()
      .map { "\($0.offset + 2),\(row($0.offset))\n" }.joined() + String(repeating: "4,5,,\n", count: 5000)
    let read = ReadRecording(text)
    #expect(read.error != nil || read.summary.refusal(path: "walk.csv")?.code == .mostRowsSkipped)
  }

  @Test("a zero is refused if a fifth of the rows is unusable, a count is not")
  func zero() {
    let read = ReadRecording(table("time_ms,x,y,z\n", 1000) { "\($0 * 20)," + ($0 % 4 == 1 ? "a,b,c" : row($0)) })
    #expect(read.summary.refusal(path: "walk.csv") == nil)
    #expect(read.summary.refusal(path: "walk.csv", isWithoutResult: true)?.code == .mostRowsSkipped)
  }

  // MARK: Other texts

  @Test("numbers written in another way are read in the columns that the user names", arguments: ["\n", "\r\n"])
  func columns(_ end: String) {
    let text = table("time_ms;x_mg;y_mg;z_mg\n") { number in
      "\(number * 20);107;-211;" + (number % 3 == 0 ? "1’0\(10 + number % 80)" : "9\(10 + number % 80)")
    }.replacing("\n", with: end)
    let read = ReadRecording(
      text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50), columns: ["2", "3", "4"]))
    #expect(read.samples.count == 400 && read.samples.map(\.acceleration.z).min() ?? 0 > 0.8, "\(read.warnings)")
    #expect(ReadRecording(text).samples == read.samples)
  }

  @Test("rows whose cells have units are sorted like others")
  func units() {
    let text = table("time,x,y,z\n") { number in
      let row = 399 - number
      let time = "2026-05-04 08:15:\(10 + row / 50).\(100 + row % 50 * 10)"
      return time + "," + axes(row).map { $0 + " g" }.joined(separator: ",")
    }
    let read = ReadRecording(text)
    #expect(accelerations(read) == plain().map(\.acceleration), "\(read.error as Any) \(read.warnings)")
    #expect(read.warnings.contains { $0.contains("sorted") }, "\(read.warnings)")
  }

  @Test("the line protocol may have other fields", arguments: ["seq=%i", "ok=true", "ok=?"])
  func fields(_ field: String) {
    let read = ReadRecording(
      table("") { number in
        let (values, time) = (axes(number), 1_778_062_272_000_000_000 + number * 20_000_000)
        let other = field.replacing("%", with: "\(number)").replacing("?", with: number % 9 < 4 ? "t" : "f")
        return "accel,device=watch x=\(values[0]),y=\(values[1]),z=\(values[2]),\(other) \(time)"
      })
    #expect(accelerations(read) == plain().map(\.acceleration) && steps(read) == [20_000_000], "\(read.error as Any)")
  }

  @Test("lines of one axis with a label are joined by their time")
  func exposition() {
    let read = ReadRecording(
      table("# TYPE acceleration_g gauge\n", 1200) { number in
        let time = 1_777_882_500_000 + number / 3 * 20
        return
          "acceleration_g{axis=\"\(["x", "y", "z"][number % 3])\",instance=\"pi:9100\"} \(axes(number / 3)[number % 3]) \(time)"
      })
    #expect(accelerations(read) == plain().map(\.acceleration) && steps(read) == [20_000_000], "\(read.error as Any)")
  }

  @Test("a JSON table whose rows have numbers as keys is read", arguments: [true, false])
  func numberedRows(_ areColumns: Bool) {
    let names = ["time_s", "x", "y", "z"]
    let values = (0..<400).map { ["\(Double($0 * 2) / 100)"] + axes($0) }
    let members = { (pairs: [String]) in "{" + pairs.joined(separator: ",") + "}" }
    let text =
      areColumns
      ? members(
        names.indices.map { column in
          "\"\(names[column])\":" + members(values.indices.map { "\"\($0)\":\(values[$0][column])" })
        })
      : members(
        values.indices.map { row in
          "\"\(row)\":" + members(names.indices.map { "\"\(names[$0])\":\(values[row][$0])" })
        })
    #expect(ReadRecording(text).samples == plain())
  }

  @Test("gravity that is added to an acceleration without it counts as gravity")
  func addedGravity() {
    let text = table("") { number in
      "{\"timestamp\":\(Double(number) / 50),\"gravity\":{\"x\":0.1,\"y\":0.2,\"z\":0.97},"
        + "\"userAcceleration\":{\"x\":0.0\(number % 9),\"y\":-0.0\(number % 7),\"z\":0.0\(number % 5)}}"
    }
    let read = ReadRecording("[" + text.split(separator: "\n").joined(separator: ",") + "]")
    #expect(read.samples.count == 400 && !read.summary.gravityRemoved && read.warnings.isEmpty, "\(read.warnings)")
  }

  @Test("an acceleration with gravity is preferred to one that is free of it")
  func free() {
    let read = ReadRecording(
      table("time_ms,FreeAcc_X,FreeAcc_Y,FreeAcc_Z,Acc_X,Acc_Y,Acc_Z\n") { "\($0 * 20),0.1,0.2,0.3,\(row($0))" })
    #expect(read.samples == plain() && read.warnings.isEmpty, "\(read.warnings)")
  }

  // MARK: What is refused

  @Test("bytes in hexadecimal are named")
  func hexadecimal() {
    let text = table("") { "handle = 0x0031 value: 6e 00 0\($0 % 9) 01 f\($0 % 9) 03 " }
    let read = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(read.error?.message.contains("bytes in hexadecimal (6e 00") == true, "\(read.error as Any)")
    // Numbers of two digits are none.
    let numbers = ReadRecording(table("") { "\(10 + $0 * 7 % 90) 11 99 \(10 + $0 % 9) 31 12 \(20 + $0 % 9)" })
    #expect(numbers.error?.message.contains("hexadecimal") != true)
  }

  @Test("cells with a value for each of several samples are named")
  func batches() {
    let text = table("type,time,x,y,z\n") { "Data,\($0),\"0.1|0.2|0.3\",\"0.4|0.5|0.6\",\"0.9|0.8|0.7\",0,0" }
    #expect(ReadRecording(text).error?.message.contains("3 values in one cell (0.1|0.2|0.3)") == true)
  }

  @Test(
    "binary files of further programs are named",
    arguments: [("TDSm", "TDMS"), ("#ROSBAG V2.0\n", "ROS"), ("ARROW1", "Feather")])
  func kinds(_ head: String, _ word: String) {
    let read = ReadRecording(Array(head.utf8) + [14, 0, 0, 0, 105] + [UInt8](repeating: 0, count: 64))
    #expect(read.error?.message.contains(word) == true, "\(read.error as Any)")
  }

  @Test(
    "a remedy names the columns of the file", arguments: [("t_ms,ax,ay,az", "ax,ay,az"), ("t_ms,a x,a y,a z", "2,3,4")])
  func remedy(_ header: String, _ columns: String) {
    let read = ReadRecording(table(header + "\n") { "\($0 * 20_000),\(row($0))" })
    #expect(read.error?.code == .implausibleRate)
    #expect(read.error?.message.contains("RecordingOptions.columns \(columns) ") == true, "\(read.error as Any)")
  }
}
