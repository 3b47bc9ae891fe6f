import Accelerometry
import Platform

/// Makes samples of an accelerometer's present value, read at even intervals.
///
/// It costs a wake-up per sample, and a busy machine or network delays samples.
struct SamplePoller {
  /// The upper limit of readings per second.
  static let mostReads = 200.0

  /// Readings per second.
  let frequency: Double
  private let path: String
  private let batchSize: Int
  /// The longest time in a batch, in nanoseconds: slow answers do not delay the samples before them.
  private let longest: Int64
  private var deadline = SensorClock.monotonic.now
  private var gaps: GapFinder
  private var silence: SilenceWatch
  private var stuck: StuckWatch
  private var waiting: [SampleBatch] = []

  /// - Parameters:
  ///   - path: the sensor's name for errors.
  ///   - frequency: readings per second; at least one, and at most ``mostReads``.
  init(path: String, frequency: Double, options: SensorOptions) {
    self.frequency = max(1, min(frequency, Self.mostReads))
    self.path = path
    batchSize = max(1, Int(self.frequency * options.use.batchDuration))
    longest = Int64(bounded: 2 * options.use.batchDuration * 1e9)
    gaps = GapFinder(frequency: SamplingFrequency(hertz: self.frequency))
    silence = SilenceWatch(path: path, timeout: options.silenceTimeout)
    stuck = StuckWatch(timeout: options.silenceTimeout)
  }

  /// The next batch of samples, whose time is the middle of their reading.
  /// - Parameter read: one reading in g; `nil` if the sensor did not respond.
  /// - Returns: `nil` if stopped.
  mutating func next(
    until stop: StopSignal, read: () throws(SensorError) -> SIMD3<Float>?
  ) throws(SensorError) -> SampleBatch? {
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(batchSize)
    while waiting.isEmpty {
      if !pause(until: stop) { return nil }
      let before = SensorClock.boottime.now
      guard let acceleration = try read() else {
        try silence.check()
        continue
      }
      silence.heard()
      let time = before + (SensorClock.boottime.now - before) / 2
      samples.append(AccelerationSample(nanoseconds: time, acceleration: acceleration))
      if samples.count == batchSize || time - samples[0].nanoseconds >= longest {
        waiting = gaps.split(samples)
        stuck.take(samples)
        try stuck.check(path: path)
        samples.removeAll(keepingCapacity: true)
      }
    }
    return waiting.removeFirst()
  }

  /// Waits for the next time to read; missed times are skipped. False if stopped.
  private mutating func pause(until stop: StopSignal) -> Bool {
    let period = Int64(bounded: 1e9 / frequency)
    deadline += period
    let now = SensorClock.monotonic.now
    if deadline < now - period { deadline = now }
    while true {
      let rest = deadline - SensorClock.monotonic.now
      if stop.wait(atMost: .nanoseconds(max(rest, 0))) == .raised { return false }
      if SensorClock.monotonic.now >= deadline { return true }
    }
  }
}
