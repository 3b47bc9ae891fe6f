import Glibc

@testable import Accelerometry
@testable import Platform

/// A copy of a recording as another person, place or sensor might have produced it: faster or slower, stronger or
/// weaker, with other shares of swing and impact, damped, at a lower sampling frequency, with more noise.
///
/// A copy of a walk stays a walk only within limits. A copy of another movement stays one at any pace and strength, so
/// it is altered more: with kinds of movement that were left out, this reduced the false steps from 46 to 33 an hour.
///
/// The equaliser matters most: without it, walkers whose arms swing unusually far were lost when their source was left
/// out (5.8 instead of 2.8 % error).
struct AlteredCopy {
  private(set) var samples: [AccelerationSample]
  /// The factor by which time was stretched.
  private(set) var stretch = 1.0

  /// - Parameters:
  ///   - isWalk: a walk's amplitude follows its pace.
  ///   - stream: the number of the recording; each has its own random numbers.
  init(of original: [AccelerationSample], isWalk: Bool, seed: UInt64, stream: UInt64) {
    samples = original
    guard let first = original.first?.nanoseconds, let last = original.last?.nanoseconds, original.count >= 50,
      last > first
    else { return }
    var random = SplitMix64(seed: 0xA17E_4ED0 &+ seed, stream: stream)
    let number = { (range: ClosedRange<Double>) in Double.random(in: range, using: &random) }
    let scale = { (range: ClosedRange<Double>) in exp(number(log(range.lowerBound)...log(range.upperBound))) }
    // Approximately normal: the sum of twelve uniform numbers (Irwin and Hall).
    let normal = { (0..<12).reduce(-6.0) { sum, _ in sum + number(0...1) } }
    let interval = Double(last - first) * 1e-9 / Double(original.count - 1)
    stretch = scale(isWalk ? 0.8...1.25 : 0.6...1.65)
    let size = isWalk ? scale(0.7...1.45) * pow(stretch, -1.3) : scale(0.4...2.4)

    let values = original.map(\.acceleration)
    let slow = Self.averaged(values, max(3, Int(2 / interval)))
    var gains = (0..<Equalizer.frequencies.count).map { _ in min(max(0.32 * normal(), -0.75), 0.75) }
    // The frequencies of steps keep their size on average; the size is drawn separately.
    let middle = gains[1...4].reduce(0, +) / 4
    for i in gains.indices { gains[i] -= middle }
    let equalized = Equalizer(logGains: gains).applied(to: values, interval: interval)
    var changed = zip(slow, equalized).map { $0 + ($1 - $0) * Float(size) }
    if number(0...1) < 0.35 { changed = Self.averaged(changed, max(1, Int(number(0.03...0.11) / interval))) }

    let noise = scale(0.002...0.02)
    let step = interval < 0.025 && number(0...1) < 0.3 ? max(1, Int(0.04 / interval)) : 1
    samples = Swift.stride(from: 0, through: changed.count - step, by: step).map { i in
      let mean = changed[i..<(i + step)].reduce(.zero, +) / Float(step)
      let shaken = mean + SIMD3<Float>(SIMD3(normal(), normal(), normal()) * noise)
      let time = Double(original[i + step / 2].nanoseconds - first) * stretch
      return AccelerationSample(nanoseconds: first + Int64(time), acceleration: shaken)
    }
  }

  /// The mean of each value and its neighbours; beyond the ends, the outer values go on.
  private static func averaged(_ values: [SIMD3<Float>], _ width: Int) -> [SIMD3<Float>] {
    guard width > 1, let first = values.first, let last = values.last else { return values }
    let (before, after) = (width / 2, width - width / 2 - 1)
    var sum = SIMD3<Double>.zero
    let value = { (i: Int) in SIMD3<Double>(i < 0 ? first : i >= values.count ? last : values[i]) }
    for i in -before...after { sum += value(i) }
    return values.indices.map { i in
      defer { sum += value(i + after + 1) - value(i - before) }
      return SIMD3<Float>(sum / Double(width))
    }
  }
}
