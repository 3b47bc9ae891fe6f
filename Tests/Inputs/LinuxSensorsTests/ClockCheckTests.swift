import Accelerometry
import LinuxSensors
import Testing

/// A sensor at 50 Hz with a faulty clock, read like a real one.
struct ClockedSensor: Sendable, CustomTestStringConvertible {
  var name: String
  var fault: ClockCheck.Fault?
  /// The clock's reading in nanoseconds, by the time since its start.
  var clock: @Sendable (_ time: Int64) -> Int64

  var testDescription: String { name }

  static let second: Int64 = 1_000_000_000
  /// When the sensor starts, in nanoseconds since boot.
  static let start: Int64 = 5_000 * second

  static let faulty = [
    ClockedSensor(name: "begins anew every 6 s", fault: .backwards) { $0 % (6 * second) },
    ClockedSensor(name: "one in 50 far ahead", fault: .backwards) { $0 + ($0 / 20_000_000 % 50 == 7 ? 1 << 57 : 0) },
    ClockedSensor(name: "stands still", fault: .standing) { _ in 77 },
    ClockedSensor(name: "ten times too slow", fault: .rate(0.1)) { $0 / 10 },
    ClockedSensor(name: "half the rate", fault: .rate(0.5)) { $0 / 2 },
    ClockedSensor(name: "a thousand times too fast", fault: .rate(1000)) { 1000 * $0 },
    ClockedSensor(name: "right for 8 s, then 90 s ahead", fault: .ahead) { $0 + ($0 > 8 * second ? 90 * second : 0) },
    ClockedSensor(name: "the kernel's for 8 s, then at a tenth of its rate", fault: .behind) {
      start + ($0 < 8 * second ? $0 : 8 * second + ($0 - 8 * second) / 10)
    },
  ]

  static let usable = [
    ClockedSensor(name: "the kernel's") { start + $0 },
    ClockedSensor(name: "another beginning") { 123_456 + $0 },
    ClockedSensor(name: "another beginning, 1 % fast") { $0 + $0 / 100 },
    ClockedSensor(name: "another beginning, 3 % slow") { $0 - 3 * $0 / 100 },
  ]

  /// The times of 20 s of samples after the check, and the faults.
  /// - Parameter interval: nanoseconds between two reads.
  func checked(every interval: Int64) -> (times: [Int64], faults: [ClockCheck.Fault]) {
    var check = ClockCheck(
      frequency: SamplingFrequency(hertz: 50)!, batchDuration: Double(interval) / Double(Self.second))
    var (times, faults): ([Int64], [ClockCheck.Fault]) = ([], [])
    for read in 1...(20 * Self.second / interval) {
      var samples = stride(from: (read - 1) * interval, to: read * interval, by: 20_000_000).map {
        AccelerationSample(nanoseconds: clock($0 + 20_000_000), acceleration: [0, 0, 1])
      }
      if let fault = check.take(&samples, readAt: Self.start + read * interval) { faults.append(fault) }
      times += samples.map { $0.nanoseconds - Self.start }
    }
    return (times, faults)
  }
}

@Suite("A sensor's clock, compared with the arrival of its samples", .timeLimit(.minutes(30)))
struct ClockCheckTests {
  /// Reads of two samples, as in lively use, and of two seconds.
  static let intervals: [Int64] = [40_000_000, 2_000_000_000]

  @Test(
    "a fault is detected once, and no time is ever far from the true one", arguments: ClockedSensor.faulty, intervals)
  func faulty(sensor: ClockedSensor, interval: Int64) throws {
    let (times, faults) = sensor.checked(every: interval)
    #expect(faults.count == 1)
    // Reads of two seconds take longer to detect it, and two of them if the clock was right before.
    let isLate = sensor.fault == .behind
    let allowed =
      interval > 1_000_000_000 ? isLate ? 4_400_000_000 : 1_100_000_000 : isLate ? 800_000_000 : 130_000_000
    for (index, time) in times.enumerated() {
      #expect((time - Int64(index + 1) * 20_000_000).magnitude < allowed, "sample \(index)")
    }
    if interval < 1_000_000_000 {
      let found = try #require(faults.first)
      switch (found, sensor.fault) {
      case (.rate(let rate), .rate(let truth)?): #expect(abs(rate / truth - 1) < 0.01)
      default: #expect(found == sensor.fault)
      }
    }
  }

  @Test("a usable clock is used: its samples keep their intervals", arguments: ClockedSensor.usable, intervals)
  func usable(sensor: ClockedSensor, interval: Int64) {
    let (times, faults) = sensor.checked(every: interval)
    #expect(faults.isEmpty)
    let settled = zip(times.dropFirst(600), times.dropFirst(599)).map { $0 - $1 }
    #expect(settled.allSatisfy { ($0 - 20_000_000).magnitude < 1_000_000 || interval > 1_000_000_000 })
    #expect(abs(settled.reduce(0, +) - Int64(settled.count) * 20_000_000) < 200_000_000)
  }

  @Test("the kernel's timestamps are not changed")
  func untouched() {
    let (times, _) = ClockedSensor.usable[0].checked(every: 40_000_000)
    #expect(times == (1...1000).map { $0 * 20_000_000 })
  }

  @Test("a device clock that stops while the computer sleeps is used after it")
  func sleep() {
    var check = ClockCheck(frequency: SamplingFrequency(hertz: 50)!, batchDuration: 0.04)
    var now = ClockedSensor.start
    var latest: Int64 = 0
    var faults = 0
    for read in Int64(1)...400 {
      now += read == 200 ? 3_600 * ClockedSensor.second : 40_000_000
      var samples = [2 * read - 1, 2 * read].map {
        AccelerationSample(nanoseconds: $0 * 20_000_000, acceleration: [0, 0, 1])
      }
      if check.take(&samples, readAt: now) != nil { faults += 1 }
      latest = samples[1].nanoseconds
    }
    #expect(faults == 0)
    #expect((latest - now).magnitude < 20_000_000)
  }

  @Test("timestamps at the limits of integers are a fault, and do not trap")
  func extremes() {
    for stamps in [[Int64.min, .max], [.max, .min], [0, .max], [.max, .max], [.min, .min]] {
      var check = ClockCheck(frequency: SamplingFrequency(hertz: 50)!, batchDuration: 0.04)
      var latest = Int64.min
      for read in 1...200 {
        var samples = stamps.map { AccelerationSample(nanoseconds: $0, acceleration: .zero) }
        _ = check.take(&samples, readAt: ClockedSensor.start + Int64(read) * 40_000_000)
        #expect(samples[0].nanoseconds > latest)
        latest = samples[1].nanoseconds
      }
      #expect(check.fault != nil, "\(stamps)")
      #expect((latest - ClockedSensor.start - 8 * ClockedSensor.second).magnitude < 100_000_000)
    }
  }

  @Test("a fault is a sentence that states how the samples are timed instead")
  func sentences() {
    #expect(
      "\(ClockCheck.Fault.backwards)" == "the sensor's clock jumps backwards, so samples are timed by their arrival")
    #expect("\(ClockCheck.Fault.rate(0.1))".contains("runs 10 times too slowly"))
    #expect("\(ClockCheck.Fault.rate(1.5))".contains("runs 1.5 times too fast"))
    #expect("\(ClockCheck.Fault.rate(1000))".contains("more than 100 times too fast"))
    #expect("\(ClockCheck.Fault.rate(-3))".contains("too slowly"))
  }
}
