import Testing

@testable import Accelerometry
@testable import Recordings
@testable import detector_lab

@Suite("A walk slowed down", .timeLimit(.minutes(30)))
struct SlowedWalkTests {
  private let walk = SyntheticWalk {
    $0.position = .lowerBack
    $0.cadence = 105
    $0.duration = .seconds(50)
  }

  private func slowed(to cadence: Double) throws -> SlowedWalk? {
    let strikes = try walk.steps.map { Double($0.components.seconds) + Double($0.components.attoseconds) * 1e-18 }
    return SlowedWalk(try walk.samples(), strikes: strikes, cadence: cadence)
  }

  @Test("has the requested cadence, and the steps of the walk", arguments: [44.0, 52, 60, 66])
  func cadence(cadence: Double) throws {
    let slowed = try #require(try slowed(to: cadence))
    let (first, last) = (try #require(slowed.strikes.first), try #require(slowed.strikes.last))
    let made = 60 * Double(slowed.strikes.count - 1) / (last - first)
    #expect(abs(made - cadence) < 0.5)
    #expect(slowed.strikes.count == (try walk.steps.count))
    #expect(abs(Double(try #require(slowed.samples.last).nanoseconds) * 1e-9 - last) < 0.1)
  }

  @Test("is as fast around the strikes as the walk, and slower between them")
  func shape() throws {
    let slowed = try #require(try slowed(to: 50))
    let rough = { (samples: ArraySlice<AccelerationSample>) in
      zip(samples, samples.dropFirst()).reduce(Float(0)) {
        let change = $1.1.acceleration - $1.0.acceleration
        return $0 + (change * change).sum()
      } / Float(samples.count)
    }
    var (near, between): (Float, Float) = (0, 0)
    for i in 5..<25 {
      let (strike, next) = (slowed.strikes[i], slowed.strikes[i + 1])
      let index = { (time: Double) in Int(time * 50) }
      near += rough(slowed.samples[index(strike)..<index(strike + 0.12)])
      between += rough(slowed.samples[index((strike + next) / 2 - 0.06)..<index((strike + next) / 2 + 0.06)])
    }
    #expect(near > 2 * between)
  }

  @Test("is `nil` if the walk is as slow already, or too short")
  func refused() throws {
    #expect(try slowed(to: 100) == nil)
    #expect(SlowedWalk(try walk.samples(), strikes: [1, 2, 3], cadence: 50) == nil)
    #expect(SlowedWalk([], strikes: [], cadence: 50) == nil)
  }
}
