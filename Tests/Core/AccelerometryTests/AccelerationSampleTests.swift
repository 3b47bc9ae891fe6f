import Accelerometry
import Testing

@Suite("An acceleration sample", .timeLimit(.minutes(30)))
struct AccelerationSampleTests {
  @Test("keeps its timestamp to the nanosecond, and its three axes")
  func keepsWhatItWasGiven() {
    let sample = AccelerationSample(timestamp: .nanoseconds(1_234_567_891), acceleration: [0.1, -2, 3])
    #expect(sample.nanoseconds == 1_234_567_891)
    #expect(sample.timestamp == .nanoseconds(1_234_567_891))
    #expect(sample.acceleration == [0.1, -2, 3])
  }

  @Test("has a fourth lane of zero, also after setting its axes")
  func fourthLaneIsZero() {
    var sample = AccelerationSample(nanoseconds: 0, acceleration: [1, 2, 3])
    #expect(sample.lanes == [1, 2, 3, 0])
    sample.acceleration = [4, 5, 6]
    #expect(sample.lanes == [4, 5, 6, 0])
  }

  @Test(
    "durations become whole nanoseconds, clamped to ±292 years",
    arguments: [
      (Duration.zero, Int64(0)), (.nanoseconds(-1), -1), (.seconds(3), 3_000_000_000),
      (.seconds(Int64(9_300_000_000)), .max), (.seconds(Int64(-9_300_000_000)), .min),
    ])
  func wholeNanoseconds(duration: Duration, expected: Int64) {
    #expect(duration.wholeNanoseconds == expected)
  }

  @Test("durations in seconds keep their fraction")
  func inSeconds() {
    #expect(Duration.milliseconds(1500).inSeconds == 1.5)
    #expect(Duration.milliseconds(-250).inSeconds == -0.25)
  }
}
