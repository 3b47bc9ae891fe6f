import Platform
import Testing

@testable import Recordings

@Suite(.timeLimit(.minutes(30))) struct DecimalTextTests {
  private func text(_ value: Double, digits: Int = 7) -> String? {
    var text = DecimalText()
    return text.append(value, significantDigits: digits) ? String(decoding: text.bytes, as: UTF8.self) : nil
  }

  @Test(
    "seven significant digits, no trailing zeros, no negative zero",
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.5, "0.5"), (0.015625, "0.015625"), (9.80665, "9.80665"),
      (1.23456789, "1.234568"), (0.00123456789, "0.001234568"), (-12.3456789, "-12.34568"), (9.9999999, "10"),
      (123_456_789, "123456789"), (12_345.678_9, "12345.68"), (1e-13, "0"), (-1e-13, "0"), (1e12, "1000000000000.0"),
    ])
  func doubles(value: Double, expected: String) {
    #expect(text(value) == expected)
  }

  @Test("non-finite numbers are rejected", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(value: Double) {
    #expect(text(value) == nil)
  }

  @Test("nine digits preserve every bit of a Float")
  func floatsSurvive() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<5000 {
      let value = Float(random.uniform(in: -1...1)) * Float([0.01, 1, 16, 1000].randomElement(using: &random) ?? 1)
      let written = try #require(text(Double(value), digits: 9))
      #expect(Float(written) == value)
    }
  }

  @Test("the shortest text of a Float that preserves every bit is as short as the number was written")
  func shortestFloats() throws {
    let shortest = { (value: Float) -> String? in
      var text = DecimalText()
      return text.append(shortest: value) ? String(decoding: text.bytes, as: UTF8.self) : nil
    }
    let texts = ["0.04", "-0.9807", "0", "1", "123.5"]
    #expect(texts.map { Float($0).flatMap(shortest) } == texts)
    #expect(shortest(.nan) == nil && shortest(.infinity) == nil)
    var random = SplitMix64(seed: 12)
    for _ in 0..<5000 {
      let value = Float(random.uniform(in: -1...1)) * Float([0.01, 1, 16, 1e5].randomElement(using: &random) ?? 1)
      let written = try #require(shortest(value))
      #expect(!written.contains("e") && Float(written) == value)
    }
  }

  @Test(
    "whole units with decimals",
    arguments: [
      (0, 9, "0"), (20_000_000, 9, "0.02"), (1_234_567_890, 9, "1.23456789"), (-500_000_000, 9, "-0.5"), (7, 0, "7"),
      (100, 0, "100"), (1_000_000, 6, "1"), (Int64.min, 9, "-9223372036.854775808"),
      (Int64.max, 0, "9223372036854775807"),
    ])
  func integers(value: Int64, decimals: Int, expected: String) {
    var text = DecimalText()
    text.append(value, decimals: decimals)
    #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
  }
}
