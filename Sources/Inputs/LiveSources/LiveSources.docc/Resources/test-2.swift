import Pedometers
import Testing

@Test("the walk ends at the goal")
func goal() async throws {
  // Runs at full speed: the time of the walk does not depend on the clock.
  let pedometer = try SyntheticPedometer(pace: .unpaced, clock: ContinuousClock())
  let steps = try await walk(to: 50, with: pedometer)
  #expect(steps.map { $0 >= 50 } == true)
}
