import LinuxSensors
import Testing

@Suite("Jitter of polling", .timeLimit(.minutes(30)))
struct PollingJitterTests {
  @Test("mean, deviation and the longest interval follow their definition")
  func figures() {
    var jitter = PollingJitter()
    #expect(jitter.standardDeviation == 0)
    for interval in [0.02, 0.04, 0.06] { jitter.record(interval) }
    #expect(jitter.count == 3)
    #expect(abs(jitter.meanInterval - 0.04) < 1e-12)
    #expect(abs(jitter.standardDeviation - 0.02) < 1e-12)
    #expect(jitter.longestInterval == 0.06)
  }
}
