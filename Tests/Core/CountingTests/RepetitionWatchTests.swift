import Accelerometry
import Foundation
import Testing

@testable import Counting

@Suite("RepetitionWatch", .timeLimit(.minutes(30)))
struct RepetitionWatchTests {
  /// The magnitude of a walk with so many steps a second, and a small second harmonic.
  private func watch(
    _ frequency: Double, rate: Double = 100, seconds: Double = 30, size: Double = 0.3
  ) -> RepetitionWatch {
    let samples = (0..<Int(rate * seconds)).map { i in
      let time = Double(i) / rate
      let up = 1 + size * (sin(2 * .pi * frequency * time) + 0.3 * sin(4 * .pi * frequency * time))
      return AccelerationSample(nanoseconds: Int64(time * 1e9), acceleration: [0, 0, Float(up)])
    }
    var watch = RepetitionWatch()
    watch.add(samples.span)
    return watch
  }

  @Test("walking and running are not too fast", arguments: [0.8, 1.8, 3.2])
  func steps(frequency: Double) { #expect(watch(frequency).tooFast == nil) }

  @Test("what repeats faster is, at any sampling frequency", arguments: [25.0, 65, 260, 1000])
  func fast(rate: Double) throws {
    let found = try #require(watch(4.7, rate: rate).tooFast)
    #expect(abs(found - 4.7) < 0.1)
  }

  @Test("a short recording is judged from three seconds on", arguments: [(2.5, false), (4.0, true)])
  func brief(seconds: Double, isJudged: Bool) { #expect((watch(4.7, seconds: seconds).tooFast != nil) == isJudged) }

  @Test("rest is neither fast nor slow")
  func rest() {
    #expect(watch(4.7, size: 0.01).tooFast == nil)
    var both = watch(4.7, seconds: 60)
    let quiet = (0..<60_000).map {
      AccelerationSample(nanoseconds: 60_000_000_000 + $0 * 10_000_000, acceleration: [0, 0, 1])
    }
    both.add(quiet.span)
    #expect(both.tooFast != nil)
  }

  @Test("one fast minute among slow ones is not enough")
  func mixture() {
    var samples: [AccelerationSample] = []
    for i in 0..<18_000 {
      let time = Double(i) / 100
      let up = 1 + 0.3 * sin(2 * .pi * (time < 60 ? 5 : 2) * time)
      samples.append(AccelerationSample(nanoseconds: Int64(i) * 10_000_000, acceleration: [0, 0, Float(up)]))
    }
    var watch = RepetitionWatch()
    watch.add(samples.span)
    #expect(watch.tooFast == nil)
  }
}
