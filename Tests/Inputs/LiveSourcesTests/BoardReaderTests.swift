import Accelerometry
import Counting
import Platform
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors
@testable import LiveSources

@Suite("A board that prints samples", .timeLimit(.minutes(30)))
struct BoardReaderTests {
  /// What a reader made of a board's output.
  struct Reading {
    var batches: [SampleBatch] = []
    var error: (any Error)?
    var samples: [AccelerationSample] { batches.flatMap(\.samples) }
    var warnings: [String] { batches.compactMap(\.warning) }

    /// The steps in it.
    var steps: Int {
      var counting = SampleCounting(CountingOptions().correcting)
      var events: [WalkEvent] = []
      for batch in batches { counting.take(batch, into: &events) }
      counting.end(into: &events)
      guard case .ended(let walk)? = events.last else { return -1 }
      return walk.totals.steps
    }
  }

  static func read(
    _ chunks: [ScriptedBoard.Chunk], end: ScriptedBoard.End = .unplugged, start: Int64 = 0, most: Int = .max,
    _ change: (inout BoardReader.Settings) -> Void = { _ in }
  ) throws -> Reading {
    var settings = BoardReader.Settings(name: "/dev/ttyACM0")
    change(&settings)
    let board = try ScriptedBoard(chunks, end: end, start: start)
    let reader = BoardReader(settings) { board }
    let stop = try StopSignal()
    var reading = Reading()
    do {
      try reader.open()
      while reading.batches.count < most, let batch = try reader.next(until: stop) {
        reading.batches.append(batch)
        reader.rest(until: stop)
      }
    } catch { reading.error = error }
    reader.close()
    return reading
  }

  @Test("that has sent all that it had ends, unless its samples came as they were measured for ten seconds")
  func complete() throws {
    let live = PrintedWalk().chunks
    #expect((try Self.read(live, end: .complete).error as? SensorError)?.code == .removed)
    #expect(try Self.read(Array(live.prefix(450)), end: .complete).error == nil)
    let kept = live.enumerated().map { ScriptedBoard.Chunk(Int64($0 / 20) * 10_000_000, $1.bytes) }
    let reading = try Self.read(kept, end: .complete)
    #expect(reading.error == nil && (106...108).contains(reading.steps))
    #expect((try Self.read(kept).error as? SensorError)?.code == .removed)
  }

  static let logs: [(name: String, text: String)] = [
    ("no log", ""),
    ("the end of a row", "45,0.0421,1.0121\r\n"),
    (
      "ESP32",
      """
      ets Jun  8 2016 00:22:57\r
      \r
      rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r
      configsip: 0, SPIWP:0xee\r
      clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00\r
      mode:DIO, clock div:1\r
      load:0x3fff0030,len:1344\r
      load:0x40078000,len:13964\r
      load:0x40080400,len:3600\r
      entry 0x400805f0\r

      """
    ),
    ("ESP8266 at another rate", "\u{1}\u{80}r\u{1b}l\u{0}\u{8c}\u{2}$\u{10}|\u{2}\u{c}\u{8c}\u{0}l\u{60}\u{3}\n"),
    (
      "MicroPython",
      """
      \r
      MPY: soft reboot\r
      MicroPython v1.24.1 on 2024-11-29; Generic ESP32 module with ESP32\r
      Type "help()" for more information.\r
      >>> import walk\r

      """
    ),
    (
      "Zephyr",
      """
      *** Booting Zephyr OS build v3.7.0-rc2-12-g1a2b3c4d5e6f ***\r
      [00:00:00.254,150] <inf> sensor: device ready\r

      """
    ),
    ("a header", "time_ms,x_g,y_g,z_g\r\n"),
  ]

  @Test("boot logs, banners, prompts and partial rows are skipped", arguments: 0..<7)
  func bootLogs(_ index: Int) throws {
    let (name, log) = Self.logs[index]
    let walk = PrintedWalk(before: log)
    let reading = try Self.read(walk.chunks)
    #expect((105...109).contains(reading.steps), "\(name): \(reading.steps)")
    #expect(reading.samples.count >= PrintedWalk.walk.count - 1, "\(name)")
    #expect((reading.error as? SensorError)?.kind == .unavailable, "\(name)")
    #expect(reading.batches.allSatisfy { $0.gap == nil } && reading.warnings.isEmpty, "\(name)")
  }

  @Test(
    "samples without times, delayed and in bursts, are spaced evenly within 10 s",
    arguments: [(1, 0), (4, 20), (8, 30), (16, 60)])
  func bursts(burst: Int, jitter: Int) throws {
    let walk = PrintedWalk(hasTime: false, burst: burst, jitter: UInt64(jitter) * 1_000_000)
    let reading = try Self.read(walk.chunks)
    #expect((105...109).contains(reading.steps), "\(reading.steps)")
    let times = reading.samples.map(\.nanoseconds)
    let settled = times.drop { $0 < times[0] + 10 * PrintedWalk.second }
    let intervals = zip(settled, settled.dropFirst()).map { Double($1 - $0) / 1e6 }
    #expect(intervals.allSatisfy { abs($0 - 20) < 1.5 }, "\(intervals.min() ?? 0) to \(intervals.max() ?? 0) ms")
    let rate = Double(settled.count - 1) * 1e9 / Double((settled.last ?? 0) - (settled.first ?? 0))
    #expect(abs(rate - 50) < 0.1, "\(rate) Hz")
  }

  @Test("the times of a board's clock that is 3 % fast follow the arrivals", arguments: [0.97, 1.0, 1.03])
  func drift(rate: Double) throws {
    let reading = try Self.read(PrintedWalk(jitter: 15_000_000, clockRate: rate).chunks)
    #expect((105...109).contains(reading.steps), "\(reading.steps)")
    let times = reading.samples.map(\.nanoseconds)
    let walked = PrintedWalk.walk.last!.nanoseconds - PrintedWalk.walk[0].nanoseconds
    let span = Double((times.last ?? 0) - times[0]) / Double(walked)
    #expect(abs(span - 1) < 0.005, "\(span)")
    #expect(reading.warnings.isEmpty)
  }

  @Test(
    "rows without a time, whatever else they contain, are timed by their arrival",
    arguments: [
      ("gyroscope behind", 1), ("gyroscope in front", 2), ("a label and tabs", 3), ("a temperature behind", 4),
      ("a number of the sensor in front", 5),
    ])
  func noTimes(name: String, kind: Int) throws {
    var random = SplitMix64(seed: 3)
    let walk = PrintedWalk(hasTime: false) { _, g in
      let counts = [g.x, g.y, g.z].map { Int(($0 * 16384).rounded()) }
      let turns = (0..<3).map { _ in Int(random.next() % 4000) - 2000 }
      let numbers = { (values: [Int]) in values.map(String.init).joined(separator: kind == 3 ? "\t" : ",") }
      return switch kind {
      case 1: ",\(numbers(counts + turns))\r\n"
      case 2: ",\(numbers(turns + counts))\r\n"
      case 3: ",a/g:\t\(numbers(counts + turns))\r\n"
      case 4: ",\(PrintedWalk.text(g.x)),\(PrintedWalk.text(g.y)),\(PrintedWalk.text(g.z)),24.31\r\n"
      default: ",7,\(PrintedWalk.text(g.x)),\(PrintedWalk.text(g.y)),\(PrintedWalk.text(g.z))\r\n"
      }
    }
    let reading = try Self.read(walk.chunks)
    #expect((105...109).contains(reading.steps), "\(name): \(reading.steps), \(reading.error.map { "\($0)" } ?? "")")
  }

  @Test("carriage returns inside lines cost nothing and are reported", arguments: [1, 7, 10_000])
  func strayReturns(every: Int) throws {
    var row = 0
    var walk = PrintedWalk { time, g in
      row += 1
      let line = PrintedWalk.columns(time, g)
      guard row % every == 0 || row == 1 else { return line }
      // In the middle of a number, in front of a comma, or behind it.
      let comma = line.lastIndex(of: ",") ?? line.startIndex
      var place = line.index(comma, offsetBy: row % 3 - 1)
      if place == line.startIndex { place = comma }
      return line[..<place] + "\r" + line[place...]
    }
    walk.before = "time_ms,x_g,y_g,z_g\r\n"
    var settings = BoardReader.Settings(name: "/dev/ttyACM0")
    settings.silence = .seconds(3)
    let board = try ScriptedBoard(walk.chunks)
    let reader = BoardReader(settings) { board }
    let stop = try StopSignal()
    var reading = Reading()
    do {
      try reader.open()
      while let batch = try reader.next(until: stop) { reading.batches.append(batch) }
    } catch {}
    #expect((105...109).contains(reading.steps), "\(reading.steps)")
    #expect(reading.samples.count >= PrintedWalk.walk.count - 1)
    let warnings = reading.batches.last?.verdict?.warnings ?? []
    #expect(warnings.contains { $0.hasPrefix("carriage returns inside") }, "\(warnings)")
  }

  @Test("an overflow of 32-bit milliseconds is not a gap")
  func wrapAround() throws {
    let reading = try Self.read(PrintedWalk(firstTime: .max - 20_000).chunks)
    #expect((105...109).contains(reading.steps), "\(reading.steps)")
    // The first line may be partial.
    #expect(reading.samples.count == PrintedWalk.walk.count - 1 && reading.batches.allSatisfy { $0.gap == nil })
    let times = reading.samples.map(\.nanoseconds)
    #expect(zip(times, times.dropFirst()).allSatisfy { (15_000_000...25_000_000).contains($1 - $0) })
  }

  @Test("a reset of the board is a gap, and time does not jump", arguments: [true, false])
  func reset(hasTime: Bool) throws {
    let first = PrintedWalk(hasTime: hasTime, firstTime: 900_000).chunks
    let later = PrintedWalk(hasTime: hasTime, firstTime: 312).chunks
    let end = first.last!.time
    let log = ScriptedBoard.Chunk(end + 3 * PrintedWalk.second, Array(Self.logs[2].text.utf8))
    let chunks = first + [log] + later.map { .init($0.time + end + 3 * PrintedWalk.second, $0.bytes) }
    let reading = try Self.read(chunks)
    #expect((210...218).contains(reading.steps), "\(reading.steps)")
    let gaps = reading.batches.compactMap(\.gap)
    #expect(gaps.count == 1)
    if case .interruption(let time)? = gaps.first { #expect(abs(time / .seconds(1) - 4) < 0.3, "\(time)") }
    let times = reading.samples.map(\.nanoseconds)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 })
    let total = Double(times.last! - times[0]) / 1e9
    #expect(abs(total - Double(chunks.last!.time - chunks[0].time) / 1e9) < 0.3, "\(total)")
  }

  @Test(
    "every row format is read, at any rate",
    arguments: [
      "x,y,z", "x y z", "t;x;y;z", "json", "labels", "counts", "tabs with a label",
    ])
  func forms(_ form: String) throws {
    var walk = PrintedWalk(samples: PrintedWalk.made(hertz: form == "json" ? 26 : 104))
    let text = PrintedWalk.text
    switch form {
    case "x,y,z": walk.row = { "\(text($1.x)),\(text($1.y)),\(text($1.z))\n" }
    case "x y z": walk.row = { "\(text($1.x * 9.80665)) \(text($1.y * 9.80665)) \(text($1.z * 9.80665))\n" }
    case "t;x;y;z": walk.row = { "\(Double($0) / 1000);\(text($1.x));\(text($1.y));\(text($1.z))\n" }
    case "json": walk.row = { "{\"t\":\($0),\"x\":\(text($1.x)),\"y\":\(text($1.y)),\"z\":\(text($1.z))}\n" }
    case "labels": walk.row = { "X: \(text($1.x))  Y: \(text($1.y))  Z: \(text($1.z))\r\n" }
    case "counts": walk.row = { "\(Int($1.x * 16384)),\(Int($1.y * 16384)),\(Int($1.z * 16384))\n" }
    default: walk.row = { "acc\t\($0)\t\(text($1.x))\t\(text($1.y))\t\(text($1.z))\n" }
    }
    let reading = try Self.read(walk.chunks) { if form == "counts" { $0.reading.unit = .raw(countsPerG: 16384) } }
    #expect((105...109).contains(reading.steps), "\(form): \(reading.steps), \(String(describing: reading.error))")
  }

  @Test("a specified rate is corrected by the arrivals, with a warning if it is wrong")
  func statedRate() throws {
    let chunks = PrintedWalk(hasTime: false, burst: 4, jitter: 10_000_000).chunks
    for (rate, isRight) in [(50.0, true), (100, false)] {
      let reading = try Self.read(chunks) { $0.reading.samplingFrequency = SamplingFrequency(hertz: rate) }
      #expect((105...109).contains(reading.steps), "\(rate) Hz: \(reading.steps)")
      #expect(reading.warnings.contains { $0.contains("stated sampling frequency") } == !isRight)
    }
  }

  @Test("a board without data is waited for, with one warning that says what to check")
  func silence() throws {
    let late = PrintedWalk().chunks.map { ScriptedBoard.Chunk($0.time + 60 * PrintedWalk.second, $0.bytes) }
    let reading = try Self.read(late)
    #expect(reading.warnings.count == 1 && reading.batches[0].samples.isEmpty)
    #expect(reading.warnings[0].contains("no data") && reading.warnings[0].contains("baud="))
    #expect((105...109).contains(reading.steps))
  }

  @Test("a prompt without samples is reported")
  func prompt() throws {
    let chunks = [ScriptedBoard.Chunk(seconds: 0.2, "MicroPython v1.24.1\r\n>>> ")]
    let reading = try Self.read(chunks, end: .silence, most: 1)
    #expect(reading.warnings.first?.contains("'>>>'") == true, "\(reading.warnings)")
  }

  @Test(
    "data without samples is refused within 5 s, with an excerpt and a remedy",
    arguments: ["lines", "wrong rate"])
  func unrecognised(_ kind: String) throws {
    var random = SplitMix64(seed: 3)
    let chunks = (0..<600).map { index -> ScriptedBoard.Chunk in
      let bytes: [UInt8] =
        kind == "lines"
        ? Array("uptime \(index) s, free heap ok \u{1b}[0m\r\n".utf8)
        : (0..<40).map { _ in UInt8(truncatingIfNeeded: random.next() | 0x80) }
      return ScriptedBoard.Chunk(Int64(index) * 100_000_000, bytes)
    }
    let reading = try Self.read(chunks)
    let failure = try #require(reading.error as? SourceFailure)
    #expect(failure.status == .badData && reading.batches.isEmpty)
    if kind == "lines" {
      #expect(failure.message.contains("free heap ok") && failure.message.contains("pedometer board"))
      #expect(!failure.message.contains("\u{1b}"))
    } else {
      #expect(failure.message.contains("baud="))
    }
  }

  @Test("data that no longer contains samples is reported")
  func turnedToNonsense() throws {
    let walk = PrintedWalk().chunks
    let end = walk.last!.time
    let nonsense = (1...2000).map { index in
      ScriptedBoard.Chunk(end + Int64(index) * 20_000_000, Array("I (\(index)) wifi: reconnecting\r\n".utf8))
    }
    let reading = try Self.read(walk + nonsense)
    let error = try #require(reading.error as? SensorError)
    #expect(error.code == .nonsense)
    #expect(error.reason.contains("wifi") && (105...109).contains(reading.steps))
  }

  @Test("a board that stops sending is lost after 10 s")
  func lost() throws {
    let reading = try Self.read(PrintedWalk().chunks, end: .silence)
    #expect((reading.error as? SensorError)?.code == .silent)
    #expect((105...109).contains(reading.steps))
  }

  @Test("a raised flag ends the reader during any wait", arguments: [0, 1, 2])
  func stopped(_ phase: Int) throws {
    let chunks = phase == 0 ? [] : PrintedWalk().chunks
    let board = try ScriptedBoard(chunks, end: .silence)
    let reader = BoardReader(BoardReader.Settings(name: "board")) { board }
    let stop = try StopSignal()
    try reader.open()
    if phase == 2 { #expect(try reader.next(until: stop) != nil) }
    stop.raise()
    while let batch = try reader.next(until: stop) { #expect(!batch.samples.isEmpty) }
  }
}
