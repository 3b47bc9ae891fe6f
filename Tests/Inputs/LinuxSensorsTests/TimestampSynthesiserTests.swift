import Accelerometry
import LinuxSensors
import Platform
import Testing

@Suite("Timestamps computed from reading times", .timeLimit(.minutes(30)))
struct TimestampSynthesiserTests {
  private let fifty = SamplingFrequency(hertz: 50)!

  private func blank(_ count: Int) -> [AccelerationSample] {
    [AccelerationSample](repeating: AccelerationSample(nanoseconds: 0, acceleration: [0, 0, 1]), count: count)
  }

  @Test("the first batch ends at its reading time, evenly spaced")
  func first() {
    var synthesiser = TimestampSynthesiser(frequency: fifty)
    var samples = blank(4)
    synthesiser.stamp(&samples, readAt: 1_000_000_000)
    #expect(samples.map(\.nanoseconds) == [940_000_000, 960_000_000, 980_000_000, 1_000_000_000])
  }

  @Test("reading times with a jitter of half a period move a sample by a few per cent of that")
  func jitter() {
    var synthesiser = TimestampSynthesiser(frequency: fifty)
    var times: [Int64] = []
    for index in 0..<200 {
      var samples = blank(5)
      let late: Int64 = index % 2 == 0 ? 0 : 10_000_000
      synthesiser.stamp(&samples, readAt: Int64(index + 1) * 100_000_000 + late)
      times += samples.map(\.nanoseconds)
    }
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(intervals.allSatisfy { (19_800_000...20_200_000).contains($0) })
  }

  @Test("a sensor that runs 3 % fast is followed without running away")
  func drift() {
    var synthesiser = TimestampSynthesiser(frequency: fifty)
    var last: Int64 = 0
    for index in 1...2000 {
      var samples = blank(5)
      last = Int64(index) * 97_000_000
      synthesiser.stamp(&samples, readAt: last)
      #expect(abs(samples[4].nanoseconds - last) < 100_000_000)
    }
    #expect(last == 194_000_000_000)
  }

  @Test("after a long pause time continues at the reading time, not where it stopped")
  func pause() {
    var synthesiser = TimestampSynthesiser(frequency: fifty)
    var samples = blank(1)
    synthesiser.stamp(&samples, readAt: 1_000_000_000)
    synthesiser.stamp(&samples, readAt: 60_000_000_000)
    #expect(samples[0].nanoseconds == 60_000_000_000)
  }

  @Test("timestamps rise strictly for all reading times")
  func rising() {
    var random = SplitMix64(seed: 3)
    var synthesiser = TimestampSynthesiser(frequency: fifty)
    var latest = Int64.min
    for _ in 0..<2000 {
      var samples = blank(Int.random(in: 0...20, using: &random))
      synthesiser.stamp(&samples, readAt: Int64.random(in: 0...100_000_000_000, using: &random))
      for sample in samples {
        #expect(sample.nanoseconds > latest)
        latest = sample.nanoseconds
      }
    }
  }
}
