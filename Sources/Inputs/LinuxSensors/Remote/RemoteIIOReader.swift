import Accelerometry
import IIOScans
import Platform
import SourceNames

/// An accelerometer of another computer, read through its iiod.
package struct RemoteIIOAccelerometer: Sendable {
  /// Which one.
  package let address: RemoteIIOAddress
  private let options: SensorOptions
  private let timeouts: IIODClient.Timeouts
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - options: how to read it. The silence after which it is lost counts for the network, too.
  ///   - answer: how long to wait for a connection and for answers.
  ///   - now: the time since boot, in nanoseconds.
  package init(
    _ address: RemoteIIOAddress, options: SensorOptions = SensorOptions(), answer: Duration = .seconds(5),
    now: @escaping @Sendable () -> Int64 = { SensorClock.boottime.now }
  ) {
    (self.address, self.options, self.now) = (address, options, now)
    timeouts = IIODClient.Timeouts(answer: answer, scans: options.silenceTimeout)
  }

  /// The properties known before it is connected.
  package var profile: SensorProfile {
    SensorProfile(name: "\(SourceURI.remoteIIO(address))", clock: .boottime)
  }

  /// The samples in g, mount matrix applied, with times since boot. It is connected at the first `next()`.
  package func batches() -> SensorReadings<SampleBatch> {
    SensorReadings { RemoteIIOReader(address, options, timeouts, now) }
  }
}

/// Reads the scans that an iiod sends, or asks it for each sample if the device has no buffer or no trigger.
final class RemoteIIOReader: SensorReader {
  /// The number of bytes of a request for scans: days of them.
  private static let requestBytes = 1 << 30
  /// How many requests in a row may end without a scan, as when another program selects more channels.
  private static let mostEmptyRequests = 8
  /// The shortest buffer of scans in seconds: each is a packet.
  private static let shortestBuffer = 0.1
  /// Samples per second where the driver tells no frequency.
  private static let usualFrequency = 50.0
  private static let mostScans = 8192

  private let address: RemoteIIOAddress
  private let options: SensorOptions
  private let timeouts: IIODClient.Timeouts
  private let now: () -> Int64
  private var connection: Connection?
  private var waiting: [SampleBatch] = []
  private var stuck: StuckWatch

  init(
    _ address: RemoteIIOAddress, _ options: SensorOptions, _ timeouts: IIODClient.Timeouts,
    _ now: @escaping () -> Int64
  ) {
    (self.address, self.options, self.timeouts, self.now) = (address, options, timeouts, now)
    stuck = StuckWatch(timeout: options.silenceTimeout)
  }

  private enum Connection {
    case scans(Stream)
    case polled(Polling)
  }

  /// The state of a connection through which a device is polled.
  private final class Polling {
    let client: IIODClient
    let device: RemoteIIODevice
    private var poller: SamplePoller
    /// Why it is polled, until it is said.
    private var reason: String?

    init(_ client: IIODClient, _ device: RemoteIIODevice, _ options: SensorOptions, because reason: String) {
      (self.client, self.device, self.reason) = (client, device, reason)
      let wish = options.samplingFrequency?.hertz ?? SensorOptions.Use.pollingFrequency
      poller = SamplePoller(
        path: client.name, frequency: min(wish, device.samplingFrequency?.hertz ?? wish), options: options)
    }

    func next(until stop: StopSignal) throws -> SampleBatch? {
      let (client, device) = (client, device)
      var failure: (any Error)?
      var batch = try poller.next(until: stop) { () throws(SensorError) in
        do {
          let values = try client.accelerations(of: device.channels, device: device.device.id)
          return values.map(device.mountMatrix.apply)
        } catch let error as SensorError {
          throw error
        } catch {
          // The stop signal is raised.
          failure = error
          return nil
        }
      }
      if let failure { throw failure }
      if let reason, batch != nil {
        batch?.warning = "\(reason), so each sample is asked for and its time depends on the network"
        self.reason = nil
      }
      return batch
    }
  }

  /// The state of a connection that sends scans.
  private final class Stream {
    let client: IIODClient
    let device: RemoteIIODevice
    var clock: RemoteClock
    var gaps: GapFinder
    var mask: ChannelMask
    var decoder: ScanDecoder
    /// A part of a scan.
    var carried: [UInt8] = []
    /// The bytes of the current buffer, and of the current request, that are still to come.
    var left = 0
    var wanted = 0
    /// Whether the channels are told before the next buffer.
    var expectsMask = true
    var emptyRequests = 0

    init(
      _ client: IIODClient, _ device: RemoteIIODevice, _ clock: RemoteClock, _ mask: ChannelMask, _ decoder: ScanDecoder
    ) {
      (self.client, self.device, self.clock, self.mask, self.decoder) = (client, device, clock, mask, decoder)
      gaps = GapFinder(frequency: device.samplingFrequency)
    }

    func request() throws {
      wanted = RemoteIIOReader.requestBytes / decoder.scanSize * decoder.scanSize
      expectsMask = true
      try client.requestScans(device.device.id, bytes: wanted)
    }
  }

  /// Connecting takes time, and only ``next(until:)`` can be interrupted.
  func open() {}

  func next(until stop: StopSignal) throws -> SampleBatch? {
    do {
      while waiting.isEmpty {
        switch connection {
        case nil: connection = try begin(until: stop)
        case .scans(let stream): try receive(stream)
        case .polled(let polling): return try polling.next(until: stop)
        }
      }
    } catch is RemoteStop {
      return nil
    }
    return waiting.removeFirst()
  }

  /// iiod disables the buffer when its last reader has gone.
  func close() { connection = nil }

  // MARK: Starting

  private func begin(until stop: StopSignal) throws -> Connection {
    let client = try IIODClient(address, timeouts: timeouts, until: stop)
    let devices = try client.devices()
    let choice = RemoteIIOChoice(address: address, devices: devices)
    let chosen = try choice.device()
    try chooseFrequency(of: chosen, client)
    let device = try RemoteIIODevice(chosen, client)
    if chosen.hasScans, let stream = try open(device, client) { return .scans(stream) }
    let obstacle =
      chosen.hasScans ? try choice.refusal(of: chosen, client) : try choice.obstacleToScans(chosen, client)
    guard let obstacle else { throw client.failure(EINVAL, operation: "start the buffer of") }
    guard chosen.hasValues else { throw obstacle }
    return .polled(Polling(client, device, options, because: obstacle.reason))
  }

  /// Starts the buffer of a device.
  /// - Returns: `nil` if iiod says that this cannot be, as without a trigger.
  private func open(_ device: RemoteIIODevice, _ client: IIODClient) throws -> Stream? {
    let (mask, id) = (device.wantedChannels, device.device.id)
    let decoder = try Self.decoder(device, mask, client)
    let hertz = device.samplingFrequency?.hertz ?? Self.usualFrequency
    let seconds = max(options.use.batchDuration, Self.shortestBuffer)
    let scans = min(max(1, Int(hertz * seconds)), Self.mostScans)
    // iiod would give up a slow sensor after a second. And the kernel holds eight seconds, as for local sensors.
    try client.setTimeout(timeouts.scans)
    try client.setBufferCount(min(max(4, Int(8 / seconds)), Self.mostScans / scans), device: id)
    let code = try client.open(id, scans: scans, mask: mask)
    if code == EINVAL { return nil }
    if code != 0 { throw client.failure(code, operation: "start the buffer of") }
    let clock = RemoteClock(
      frequency: device.samplingFrequency, hasTimestamps: decoder.hasTimestamps, longestDelay: timeouts.scans)
    let stream = Stream(client, device, clock, mask, decoder)
    try stream.request()
    return stream
  }

  /// Sets the sensor's frequency if it was wished, or is unsuitable for steps. A driver that refuses keeps its own.
  private func chooseFrequency(of device: IIODContext.Device, _ client: IIODClient) throws {
    guard let owner = RemoteIIODevice.FrequencyOwner(in: device) else { return }
    let (channel, name) = (owner.channel, "sampling_frequency")
    let present = try client.attribute(name, of: channel, device: device.id).flatMap { finiteNumber($0) }
    let wish = options.samplingFrequency?.hertz
    if wish == nil, let present, (20...200).contains(present) { return }
    let available = try client.attribute(name + "_available", of: channel, device: device.id)
      .flatMap { AvailableValues(parsing: $0) }
    let target = available?.value(notBelow: wish ?? Self.usualFrequency) ?? wish ?? Self.usualFrequency
    if target == present { return }
    _ = try client.set(name, of: channel, device: device.id, to: IIOBufferConfigurator.decimal(target))
  }

  private static func decoder(
    _ device: RemoteIIODevice, _ mask: ChannelMask, _ client: IIODClient
  ) throws(SensorError) -> ScanDecoder {
    let description = device.scanDescription(of: mask)
    guard let decoder = description.decoder, decoder.scanSize > 0 else {
      throw .nonsense(
        path: client.name, text: "\(description.layout)", expected: "scans with three axes of one number each")
    }
    return decoder
  }

  // MARK: Scans

  private func receive(_ stream: Stream) throws {
    if stream.left == 0 { try beginBuffer(stream) }
    guard stream.left > 0 else { return }
    let bytes = try stream.client.scans(atMost: stream.left)
    let arrival = now()
    stream.left -= bytes.count
    stream.carried += bytes
    if stream.left == 0, stream.wanted == 0 { try stream.request() }
    try take(stream, arrival)
  }

  private func beginBuffer(_ stream: Stream) throws {
    let count: Int
    switch try stream.client.scanBytes() {
    case .refused(let code): throw stream.client.failure(code, operation: "read")
    case .count(let bytes): count = bytes
    }
    if count == 0 {
      // Another reader has come or gone, and the channels may have changed.
      stream.emptyRequests += 1
      guard stream.emptyRequests <= Self.mostEmptyRequests else {
        throw stream.client.unexpected("answers \(stream.emptyRequests) requests for scans with none")
      }
      return try stream.request()
    }
    if stream.expectsMask {
      stream.expectsMask = false
      let mask = try stream.client.mask(words: stream.mask.words.count)
      if mask != stream.mask {
        stream.decoder = try Self.decoder(stream.device, mask, stream.client)
        stream.mask = mask
      }
    }
    guard count % stream.decoder.scanSize == 0, count <= stream.wanted else {
      throw stream.client.unexpected(
        "sends \(count) bytes, which are no scans of \(stream.decoder.scanSize) bytes each")
    }
    (stream.left, stream.emptyRequests) = (count, 0)
    stream.wanted -= count
  }

  /// Decodes the complete scans, and keeps the rest for the next bytes.
  private func take(_ stream: Stream, _ arrival: Int64) throws {
    let decoder = stream.decoder
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(stream.carried.count / decoder.scanSize)
    unsafe decoder.decode(stream.carried.span.bytes, into: &samples)
    stream.carried.removeFirst(samples.count * decoder.scanSize)
    if samples.isEmpty { return }
    let fault = stream.clock.take(&samples, arrivedAt: arrival)
    stuck.take(samples)
    try stuck.check(path: stream.client.name)
    waiting = stream.gaps.split(samples)
    if let fault, !waiting.isEmpty { waiting[0].warning = "\(fault)" }
  }
}
