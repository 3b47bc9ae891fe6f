import Accelerometry
import Testing

@Suite("The properties of a sensor", .timeLimit(.minutes(30)))
struct SensorProfileTests {
  @Test("a sampling frequency is a finite number above zero", arguments: [0, -1, .infinity, .nan] as [Double])
  func impossibleFrequency(hertz: Double) {
    #expect(SamplingFrequency(hertz: hertz) == nil)
  }

  @Test("a sampling frequency has a period, an order, and a description")
  func frequency() throws {
    let (slow, fast) = (try #require(SamplingFrequency(hertz: 12.5)), try #require(SamplingFrequency(hertz: 50)))
    #expect(fast.periodInNanoseconds == 20_000_000)
    #expect(slow < fast)
    #expect("\(slow), \(fast)" == "12.5 Hz, 50 Hz")
  }

  @Test(
    "units have their size in g",
    arguments: [
      (AccelerationUnit.g, 1.0), (.milliG, 0.001), (.metresPerSecondSquared, 1 / 9.80665),
      (.raw(countsPerG: 4096), 1 / 4096.0),
    ])
  func units(unit: AccelerationUnit, expected: Double) {
    #expect(unit.inG == expected)
  }

  @Test("axes are not changed without a mount matrix")
  func defaults() {
    let profile = SensorProfile(name: "watch", clock: .boottime)
    #expect(profile.mountMatrix == .identity)
    #expect(profile.placement == .unknown)
    #expect(profile.samplingFrequency == nil)
  }
}
