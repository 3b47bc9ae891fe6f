import Accelerometry
import CSensorShim

/// Reads an input device's acceleration.
///
/// The kernel keeps at least eight frames for a reader, so a reader may look away for four: that saves wake-ups
/// without losing anything.
final class EvdevReader: SensorReader {
  private static let framesUnseen = 4.0
  /// Nanoseconds after which a device that is silent at rest is said to be still.
  private static let stillness: Int64 = 500_000_000

  private let path: String
  private let options: SensorOptions
  private let machine: SensorEnvironment
  private let monitor: AcquisitionMonitor

  private var node: EvdevNode?
  private var scale = SIMD3<Float>()
  private var assembler = EvdevFrameAssembler(axes: EvdevDriver.usualAxes, counts: .zero)
  private var deviceClock = DeviceClock()
  private var gaps = GapFinder(frequency: nil)
  private var silence: SilenceWatch
  private var stuck: StuckWatch
  /// A device without a clock of its own says nothing at all while its values stay the same.
  private var isSilentAtRest = false
  private var latest: AccelerationSample?
  /// Nanoseconds between frames, learnt from them.
  private var period = 20_000_000.0
  private var waiting: [SampleBatch] = []

  init(path: String, options: SensorOptions, machine: SensorEnvironment, monitor: AcquisitionMonitor) {
    self.path = path
    self.options = options
    self.machine = machine
    self.monitor = monitor
    silence = SilenceWatch(path: path, timeout: options.silenceTimeout)
    stuck = StuckWatch(timeout: options.silenceTimeout)
  }

  func open() throws(SensorError) {
    let node = try EvdevNode(opening: path, in: machine)
    self.node = node
    let scale = try EvdevScale(node, path: path, countsPerG: options.countsPerG)
    self.scale = scale.gPerCount
    let counts = scale.axes.map { node.axis($0)?.value ?? 0 }
    assembler = EvdevFrameAssembler(axes: scale.axes, counts: SIMD3(counts))
    isSilentAtRest = !node.hasDeviceTime
    deviceClock = DeviceClock(followsEvents: node.hasBoottime)
    silence.heard()
    monitor.begin(.events)
  }

  func next(until stop: StopSignal) throws(SensorError) -> SampleBatch? {
    guard let node else { return nil }
    while waiting.isEmpty {
      let patience = isSilentAtRest ? Self.stillness : 1_000_000_000
      switch stop.wait(for: node.number, atMost: .nanoseconds(patience)) {
      case .raised: return nil
      case .timedOut: try sayStill(node)
      case .readable:
        if stop.wait(atMost: .nanoseconds(Int64(rest))) == .raised { return nil }
        try read(node)
        if waiting.isEmpty, !isSilentAtRest { try silence.check() }
      }
      try stuck.check(path: path)
    }
    return waiting.removeFirst()
  }

  /// Nanoseconds to let events gather after the first has come.
  private var rest: Double { min(options.use.batchDuration * 1e9, Self.framesUnseen * period) }

  private func read(_ node: EvdevNode) throws(SensorError) {
    let offset = node.clock.offsetToBoottime
    var samples: [AccelerationSample] = []
    try node.drain { event in
      guard let frame = assembler.take(event) else { return }
      let eventTime = frame.nanoseconds &+ offset
      let time =
        isSilentAtRest
        ? eventTime : deviceClock.time(deviceMicroseconds: frame.deviceMicroseconds, eventTime: eventTime)
      let counts = SIMD3<Float>(Float(frame.counts.x), Float(frame.counts.y), Float(frame.counts.z))
      if frame.followsLoss { hand(over: &samples, lossFollows: true) }
      take(AccelerationSample(nanoseconds: time, acceleration: counts * scale), into: &samples)
    }
    hand(over: &samples, lossFollows: false)
  }

  private func take(_ sample: AccelerationSample, into samples: inout [AccelerationSample]) {
    if let latest {
      let interval = Double(sample.nanoseconds &- latest.nanoseconds)
      if isSilentAtRest, interval > 3 * period {
        // It stood still until just now; without this a resampler would draw a line across the rest.
        let held = sample.nanoseconds - Int64(period)
        samples.append(AccelerationSample(nanoseconds: held, acceleration: latest.acceleration))
      } else if interval > 0 {
        period += (min(interval, 100_000_000) - period) / 16
      }
    }
    latest = sample
    samples.append(sample)
  }

  private var followsLoss = false

  private func hand(over samples: inout [AccelerationSample], lossFollows: Bool) {
    if !samples.isEmpty {
      silence.heard()
      var batches = gaps.split(samples)
      if followsLoss, !batches.isEmpty { batches[0].gap = .overflow }
      followsLoss = false
      waiting += batches
      stuck.take(samples)
      let unchanged = stuck.unchanged
      monitor.update {
        $0.samples += samples.count
        $0.unchanged = unchanged
      }
      samples.removeAll(keepingCapacity: true)
    }
    if lossFollows { followsLoss = true }
  }

  /// Nothing came: the device is silent at rest, or broken, or gone (which a read says).
  private func sayStill(_ node: EvdevNode) throws(SensorError) {
    try read(node)
    guard waiting.isEmpty else { return }
    guard isSilentAtRest else { return try silence.check() }
    guard node.hasBoottime, let still = latest else { return }
    let now = SensorClock.boottime.now
    if now - still.nanoseconds < Self.stillness { return }
    let held = AccelerationSample(nanoseconds: now, acceleration: still.acceleration)
    latest = held
    stuck.take([held])
    waiting = gaps.split([held])
  }

  func close() { node = nil }
}
