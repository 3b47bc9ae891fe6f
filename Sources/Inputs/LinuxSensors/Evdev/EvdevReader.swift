import Accelerometry
import CSensorShim

/// Reads an input device's acceleration.
///
/// The kernel buffers at least eight frames per reader, so the reader may sleep for four, which saves wake-ups without
/// losing frames.
final class EvdevReader: SensorReader {
  private static let framesUnseen = 4.0
  /// Nanoseconds after which a device that is silent at rest is considered still.
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
  private var watch: SensorWatch
  /// A device without its own clock sends nothing while its values do not change.
  private var isSilentAtRest = false
  private var latest: AccelerationSample?
  /// Nanoseconds between frames, estimated from them.
  private var period = 20_000_000.0
  /// Read, but not delivered yet.
  private var samples: [AccelerationSample] = []
  private var followsLoss = false
  private var hasToldFault = false
  /// A warning to be reported with the first samples.
  private var remark: String?
  private var isFlowing = false
  private var hasRested = false
  private var waiting: [SampleBatch] = []

  init(path: String, options: SensorOptions, machine: SensorEnvironment, monitor: AcquisitionMonitor) {
    (self.path, self.options, self.machine, self.monitor) = (path, options, machine, monitor)
    watch = SensorWatch(path: path, timeout: options.silenceTimeout)
  }

  func open() throws(SensorError) {
    let node = try EvdevNode(opening: path, in: machine)
    self.node = node
    let device = node.description
    let scale = try EvdevScale(device, path: path, countsPerG: options.countsPerG)
    self.scale = scale.gPerCount
    remark = scale.guess.map {
      "'\(device.name)' does not report its counts per g; \($0) is assumed from its initial values. If that is "
        + "wrong, state the right number with SensorOptions.countsPerG"
    }
    assembler = EvdevFrameAssembler(axes: scale.axes, counts: scale.counts)
    isSilentAtRest = !node.hasDeviceTime
    deviceClock = DeviceClock(followsEvents: node.hasBoottime)
    watch.heard()
    monitor.begin(.events)
  }

  func next(until stop: StopSignal) throws(SensorError) -> SampleBatch? {
    guard let node else { return nil }
    while waiting.isEmpty {
      let outcome = wait(for: node, until: stop)
      if outcome == .raised { return nil }
      let isQuiet: Bool
      do throws(SensorError) {
        isQuiet = try !read(node)
      } catch {
        // Samples from before the unplugging count; the next read reports the error again.
        if samples.isEmpty { throw error }
        handOver()
        break
      }
      if isQuiet, !isFlowing { try sayStill() }
      isFlowing = !isQuiet
      if isQuiet || isEnough { handOver() }
      try watch.check()
    }
    return waiting.removeFirst()
  }

  func rest(until stop: StopSignal) {
    guard isFlowing, waiting.isEmpty else { return }
    _ = stop.wait(atMost: .nanoseconds(Int64(gathering)))
    hasRested = true
  }

  private func wait(for node: EvdevNode, until stop: StopSignal) -> StopSignal.Outcome {
    guard isFlowing else { return stop.wait(for: node.number, atMost: timeout) }
    defer { hasRested = false }
    return stop.wait(atMost: hasRested ? .zero : .nanoseconds(Int64(gathering)))
  }

  /// How long to wait for a silent device.
  private var timeout: Duration { .nanoseconds(isSilentAtRest ? Self.stillness : 1_000_000_000) }

  /// Nanoseconds in which events accumulate after the first one.
  private var gathering: Double { min(options.use.batchDuration * 1e9, Self.framesUnseen * period) }

  /// Takes the queued events; returns whether there were any.
  private func read(_ node: EvdevNode) throws(SensorError) -> Bool {
    let offset = node.clock.offsetToBoottime
    var isAnything = false
    try node.drain { event in
      isAnything = true
      guard let frame = assembler.take(event) else { return }
      let eventTime = frame.nanoseconds &+ offset
      let time =
        isSilentAtRest
        ? eventTime : deviceClock.time(deviceMicroseconds: frame.deviceMicroseconds, eventTime: eventTime)
      let counts = SIMD3<Float>(Float(frame.counts.x), Float(frame.counts.y), Float(frame.counts.z))
      if frame.followsLoss {
        handOver()
        followsLoss = true
      }
      take(AccelerationSample(nanoseconds: time, acceleration: counts * scale))
    }
    return isAnything
  }

  /// Whether there are enough samples to wake the consumer.
  private var isEnough: Bool {
    guard let first = samples.first, let last = samples.last else { return false }
    return Double(last.nanoseconds &- first.nanoseconds) >= (options.use.batchDuration * 1e9) - 4 * period
  }

  private func take(_ sample: AccelerationSample) {
    if let latest {
      let interval = Double(sample.nanoseconds &- latest.nanoseconds)
      if isSilentAtRest, interval > 3 * period {
        // The device was still until now. Without this sample, a resampler would interpolate across the rest.
        let held = sample.nanoseconds - Int64(period)
        samples.append(AccelerationSample(nanoseconds: held, acceleration: latest.acceleration))
      } else if interval > 0 {
        period += (min(interval, 100_000_000) - period) / 16
      }
    }
    latest = sample
    samples.append(sample)
  }

  /// Moves the samples into batches.
  private func handOver() {
    guard !samples.isEmpty else { return }
    watch.heard()
    watch.take(samples)
    var batches = gaps.split(samples)
    if followsLoss, !batches.isEmpty { batches[0].gap = .overflow }
    followsLoss = false
    if let sentence = remark, !batches.isEmpty {
      batches[0].warning = sentence
      remark = nil
    }
    let fault = isSilentAtRest ? nil : deviceClock.fault
    if let fault, !hasToldFault, !batches.isEmpty, batches[0].warning == nil {
      batches[0].warning = "\(fault)"
      hasToldFault = true
    }
    waiting += batches
    samples.removeAll(keepingCapacity: true)
  }

  /// Called without events: the device is silent at rest, or broken (a read reports a removed device).
  private func sayStill() throws(SensorError) {
    guard samples.isEmpty else { return }
    guard isSilentAtRest else { return try watch.checkSilence() }
    guard node?.hasBoottime == true, let still = latest else { return }
    let now = SensorClock.boottime.now
    if now - still.nanoseconds < Self.stillness { return }
    let held = AccelerationSample(nanoseconds: now, acceleration: still.acceleration)
    latest = held
    samples.append(held)
  }

  func close() { node = nil }
}
