import LinuxSensors
import Platform
import Testing

@Suite("Step registers", .timeLimit(.minutes(30)))
struct StepCounterAccumulatorTests {
  private static let second: Int64 = 1_000_000_000

  @Test("steps before the first reading are not counted")
  func zeroPoint() {
    var accumulator = StepCounterAccumulator()
    #expect(accumulator.take(12345, at: 0) == 0)
    #expect(accumulator.take(12347, at: Self.second) == 2)
    #expect(accumulator.steps == 2)
  }

  @Test("a register of 16, 24 or 32 bits that overflows continues to count", arguments: [16, 24, 32])
  func wraps(_ bits: Int) {
    var accumulator = StepCounterAccumulator()
    accumulator.take(1 << bits - 6, at: 0)
    #expect(accumulator.take(4, at: 3 * Self.second) == 10)
  }

  @Test("a register that falls from any other value was reset, and its value is new")
  func reset() {
    var accumulator = StepCounterAccumulator()
    accumulator.take(5000, at: 0)
    accumulator.take(5100, at: 60 * Self.second)
    #expect(accumulator.take(0, at: 61 * Self.second) == 0)
    #expect(accumulator.take(20, at: 62 * Self.second) == 20)
    #expect(accumulator.steps == 120)
  }

  @Test(
    "a register that falls to an impossible number of steps was reset, and counts from there",
    arguments: [60_000, 30_000])
  func implausibleWrap(_ count: UInt64) {
    var accumulator = StepCounterAccumulator()
    accumulator.take(65_530, at: 0)
    #expect(accumulator.take(count, at: Self.second) == 0)
    #expect(accumulator.take(count + 3, at: 2 * Self.second) == 3)
  }

  @Test("a register that falls by a few steps was corrected, and what exceeds the former value is new")
  func correction() {
    var accumulator = StepCounterAccumulator()
    accumulator.take(900, at: 0)
    #expect(accumulator.take(899, at: 60 * Self.second) == 0)
    #expect(accumulator.take(890, at: 120 * Self.second) == 0)
    #expect(accumulator.take(905, at: 180 * Self.second) == 5)
  }

  @Test("a night without a reading may contain a night's steps across the end")
  func longPause() {
    var accumulator = StepCounterAccumulator()
    accumulator.take(60_000, at: 0)
    #expect(accumulator.take(1000, at: 8 * 3600 * Self.second) == 6536)
  }

  @Test("totals never decrease, whatever a chip reports")
  func nonsense() {
    var random = SplitMix64(seed: 11)
    var accumulator = StepCounterAccumulator()
    var total = 0
    for index in 0..<2000 {
      let count = UInt64.random(in: 0...(1 << UInt64.random(in: 0...40, using: &random)), using: &random)
      let new = accumulator.take(count, at: Int64(index) * Self.second)
      #expect(new >= 0 && accumulator.steps >= total)
      total = accumulator.steps
    }
    accumulator.take(.max, at: .max)
    accumulator.take(0, at: .min)
    #expect(accumulator.steps >= total)
  }
}
