import Accelerometry
import LinuxSensors
import Testing

@Suite("Stuck sensors", .timeLimit(.minutes(30)))
struct SensorWatchTests {
  private func watch(_ value: SIMD3<Float>, seconds: Int) -> SensorWatch {
    var watch = SensorWatch(path: "", timeout: .seconds(10))
    watch.take((0...seconds).map { AccelerationSample(nanoseconds: Int64($0) * 1_000_000_000, acceleration: value) })
    return watch
  }

  @Test("one value of 1 g for an hour is a coarse sensor at rest")
  func rest() {
    let watch = watch([0.5, 0.5, 0.7], seconds: 3600)
    #expect(watch.stuckValue == nil)
    #expect(watch.unchanged == .seconds(3600))
  }

  @Test("all zeros, or an end of the range, for longer than the time-out is stuck")
  func stuck() {
    #expect(watch(.zero, seconds: 11).stuckValue == .zero)
    #expect(watch([4, 0, 0], seconds: 11).stuckValue == [4, 0, 0])
    #expect(watch(.zero, seconds: 10).stuckValue == nil)
  }

  @Test("any movement resets the time-out")
  func movement() {
    var watch = watch(.zero, seconds: 9)
    watch.take([AccelerationSample(nanoseconds: 9_500_000_000, acceleration: [0, 0, 0.01])])
    watch.take([AccelerationSample(nanoseconds: 12_000_000_000, acceleration: .zero)])
    #expect(watch.stuckValue == nil)
    #expect(watch.unchanged == .zero)
  }
}
