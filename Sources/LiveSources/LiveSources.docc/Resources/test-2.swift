import Pedometers
import Testing

@Test("the walk ends at the goal")
func goal() async throws {
  // As fast as the machine can: the walk's time does not depend on the clock.
  let pedometer = try SyntheticPedometer(pace: .unpaced, clock: ContinuousClock())
  let steps = try await walk(to: 50, with: pedometer)
  #expect(steps.map { $0 >= 50 } == true)
}
