import Accelerometry

/// Gain and offset of each axis, estimated while the sensor is at rest.
///
/// At rest the acceleration is one gravity in any orientation, so the means of quiet intervals lie on a sphere of
/// radius 1 g. The gains and offsets that bring them closest to it are those of the sensor. van Hees V. T. et al.
/// "Autocalibration of accelerometer data for free-living physical activity assessment using local gravity and
/// temperature". Journal of Applied Physiology 117 (2014) 738–744; here without the temperature.
package struct Calibration: Sendable, Hashable {
  /// The calibrated value is gain × value + offset; offsets in g.
  package var gain = SIMD4<Float>(1, 1, 1, 0)
  package var offset = SIMD4<Float>.zero
  /// The mean distance of quiet intervals from 1 g before and after, in mg.
  package var errorBefore = 0.0
  package var errorAfter = 0.0
  /// The number of quiet intervals.
  package var points = 0

  /// The length of an interval in nanoseconds. It is quiet if its standard deviation is below 13 mg on every axis.
  static let stretch: Int64 = 10_000_000_000
  static let deviation = 0.013
  /// Both directions of every axis are required, at least 0.3 g each.
  static let spread = 0.3
  private static let fewestPoints = 10

  package enum Obstacle: Error, Sendable, Hashable {
    /// The sensor rested in fewer than ten intervals.
    case littleRest
    /// It did not rest in both directions of every axis.
    case fewOrientations
    /// No gains and offsets of a sensor bring the means closer to 1 g.
    case noImprovement
  }

  package init(fitting points: [SIMD3<Double>]) throws(Obstacle) {
    self.points = points.count
    guard points.count >= Self.fewestPoints else { throw .littleRest }
    for axis in 0..<3 {
      guard points.contains(where: { $0[axis] > Self.spread }), points.contains(where: { $0[axis] < -Self.spread })
      else { throw .fewOrientations }
    }
    var (gains, offsets) = (SIMD3<Double>(repeating: 1), SIMD3<Double>.zero)
    var weights = [Double](repeating: 1, count: points.count)
    errorBefore = Self.error(of: points, gains, offsets) * 1000
    var latest = Double.infinity
    for _ in 0..<1000 {
      let current = points.map { gains * $0 + offsets }
      let nearest = current.map { $0 / ($0 * $0).sum().squareRoot() }
      for axis in 0..<3 {
        guard let (slope, shift) = Self.line(from: current, to: nearest, axis, weights) else { throw .noImprovement }
        gains[axis] *= slope
        offsets[axis] = offsets[axis] * slope + shift
      }
      let moved = points.map { gains * $0 + offsets }
      weights = zip(moved, nearest).map { a, b in min(100, 1 / max(1e-9, ((a - b) * (a - b)).sum().squareRoot())) }
      let error = Self.error(of: points, gains, offsets)
      if abs(latest - error) < 1e-10 { break }
      latest = error
    }
    errorAfter = Self.error(of: points, gains, offsets) * 1000
    guard errorAfter < errorBefore, gains.min() > 0.8, gains.max() < 1.25 else { throw .noImprovement }
    gain = SIMD4(Float(gains.x), Float(gains.y), Float(gains.z), 0)
    offset = SIMD4(Float(offsets.x), Float(offsets.y), Float(offsets.z), 0)
  }

  private static func error(of points: [SIMD3<Double>], _ gains: SIMD3<Double>, _ offsets: SIMD3<Double>) -> Double {
    points.reduce(0) { sum, point in
      let value = gains * point + offsets
      return sum + abs((value * value).sum().squareRoot() - 1)
    } / Double(points.count)
  }

  /// The weighted least-squares line.
  private static func line(
    from a: [SIMD3<Double>], to b: [SIMD3<Double>], _ axis: Int, _ weights: [Double]
  ) -> (slope: Double, shift: Double)? {
    var (w, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for i in a.indices {
      let (weight, from, to) = (weights[i], a[i][axis], b[i][axis])
      w += weight
      x += weight * from
      y += weight * to
      xx += weight * from * from
      xy += weight * from * to
    }
    let spread = w * xx - x * x
    guard spread > 1e-12 else { return nil }
    let slope = (w * xy - x * y) / spread
    return (slope, (y - slope * x) / w)
  }

  package func apply(to samples: inout [AccelerationSample]) {
    for index in samples.indices { samples[index].lanes = samples[index].lanes * gain + offset }
  }
}

package struct QuietStretches: Sendable {
  /// The mean of each.
  package private(set) var points: [SIMD3<Double>] = []
  private var end = Int64.min
  private var count = 0.0
  private var sum = SIMD4<Double>.zero
  private var squares = SIMD4<Double>.zero
  /// The maximum number of intervals. A year of rest has three million; more do not improve the fit.
  private static let most = 200_000

  package init() {}

  package mutating func take(_ samples: Span<AccelerationSample>) {
    for i in samples.indices {
      if samples[i].nanoseconds >= end { next(at: samples[i].nanoseconds) }
      let value = SIMD4<Double>(samples[i].lanes)
      count += 1
      sum += value
      squares += value * value
    }
  }

  package mutating func finish() { next(at: 0) }

  private mutating func next(at time: Int64) {
    defer {
      end = time &+ Calibration.stretch
      (count, sum, squares) = (0, .zero, .zero)
    }
    guard count >= 20, points.count < Self.most else { return }
    let mean = sum / SIMD4(repeating: count)
    let variance = squares / SIMD4(repeating: count) - mean * mean
    let limit = Calibration.deviation * Calibration.deviation
    guard variance.x < limit, variance.y < limit, variance.z < limit else { return }
    points.append(SIMD3(mean.x, mean.y, mean.z))
  }
}
