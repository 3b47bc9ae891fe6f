import Accelerometry
import Recordings
import Testing

@testable import Studies

@Suite("Motion and wear", .timeLimit(.minutes(30)))
struct StudyMotionTests {
  /// Samples at 10 Hz: intervals of some seconds each, at rest or swinging by some g.
  private func samples(_ stretches: [(seconds: Int, swing: Float)]) -> [AccelerationSample] {
    var samples: [AccelerationSample] = []
    for stretch in stretches {
      for i in 0..<stretch.seconds * 10 {
        let swing = i % 2 == 0 ? stretch.swing : -stretch.swing
        samples.append(
          AccelerationSample(
            nanoseconds: Int64(samples.count) * 100_000_000, acceleration: SIMD3(swing, swing, 1 + swing)))
      }
    }
    return samples
  }

  private func table(_ samples: [AccelerationSample], mad: Bool = false) -> MotionTable {
    var table = MotionTable(shift: 0, includesMAD: mad)
    let isTaken = table.take(samples.span)
    #expect(isTaken)
    table.finish()
    return table
  }

  @Test("a night on the bedside table is non-wear, and a day on a wrist is wear")
  func nonWear() {
    let hour = 3600
    let table = table(samples([(8 * hour, 0.2), (8 * hour, 0.001), (8 * hour, 0.2)]))
    let quarters = NonWear.regrouped(table.wear.nonWear)
    #expect(quarters.count == 96)
    #expect(quarters[..<32].allSatisfy { !$0 })
    #expect(quarters[32..<64].allSatisfy { $0 })
    #expect(quarters[64...].allSatisfy { !$0 })
  }

  @Test("half an hour of rest is wear")
  func reading() {
    let table = table(samples([(3 * 3600, 0.2), (1800, 0.001), (3 * 3600, 0.2)]))
    #expect(table.wear.nonWear.allSatisfy { !$0 })
  }

  @Test("ENMO counts magnitudes below 1 g as 0; MAD counts deviations in both directions")
  func enmo() {
    // Magnitudes alternate between 1.5 g and 0.5 g.
    let samples = (0..<600).map { i in
      AccelerationSample(nanoseconds: Int64(i) * 100_000_000, acceleration: SIMD3(0, 0, i % 2 == 0 ? 1.5 : 0.5))
    }
    let minute = table(samples, mad: true).minutes[0]
    #expect(abs(minute.enmo / Double(minute.samples) - 0.25) < 1e-6)
    #expect(abs(minute.deviation / Double(minute.deviations) - 0.5) < 1e-6)
  }

  @Test("the results do not depend on the batches", arguments: [1, 7, 1000])
  func batches(size: Int) {
    let samples = samples([(100, 0.2), (100, 0.01)])
    var cut = MotionTable(shift: 0, includesMAD: true)
    for start in stride(from: 0, to: samples.count, by: size) {
      _ = cut.take(samples[start..<min(samples.count, start + size)].span)
    }
    cut.finish()
    let whole = table(samples, mad: true)
    #expect(cut.minutes.map(\.enmo) == whole.minutes.map(\.enmo))
    #expect(cut.minutes.map(\.deviation) == whole.minutes.map(\.deviation))
    #expect(cut.wear.nonWear == whole.wear.nonWear)
  }

  @Test("a recording of eleven years is refused, not held in memory")
  func broken() {
    let ends: [Int64] = [0, 11 * 366 * 86_400 * 1_000_000_000]
    let samples = ends.map { AccelerationSample(nanoseconds: $0, acceleration: SIMD3(0, 0, 1)) }
    var table = MotionTable(shift: 0, includesMAD: false)
    let isTaken = table.take(samples.span)
    #expect(!isTaken)
  }

  @Test("calibration finds gains and offsets from rest in several orientations")
  func calibration() throws {
    let (gain, offset) = (SIMD3<Double>(1.03, 0.97, 1.01), SIMD3<Double>(0.02, -0.03, 0.01))
    var points: [SIMD3<Double>] = []
    for i in 0..<60 {
      // Directions distributed over the sphere.
      let z = 1 - 2 * (Double(i) + 0.5) / 60
      let turn = Double(i) * 2.399963
      let r = (1 - z * z).squareRoot()
      points.append((SIMD3(r * cosine(turn), r * cosine(turn - .pi / 2), z) - offset) / gain)
    }
    let found = try Calibration(fitting: points)
    for axis in 0..<3 {
      #expect(abs(Double(found.gain[axis]) - gain[axis]) < 0.001)
      #expect(abs(Double(found.offset[axis]) - offset[axis]) < 0.001)
    }
    #expect(found.errorAfter < 0.1 && found.errorBefore > 10)
    #expect(throws: Calibration.Obstacle.fewOrientations) { try Calibration(fitting: points.filter { $0.z > 0 }) }
    #expect(throws: Calibration.Obstacle.littleRest) { try Calibration(fitting: Array(points[..<9])) }
    #expect(throws: Calibration.Obstacle.noImprovement) { try Calibration(fitting: points.map { $0 * 3 }) }
  }

  /// The cosine of an angle in radians, by its series.
  private func cosine(_ angle: Double) -> Double {
    let x = angle.remainder(dividingBy: 2 * .pi)
    var (term, sum) = (1.0, 1.0)
    for n in stride(from: 1.0, through: 29, by: 2) {
      term *= -x * x / (n * (n + 1))
      sum += term
    }
    return sum
  }
}
