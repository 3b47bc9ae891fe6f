import Accelerometry

extension SyntheticWalk {
  /// Generates a synthetic walk's samples on request, in constant memory.
  public struct Reader: SampleReader, Sendable {
    /// The properties of the sensor.
    public let profile: SensorProfile
    private var signal: BodySignal
    /// Runs ahead of the signal, which has to look back by half a period.
    private var script: GaitScript
    private var knot: GaitScript.Knot?
    private var sensor: SensorModel
    private let period: Double
    private let looks: Int
    private var index = 0
    private var isOver = false

    private static let batchSize = 1024
    /// Below this rate a sample is the mean over its period, like that of a chip whose filter follows its output rate;
    /// in evaluations per second.
    private static let lookRate = 100.0

    init(_ walk: SyntheticWalk) {
      profile = walk.profile
      signal = BodySignal(walk)
      script = GaitScript(walk)
      knot = script.next()
      sensor = SensorModel(walk)
      period = 1 / walk.rate
      looks = max(1, Int((Self.lookRate / walk.rate).rounded(.up)))
    }

    /// Replaces the content of `samples` by the next thousand; never throws.
    public mutating func read(into samples: inout [AccelerationSample]) -> Bool {
      samples.removeAll(keepingCapacity: true)
      while samples.count < Self.batchSize, let sample = next() { samples.append(sample) }
      return !samples.isEmpty
    }

    private mutating func next() -> AccelerationSample? {
      while !isOver {
        let time = Double(index) * period
        // Half a nanosecond of tolerance for rounding.
        while let passed = knot, passed.time <= time + 0.5e-9 { knot = passed.isEnd ? nil : script.next() }
        if knot == nil {
          isOver = true
          return nil
        }
        let motion = mean(around: time)
        index += 1
        let reading = sensor.reading(of: motion)
        let stamp = max(0, time + sensor.timestampError() * period)
        if sensor.isLost() { continue }
        return AccelerationSample(nanoseconds: Int64((stamp * 1e9).rounded()), acceleration: reading)
      }
      return nil
    }

    private mutating func mean(around time: Double) -> Motion {
      if looks == 1 { return signal.motion(at: time) }
      var mean = Motion(linear: .zero, up: .zero)
      for look in 0..<looks {
        let motion = signal.motion(at: time + ((Double(look) + 0.5) / Double(looks) - 0.5) * period)
        mean.linear += motion.linear
        mean.up += motion.up
      }
      mean.linear /= Double(looks)
      mean.up /= Double(looks)
      return mean
    }
  }
}
