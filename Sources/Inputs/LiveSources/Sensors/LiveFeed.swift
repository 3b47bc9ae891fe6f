import Accelerometry
import Counting
import JSONLines
import LinuxSensors
import Recordings
import SourceNames

/// An opened source, ready for live counting.
package struct LiveFeed: Sendable {
  /// Opens the sequence of samples and source events.
  package typealias Samples = @Sendable () -> any AsyncSequence<SourceEvent<SampleBatch>, any Error>

  /// The name that selects the source again.
  package var uri: SourceURI
  /// The walk to count.
  package var walk: any WalkSource
  /// The samples; `nil` if steps are counted elsewhere: by a chip, or by the service that uses the sensor.
  package var samples: Samples?
  /// The properties known before the first sample.
  package var profile: SensorProfile
  /// The stable properties of a sensor.
  package var identity: SensorIdentity?
  /// The most recently opened accelerometer; `nil` for other sources.
  package var accelerometer: @Sendable () -> LinuxAccelerometer? = { nil }

  /// Opens the barometer that moves with the sensor; `nil` if there is none.
  package var pressures: FloorWalk.Pressures?

  /// Creates a feed from parts.
  package init(
    uri: SourceURI, walk: any WalkSource, samples: Samples? = nil, profile: SensorProfile,
    identity: SensorIdentity? = nil
  ) {
    self.uri = uri
    self.walk = walk
    self.samples = samples
    self.profile = profile
    self.identity = identity
  }

  /// Samples that end with the source's first error.
  package init(uri: SourceURI, source: some AccelerationSource, identity: SensorIdentity? = nil) {
    self.init(uri: uri, walk: source.walk, samples: { source.events }, profile: source.profile, identity: identity)
  }

  /// Samples of a board, a phone, a program or another computer.
  /// - Parameters:
  ///   - isForService: whether they end with the source's first error: the service reopens a lost source itself.
  ///   - batches: starts reading.
  ///   - following: the same across losses.
  init<Batches: AsyncSequence & Sendable>(
    uri: SourceURI, profile: SensorProfile, identity: SensorIdentity? = nil, isForService: Bool,
    batches: @escaping @Sendable () -> Batches, following: @escaping @Sendable () -> Reconnecting<SampleBatch>
  ) where Batches.Element == SampleBatch, Batches.Failure == any Error {
    if isForService {
      let events: @Sendable () -> AsyncMapSequence<Batches, SourceEvent<SampleBatch>> = {
        batches().map { .element($0) }
      }
      self.init(uri: uri, walk: SampleWalk(events), samples: { events() }, profile: profile, identity: identity)
    } else {
      self.init(uri: uri, walk: SampleWalk(following), samples: { following() }, profile: profile, identity: identity)
    }
  }

  /// A sensor that ends with its first error.
  package init(uri: SourceURI, sensor: SensorSource, identity: SensorIdentity? = nil) {
    switch sensor {
    case .accelerometer(let source):
      self.init(uri: uri, source: source, identity: identity)
      accelerometer = { source }
    case .stepCounter(let counter):
      let readings = counter.readings()
      self.init(
        uri: uri, walk: ReadingsWalk { readings.map { .element($0) } }, profile: counter.sensorProfile,
        identity: identity)
    }
  }

  /// A sensor that is reopened when it is lost.
  /// - Parameters:
  ///   - others: the sensors that were present when it was found.
  ///   - waits: whether to wait while another program uses it.
  /// - Throws: the error of opening it.
  package init(
    following sensor: DiscoveredSensor, beside others: [DiscoveredSensor] = [], options: SensorOptions,
    waits: Bool = false
  ) throws(SensorError) {
    let lost = SensorReturn(of: sensor, beside: others, use: options.use)
    switch try SensorSource.open(sensor.uri, options: options) {
    case .accelerometer(let source):
      let opened = OpenedSensor(source)
      let samples = Reconnecting<SampleBatch>.sensor(
        first: .init(name: sensor.name) { source.batches() }, waits: waits, find: lost.find,
        joint: {
          var line = TimeLine()
          return { line.take($0, isBack: $1) }
        },
        reopen: { found in
          guard case .accelerometer(let source) = try SensorSource.open(found.uri, options: options) else {
            throw SensorError.notFound(name: "\(found.uri)", remedy: "plug it in again")
          }
          opened.set(source)
          return source.batches()
        })
      self.init(
        uri: sensor.uri, walk: SampleWalk { samples }, samples: { samples }, profile: source.profile,
        identity: sensor.identity)
      accelerometer = { opened.source }
    case .stepCounter(let counter):
      let readings = Reconnecting<StepCounterReading>.sensor(
        first: .init(name: sensor.name) { counter.readings() }, find: lost.find,
        joint: {
          var line = StepLine()
          return { line.take($0, isBack: $1) }
        },
        reopen: { found in
          guard case .stepCounter(let counter) = try SensorSource.open(found.uri, options: options) else {
            throw SensorError.notFound(name: "\(found.uri)", remedy: "plug it in again")
          }
          return counter.readings()
        })
      self.init(
        uri: sensor.uri, walk: ReadingsWalk { readings }, profile: counter.sensorProfile, identity: sensor.identity)
    }
  }

  /// Adds the barometer that moves with the sensor, if there is one, to count floors.
  package func besideBarometer(of sensor: DiscoveredSensor) -> LiveFeed {
    guard let barometer = IIOBarometer.beside(sensor) else { return self }
    var feed = self
    feed.pressures = { isBack in
      guard isBack else { return barometer.readings() }
      let returned = (try? SensorDiscovery().sensors())?.first {
        $0.kind == sensor.kind && $0.identity.isSame(as: sensor.identity)
      }
      return (returned.flatMap { IIOBarometer.beside($0) } ?? barometer).readings()
    }
    return feed
  }

  /// Adds floors to a walk of this source if there is a barometer.
  package func withFloors(_ walk: any WalkSource) -> any WalkSource {
    pressures.map { FloorWalk(walk, pressures: $0) } ?? walk
  }

  /// How the sensor is being read; `nil` for other sources and before the first batch.
  package var acquisition: AcquisitionReport? { accelerometer()?.acquisition }

  /// Its name, with the sensor's.
  package var title: String {
    // A port without a known board has the name of its node.
    let name = if case .serial(let address) = uri { address.path } else { "\(uri)" }
    return uri.isSensor && profile.name != name ? "\(uri) (\(profile.name))" : "\(uri)"
  }

  /// Its name and how it is read, for messages.
  package var summary: String {
    var text = title
    switch acquisition?.mode {
    case .buffered(let setup)?:
      let rate = setup.samplingFrequency ?? profile.samplingFrequency
      text += " through its buffer" + (rate.map { " at \($0)" } ?? "")
    case .polled(let frequency, _)?: text += ", polled at \(Decimals.text(frequency, 1) ?? "?") Hz"
    case .events?: break
    case nil: text += profile.samplingFrequency.map { " at \($0)" } ?? ""
    }
    return text
  }

  /// Why the sensor is polled, and what would improve it; otherwise `nil`.
  package var remark: String? {
    if case .polled(_, let reason)? = acquisition?.mode { reason } else { nil }
  }
}

extension IIOStepCounter {
  /// The chip's name.
  package var sensorProfile: SensorProfile { SensorProfile(name: device.name, clock: .boottime) }
}
