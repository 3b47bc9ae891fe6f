import Platform
import Recordings
import Testing

@testable import StepDetection

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Filters and logarithms", .timeLimit(.minutes(30)))
struct FilterTests {
  @Test("a biquad follows its difference equation")
  func differenceEquation() {
    let filter = Tuning.bandPass.0
    var state = Biquad<Float>.silence
    var random = SplitMix64(seed: 3)
    var (x, y) = ([0.0, 0, 0], [0.0, 0, 0])
    var worst = 0.0
    for _ in 0..<500 {
      let value = Float.random(in: -1...1, using: &random)
      x = [Double(value), x[0], x[1]]
      let made = Double(filter.b0) * x[0] + Double(filter.b1) * x[1] + Double(filter.b2) * x[2]
      y = [made - Double(filter.a1) * y[0] - Double(filter.a2) * y[1], y[0], y[1]]
      worst = max(worst, abs(Double(filter.apply(value, &state)) - y[0]))
    }
    #expect(worst < 1e-5)
  }

  @Test("the fast logarithm is accurate to six digits, from a millionth to a million")
  func logarithm() {
    var x: Float = 1e-6
    while x < 1e6 {
      #expect(abs(fastLog(x) - log(x)) < 2e-6 * max(1, abs(log(x))))
      x *= 1.003
    }
    #expect(fastLog(1) == 0)
  }
}
