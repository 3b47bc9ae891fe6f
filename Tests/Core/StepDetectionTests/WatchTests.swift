import Accelerometry
import Testing

@testable import StepDetection

/// The state machines that watch samples and cells, at their limits.
@Suite("Watches of samples at their limits", .timeLimit(.minutes(30))) struct WatchTests {
  /// The freeze that is reported for a sensor that repeats a value after motion, and then moves by a change per cell.
  private func freeze(then change: Float) -> Int? {
    var watch = FreezeWatch()
    for cell in 0..<40 { _ = watch.take(cell % 2 == 0 ? 1.5 : 2) }
    for _ in 0..<25 { _ = watch.take(1.5) }
    var found: Int?
    for cell in 0..<40 { found = watch.take(cell % 2 == 0 ? 1.5 + change : 1.5) ?? found }
    return found
  }

  @Test("a freeze is reported only if the sensor moves after it")
  func freezes() {
    #expect(freeze(then: 0.1) == 24)
    #expect(freeze(then: 0.03) == nil)
  }

  @Test("gravity is missing from the first cell on if that is lighter than 0.3 g")
  func gravity() {
    var heavy = GravityRestorer()
    let cell = SIMD4<Float>(0, 0, 0.3, 0)
    #expect(heavy.magnitude(of: cell, squared: Tuning.firstCellLightSquared) == 0.3)
    #expect(!heavy.isMissing)
    var light = GravityRestorer()
    #expect(light.magnitude(of: cell, squared: Tuning.firstCellLightSquared.nextDown) > 1.2)
    #expect(light.isMissing)
  }
}
