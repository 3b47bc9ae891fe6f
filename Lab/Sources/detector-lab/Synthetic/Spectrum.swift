import Glibc

/// The discrete Fourier transform in place, for lengths that are powers of two: Cooley J. and Tukey J. "An algorithm for
/// the machine calculation of complex Fourier series". Mathematics of Computation 19 (1965) 297-301.
///
/// A value is a complex number: two series that a real gain filters alike are one series of values.
enum Spectrum {
  /// - Parameter isInverse: back to time, including the division by the length.
  static func transform(_ values: inout [SIMD2<Double>], isInverse: Bool) {
    let count = values.count
    precondition(count > 0 && count & (count - 1) == 0, "the length is a power of two")
    reverseBits(&values)
    var half = 1
    while half < count {
      let turn = (isInverse ? Double.pi : -Double.pi) / Double(half)
      for k in 0..<half {
        let (c, s) = (cos(turn * Double(k)), sin(turn * Double(k)))
        for i in stride(from: k, to: count, by: 2 * half) {
          let (a, b) = (values[i], values[i + half])
          let turned = SIMD2(b.x * c - b.y * s, b.x * s + b.y * c)
          (values[i], values[i + half]) = (a + turned, a - turned)
        }
      }
      half *= 2
    }
    if isInverse { for i in values.indices { values[i] /= Double(count) } }
  }

  private static func reverseBits(_ values: inout [SIMD2<Double>]) {
    var j = 0
    for i in 1..<max(1, values.count) {
      var bit = values.count >> 1
      while j & bit != 0 {
        j ^= bit
        bit >>= 1
      }
      j ^= bit
      if i < j { values.swapAt(i, j) }
    }
  }
}

/// An equaliser: a gain that changes with frequency, without delay.
struct Equalizer {
  /// Hz.
  static let frequencies = [0.2, 0.6, 1.1, 1.8, 2.8, 4.5, 8, 15]
  /// The natural logarithms of the gains at the frequencies; between them a line over the logarithm of the frequency.
  var logGains: [Double]

  func gain(_ frequency: Double) -> Double {
    let place = log(max(frequency, 0.05))
    let knots = Self.frequencies.map { log($0) }
    guard let next = knots.firstIndex(where: { $0 > place }) else { return exp(logGains.last ?? 0) }
    guard next > 0 else { return exp(logGains.first ?? 0) }
    let share = (place - knots[next - 1]) / (knots[next] - knots[next - 1])
    return exp(logGains[next - 1] + share * (logGains[next] - logGains[next - 1]))
  }

  /// Filters evenly spaced values about their mean.
  /// - Parameter interval: in seconds.
  func applied(to values: [SIMD3<Float>], interval: Double) -> [SIMD3<Float>] {
    guard values.count > 1 else { return values }
    let mean = values.reduce(SIMD3<Double>.zero) { $0 + SIMD3<Double>($1) } / Double(values.count)
    var length = 1
    while length < values.count { length *= 2 }
    var level = [SIMD2<Double>](repeating: .zero, count: length)
    var upright = level
    for (i, value) in values.enumerated() {
      let moved = SIMD3<Double>(value) - mean
      (level[i], upright[i]) = (SIMD2(moved.x, moved.y), SIMD2(moved.z, 0))
    }
    Spectrum.transform(&level, isInverse: false)
    Spectrum.transform(&upright, isInverse: false)
    for i in 0..<length {
      let gain = gain(Double(min(i, length - i)) / (Double(length) * interval))
      level[i] *= gain
      upright[i] *= gain
    }
    Spectrum.transform(&level, isInverse: true)
    Spectrum.transform(&upright, isInverse: true)
    return values.indices.map { SIMD3<Float>(mean + SIMD3(level[$0].x, level[$0].y, upright[$0].x)) }
  }
}
