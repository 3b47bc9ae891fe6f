import LinuxSensors
import Platform
import Testing

@Suite("A device's own clock", .timeLimit(.minutes(30)))
struct DeviceClockTests {
  @Test("the device's even intervals are kept if events arrive unevenly")
  func even() {
    var clock = DeviceClock()
    var random = SplitMix64(seed: 5)
    var times: [Int64] = []
    for index in 0..<500 {
      let late = Int64.random(in: 0...8_000_000, using: &random)
      times.append(clock.time(deviceMicroseconds: UInt32(index * 4000), eventTime: Int64(index) * 4_000_000 + late))
    }
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(intervals.allSatisfy { abs($0 - 4_000_000) < 150_000 })
  }

  @Test("the microseconds overflow after 71 minutes and time continues")
  func wrap() {
    var clock = DeviceClock()
    let first = clock.time(deviceMicroseconds: .max - 9999, eventTime: 1_000_000_000)
    let second = clock.time(deviceMicroseconds: 10_000, eventTime: 1_020_000_000)
    #expect(second - first == 20_000_000)
  }

  @Test("three samples of one report with one timestamp have the intervals of the device")
  func burst() {
    var clock = DeviceClock()
    _ = clock.time(deviceMicroseconds: 0, eventTime: 0)
    let times = [5000, 10_000, 15_000].map { clock.time(deviceMicroseconds: $0, eventTime: 15_000_000) }
    #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 5_000_000) < 200_000 })
  }

  @Test(
    "a device time that is wrong once in a hundred frames changes no interval",
    arguments: [20_000, 4000], [-300_000, -2_000_000_000, 300_000, 1_000_000_000])
  func wrongOnce(period: Int, error: Int) {
    var clock = DeviceClock()
    let times = (0..<2000).map { index in
      let device = index * period + (index % 100 == 50 ? error : 0)
      return clock.time(
        deviceMicroseconds: UInt32(truncatingIfNeeded: device), eventTime: Int64(index * period) * 1000)
    }
    #expect(times == (0..<2000).map { Int64($0 * period) * 1000 })
    #expect(clock.fault == nil)
  }

  @Test("frames that arrive at once after some were lost keep the intervals of the device")
  func lateAndLost() {
    var clock = DeviceClock()
    // The radio delivers nothing for 300 ms, then the first two of those frames and the present ones.
    let frames = [(0, 0), (4, 4), (8, 308), (12, 308), (304, 308), (308, 308), (312, 312), (316, 316)]
    let times = frames.map {
      clock.time(deviceMicroseconds: UInt32($0 * 1000), eventTime: Int64($1) * 1_000_000) / 1_000_000
    }
    #expect(zip(times, frames).dropFirst(5).allSatisfy { abs($0 - Int64($1.0)) < 20 }, "\(times)")
  }

  @Test("a stopped clock is replaced by the events' time")
  func frozen() {
    var clock = DeviceClock()
    let times = (0..<5).map { clock.time(deviceMicroseconds: 77, eventTime: Int64($0) * 4_000_000) }
    #expect(times == [0, 4_000_000, 8_000_000, 12_000_000, 16_000_000])
  }

  @Test("a device that was reset, or slept, gets a new offset")
  func reset() {
    var clock = DeviceClock()
    _ = clock.time(deviceMicroseconds: 5_000_000, eventTime: 1_000_000_000)
    #expect(clock.time(deviceMicroseconds: 0, eventTime: 9_000_000_000) == 9_000_000_000)
    #expect(clock.time(deviceMicroseconds: 4000, eventTime: 9_004_000_000) == 9_004_000_000)
  }

  @Test(
    "a clock at another rate is detected within a second, and the events' time is used",
    arguments: [0.001, 0.1, 0.5, 1.3, 2, 1000])
  func wrongRate(rate: Double) {
    var clock = DeviceClock()
    var times: [Int64] = []
    for index in 0..<1000 {
      let device = UInt32(truncatingIfNeeded: Int64(Double(index) * 4000 * rate))
      times.append(clock.time(deviceMicroseconds: device, eventTime: Int64(index) * 4_000_000))
    }
    #expect(clock.fault != nil)
    #expect(times.enumerated().allSatisfy { abs($1 - Int64($0) * 4_000_000) < 350_000_000 })
    #expect(times.enumerated().dropFirst(700).allSatisfy { $1 == Int64($0) * 4_000_000 })
  }

  @Test("a clock that is 3 % fast is used", arguments: [0.97, 1.03])
  func drift(rate: Double) {
    var clock = DeviceClock()
    for index in 0..<5000 {
      let time = clock.time(
        deviceMicroseconds: UInt32(Double(index) * 4000 * rate), eventTime: Int64(index) * 4_000_000)
      #expect(abs(time - Int64(index) * 4_000_000) < 20_000_000)
    }
    #expect(clock.fault == nil)
  }

  @Test("if the events' clock is unknown, only the device's differences count")
  func replay() {
    var clock = DeviceClock(followsEvents: false)
    let times = (0..<100).map { clock.time(deviceMicroseconds: UInt32($0 * 20_000), eventTime: Int64($0) * 1_000_000) }
    #expect(times == (0..<100).map { $0 * 20_000_000 })
  }

  @Test("time rises strictly for all timestamps of device and events")
  func rising() {
    var clock = DeviceClock()
    var random = SplitMix64(seed: 9)
    var latest = Int64.min
    for _ in 0..<5000 {
      let device = Bool.random(using: &random) ? UInt32.random(in: 0...UInt32.max, using: &random) : nil
      let time = clock.time(
        deviceMicroseconds: device, eventTime: Int64.random(in: -1_000_000_000...1_000_000_000, using: &random))
      #expect(time > latest)
      latest = time
    }
  }
}
