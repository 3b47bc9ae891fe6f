import Accelerometry
import Foundation
import StepDetection
import Testing

@testable import Counting

/// Reports of damaged samples.
@Suite("DamageNews", .timeLimit(.minutes(30)))
struct DamageNewsTests {
  /// A tilted sensor at 100 Hz, for ten seconds from 100 s on its clock.
  private func samples() -> [AccelerationSample] {
    (0..<1000).map { AccelerationSample(nanoseconds: 100_000_000_000 + $0 * 10_000_000, acceleration: [0.6, 0, 0.8]) }
  }

  @Test("each kind is reported once while samples arrive, with the first time since the start")
  func once() {
    var samples = samples()
    for i in [200, 400, 600] { samples[i].acceleration.x = 16 }
    for i in [300, 500] { samples[i].acceleration.z = 1e30 }
    var (counter, news) = (WalkCounter(), DamageNews())
    var told: [String] = []
    for start in stride(from: 0, to: samples.count, by: 10) {
      _ = counter.process(samples.span.extracting(start..<(start + 10)))
      told += news.take(counter.damage, since: counter.start)
    }
    #expect(
      told == [
        "1 sample is a spike, at 2 s; ignored (check the sensor's connection)",
        "1 sample is not a valid acceleration, at 3 s; ignored",
      ])
    #expect(
      counter.damage.sentences(since: counter.start) == [
        "2 samples are not valid accelerations, the first at 3 s; ignored",
        "3 samples are spikes, the first at 2 s; ignored (check the sensor's connection)",
      ])
  }

  @Test("intact samples are not reported")
  func sound() {
    var (counter, news) = (WalkCounter(), DamageNews())
    _ = counter.process(samples().span)
    #expect(news.take(counter.damage, since: counter.start).isEmpty)
    #expect(counter.damage.sentences(since: counter.start).isEmpty)
  }

  @Test("a long swing without gravity that is not counted is reported, and the report says what to do")
  func uncertain() {
    let samples = (0..<2000).map { i in
      let swing = Float(0.5 * sin(2 * Double.pi * 0.55 * Double(i) / 50))
      return AccelerationSample(nanoseconds: Int64(i) * 20_000_000, acceleration: [swing, 0.1 * swing, 0])
    }
    var counter = WalkCounter(latency: StepDetector.longestRevision)
    _ = counter.process(samples.span)
    _ = counter.finish()
    let told = counter.damage.sentences(since: counter.start)
    #expect(counter.steps == 0 && told.count == 1)
    #expect(told.allSatisfy { $0.hasPrefix("gravity was removed") && $0.contains("record the acceleration") })
  }
}
