import Accelerometry
import Testing

@testable import Recordings

@Suite("Guessing units", .timeLimit(.minutes(10)))
struct UnitGuessTests {
  @Test(
    "the magnitude tells the unit, and doubt is said",
    arguments: [
      (1.0, AccelerationUnit.g, false), (1.4, .g, false), (9.81, .metresPerSecondSquared, false),
      (12, .metresPerSecondSquared, false),
      (1000, .milliG, false), (1024, .milliG, false), (256, .raw(countsPerG: 256), true),
      (4100, .raw(countsPerG: 4096), true),
      (16_000, .raw(countsPerG: 16_384), true), (64, .raw(countsPerG: 64), true), (0.6, .g, true),
      (3, .metresPerSecondSquared, true),
      (20, .metresPerSecondSquared, true), (1e300, .raw(countsPerG: 1_099_511_627_776), true), (0.05, .g, true),
    ])
  func magnitude(median: Double, unit: AccelerationUnit, isDoubtful: Bool) {
    let guess = UnitGuess(magnitudes: [median * 0.9, median, median * 1.1], isLinear: false)
    #expect(guess.unit == unit)
    #expect((guess.doubt != nil) == isDoubtful)
    #expect(guess.gravityRemoved == (median == 0.05 || median == 3))
  }

  @Test("nothing at all is still a guess")
  func nothing() { #expect(UnitGuess(magnitudes: [], isLinear: false).unit == .g) }

  @Test(
    "the usual time between two samples tells what timestamps count",
    arguments: [
      ([0, 1, 2, 3], -2, TimestampFormat.seconds), ([0, 20, 40, 61], 0, .milliseconds),
      ([0, 10_000, 20_000], 0, .microseconds),
      ([5_000_000_000_000, 5_000_010_000_000, 5_000_020_000_000], 0, .nanoseconds), ([7, 8, 9, 10], 0, .milliseconds),
      ([1_700_000_000, 1_700_000_000, 1_700_000_000, 1_700_000_000, 1_700_000_001], 0, .seconds),
      ([1_700_000_000_000, 1_700_000_000_040, 1_700_000_000_080], 0, .milliseconds),
    ])
  func time(mantissas: [UInt64], exponent: Int, format: TimestampFormat) {
    let guess = TimeGuess(numbers: mantissas.map { DecimalNumber(isNegative: false, mantissa: $0, exponent: exponent) })
    #expect(guess.format == format)
    #expect(guess.doubt == nil)
    #expect(guess.isAbsolute == (mantissas[0] >= 1_700_000_000 && mantissas[0] != 5_000_000_000_000))
    #expect(guess.isWholeSeconds == (mantissas[0] == 1_700_000_000))
  }

  @Test("an unlikely rate is doubtful")
  func unlikely() {
    let guess = TimeGuess(numbers: (0..<10).map { DecimalNumber(isNegative: false, mantissa: $0 * 3, exponent: 0) })
    #expect(guess.format == .milliseconds && guess.doubt == nil)
    let slow = TimeGuess(numbers: (0..<10).map { DecimalNumber(isNegative: false, mantissa: $0 * 6, exponent: -1) })
    #expect(slow.format == .seconds)
    #expect(slow.doubt?.contains("guessed") == true)
  }
}
