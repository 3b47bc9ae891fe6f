// A custom source: anything that delivers acceleration can be counted.

import Accelerometry
import Pedometers

/// A board with its own protocol; here it simulates a walk of two steps per second, at 50 samples per second.
struct Board: AccelerationSource {
  let profile = SensorProfile(name: "a board", samplingFrequency: SamplingFrequency(hertz: 50), clock: .device)
  let seconds: Int

  func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
    var second = 0
    return AsyncThrowingStream {
      guard second < seconds else { return nil }
      let first = second * 50
      second += 1
      return SampleBatch(samples: (first..<first + 50).map(sample))
    }
  }

  /// A bounce of 0.4 g per step, a sway of half that frequency, and gravity.
  private func sample(_ number: Int) -> AccelerationSample {
    let phase = Float(number % 50) / 50 * 2 * .pi
    let bounce = 0.4 * wave(2 * phase)
    let sway = 0.1 * wave(phase)
    return AccelerationSample(timestamp: .milliseconds(20 * number), acceleration: [sway, 0.05 * bounce, 1 + bounce])
  }

  private func wave(_ angle: Float) -> Float {
    // Bhaskara's sine approximation suffices for the example (within 0.2 %) and needs no library.
    let turn = angle.truncatingRemainder(dividingBy: 2 * .pi)
    let half = turn > .pi ? turn - .pi : turn
    let value = 16 * half * (.pi - half) / (5 * .pi * .pi - 4 * half * (.pi - half))
    return turn > .pi ? -value : value
  }
}

var latest = 0
for try await update in WalkUpdates(of: Board(seconds: 60)) { latest = update.totals.steps }
print("\(latest) steps in a minute")
