import Testing

@testable import StepDetection

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The peak finder", .timeLimit(.minutes(30)))
struct PeakFinderTests {
  private func peaks(_ signal: (Double) -> Double, seconds: Double = 12) -> [Peak] {
    var finder = PeakFinder()
    for n in 0..<Int(seconds * 12.5) {
      finder.process(Float(signal((Double(n) + 0.5) / 12.5)), cell: n, counted: -.infinity)
    }
    return (0..<finder.peaks.count).map { finder.peaks[$0] }
  }

  @Test("finds each maximum of a sine within the band, one period apart", arguments: [1.4, 1.8, 2.2])
  func sine(frequency: Double) {
    let found = peaks { 1 + 0.2 * sin(2 * .pi * frequency * $0) }.filter { $0.time > 4 && $0.time < 11 }
    #expect(abs(Double(found.count) - 7 * frequency) <= 1.5)
    for (a, b) in zip(found, found.dropFirst()) { #expect(abs((b.time - a.time) * frequency - 1) < 0.05) }
  }

  @Test("ignores gravity and movement slower or faster than steps", arguments: [0.2, 5.5])
  func outside(frequency: Double) {
    let found = peaks { 1 + 0.1 * sin(2 * .pi * frequency * $0) }.filter { $0.time > 4 }
    #expect(found.allSatisfy { $0.height < 0.03 })
    #expect(peaks { _ in 1 }.isEmpty)
  }

  @Test("keeps the peaks of the last six seconds, however many there were before")
  func memory() {
    let found = peaks({ 1 + 0.2 * sin(2 * .pi * 2.4 * $0) }, seconds: 120)
    #expect(found.count <= PeakHistory.capacity)
    #expect(found.count { $0.time > 113 } >= 13)
  }

  @Test("computes the upper median of the heights between two times")
  func median() throws {
    var history = PeakHistory()
    for (i, height) in [Float(3), 1, 2, 9].enumerated() { history.append(Peak(time: Double(i), height: height)) }
    #expect(history.medianHeight(from: 0, to: 2) == 2)
    #expect(history.medianHeight(from: 0, to: 3) == 3)
    #expect(history.medianHeight(from: 5, to: 6) == nil)
    #expect(history.firstIndex(after: 1) == 2)
  }
}

extension PeakFinder {
  /// Band-passes the magnitude of cell `n` of the run, and looks at it.
  mutating func process(_ magnitude: Float, cell n: Int, counted: Double) {
    bandPass.begin(at: magnitude)
    look(at: bandPass.apply(magnitude), cell: n, counted: counted)
  }
}
