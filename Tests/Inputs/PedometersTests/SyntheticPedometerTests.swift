import Pedometers
import Pedometry
import Recordings
import TestSupport
import Testing

@Suite("The synthetic pedometer", .timeLimit(.minutes(30)))
struct SyntheticPedometerTests {
  @Test("follows its clock: no steps while it stops, two steps a second while it runs")
  func walks() async throws {
    let clock = ManualClock()
    let log = HandlerLog()
    let pedometer = try SyntheticPedometer(clock: clock)
    pedometer.start(log: log)
    let walker = Task {
      while !Task.isCancelled {
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
      }
    }
    let entries = await log.entries { if case .data(let steps) = $0 { steps >= 40 } else { false } }
    walker.cancel()
    pedometer.pause()
    #expect(entries.first == .started)
    // 40 steps at 120 steps/min take 20 s, and are confirmed at most six seconds later.
    #expect((20...27).contains(clock.now.offset / .seconds(1)))
  }

  @Test("is always available and permitted")
  func access() throws {
    let pedometer = SyntheticPedometer()
    #expect(pedometer.pedometerAvailable)
    #expect(!pedometer.permissionDeclined)
  }

  @Test("refuses an invalid walk")
  func impossible() {
    #expect(throws: SyntheticWalkError.self) {
      try SyntheticPedometer(walk: SyntheticWalk { $0.cadence = -5 }, clock: ManualClock())
    }
  }

  @Test("has the step length of its walk: distance is steps times 0.7 m")
  func distance() async throws {
    let (updates, continuation) = AsyncStream.makeStream(of: WalkTotals.self)
    let pedometer = try SyntheticPedometer(pace: .unpaced, clock: ContinuousClock())
    pedometer.start { data, _ in
      if let walk = data as? WalkTotals { continuation.yield(walk) }
    } eventUpdates: { _ in
    }
    let walk = try #require(await updates.first { $0.steps > 100 })
    #expect(abs(walk.distanceTravelled - 0.7 * Double(walk.steps)) < 1e-6)
    pedometer.pause()
  }
}
