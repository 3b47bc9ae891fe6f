import Accelerometry
import CDigitMask
import Testing

@testable import Recordings

@Suite("Evenly spaced times", .timeLimit(.minutes(30)))
struct EvenTimesTests {
  private static let anchor: Int64 = 1_577_836_800_000_000_000

  private static func read(_ times: EvenTimes, count: Int, window: TimeWindow? = nil) -> (
    [AccelerationSample], RecordingSummary
  ) {
    var assembler = SampleAssembler(summary: RecordingSummary(), window: window, period: 0)
    var samples: [AccelerationSample] = []
    assembler.admit(
      RecordedRow(nanoseconds: Self.anchor - 40_000_000, acceleration: SIMD3(0, 0, 1), line: 1), into: &samples)
    let numbers: [UInt8] = (0..<count).flatMap { index -> [UInt8] in
      [UInt8(index & 0xFF), UInt8(index >> 8), 0, 0, 0, 0]
    }
    unsafe assembler.admit(count, times, line: 2, into: &samples) { unsafe unpack_cwa(numbers, 6, count, 1, $0, $1) }
    assembler.finish(into: &samples)
    return (samples, assembler.summary)
  }

  @Test("times are rounded to nanoseconds", arguments: [10_000_000.0, 9_876_543.21, 1e9 / 85.7, 33_333_333.3])
  func nearest(period: Double) {
    let times = EvenTimes(anchor: Self.anchor, first: -0.25, period: period)
    let (samples, summary) = Self.read(times, count: 500)
    #expect(samples.count == 501)
    #expect(summary.samples == 501)
    for (index, sample) in samples.dropFirst().enumerated() {
      let exact = (Double(index) - 0.25) * period
      #expect(abs(Double(sample.nanoseconds - Self.anchor) - exact) <= 0.51, "sample \(index)")
      #expect(sample.acceleration == SIMD3(Float(index), 0, 0))
    }
  }

  @Test("times before the last sample are skipped one by one")
  func overlap() {
    let (samples, summary) = Self.read(EvenTimes(anchor: Self.anchor, first: -10, period: 10_000_000), count: 20)
    #expect(samples.count == 1 + 13)
    #expect(summary.rowsSkipped == 7)
  }

  @Test("the bounds of a window may be between times")
  func window() {
    let window = TimeWindow(end: .unix(nanoseconds: Self.anchor + 100_000_000))
    let (samples, summary) = Self.read(
      EvenTimes(anchor: Self.anchor, period: 10_000_000), count: 20, window: window)
    #expect(samples.count == 1 + 10)
    #expect(summary.samplesOutsideWindow == 10)
  }

  @Test("a pause before them is a gap")
  func gap() {
    let (samples, summary) = Self.read(
      EvenTimes(anchor: Self.anchor + 5_000_000_000, period: 10_000_000), count: 20)
    #expect(samples.count == 21)
    #expect(summary.gaps == 1)
  }
}
