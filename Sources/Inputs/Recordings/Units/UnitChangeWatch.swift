import Accelerometry

/// Looks for a change of the unit in a recording that cannot be read twice, in some samples of each batch.
struct UnitChangeWatch {
  private var means: [Double] = []
  private var times: [Int64] = []
  private var sum = SIMD3<Double>()
  private var count = 0

  /// About a second, and many hours.
  private static let (samplesOfPart, mostParts) = (64, 1 << 16)

  /// Takes the samples of a batch; of a large one each fourth part.
  mutating func take(_ samples: [AccelerationSample]) {
    guard means.count < Self.mostParts else { return }
    for start in stride(from: 0, to: samples.count, by: 4 * Self.samplesOfPart) {
      takePart(samples[start...].prefix(Self.samplesOfPart))
    }
  }

  private mutating func takePart(_ samples: ArraySlice<AccelerationSample>) {
    for sample in samples {
      if count == 0 { times.append(sample.nanoseconds) }
      sum += SIMD3<Double>(sample.acceleration)
      count += 1
      if count == Self.samplesOfPart {
        means.append((sum * sum).sum().squareRoot() / Double(count))
        (sum, count) = (SIMD3(), 0)
      }
    }
  }

  var change: UnitChange? { UnitChange(means: means, times: times) }
}
