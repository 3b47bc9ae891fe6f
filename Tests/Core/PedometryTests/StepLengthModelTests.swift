import Pedometry
import Testing

@Suite("The length of a step", .timeLimit(.minutes(30)))
struct StepLengthModelTests {
  @Test("follows the walk ratio: 0.72 m at 115 steps/min for a height of 1.70 m")
  func walkRatio() {
    #expect(abs(StepLengthModel.walkRatio().length(atCadence: 115.0 / 60) - 0.7245) < 1e-9)
  }

  @Test("grows with the cadence and with the height")
  func grows() {
    let (short, tall) = (StepLengthModel.walkRatio(height: 1.5), StepLengthModel.walkRatio(height: 1.9))
    #expect(short.length(atCadence: 2) < tall.length(atCadence: 2))
    #expect(tall.length(atCadence: 1.5) < tall.length(atCadence: 2))
  }

  @Test("stays within the limits of walking at any cadence", arguments: [0, 0.1, 1, 2.5, 3, 50, 1e9] as [Double])
  func bounded(cadence: Double) {
    let length = StepLengthModel.walkRatio().length(atCadence: cadence)
    #expect((0.37...0.95).contains(length))
  }

  @Test("is the given one if one is given")
  func given() {
    #expect(StepLengthModel.fixed(0.8).length(atCadence: 1) == 0.8)
    #expect(StepLengthModel.fixed(0.8).length(atCadence: nil) == 0.8)
  }

  @Test("replaces the usual one at any cadence", arguments: [0.5, 1.4, 2, 3])
  func replaced(cadence: Double) {
    let usual = StepLengthModel.walkRatio().length(atCadence: cadence)
    for model in [StepLengthModel.walkRatio(height: 1.9), .walkRatio(), .fixed(0.8)] {
      #expect(abs(model.length(insteadOf: usual) - model.length(atCadence: cadence)) < 1e-12)
    }
  }
}
