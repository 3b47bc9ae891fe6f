import Accelerometry
import Counting
import JSONLines
import LinuxSensors
import SourceNames

/// A source as it is open now: what it is, and what it delivers until it ends or fails.
package struct SourceConnection: Sendable {
  /// The name that selects the source again.
  package var uri: SourceURI
  /// The properties known before the first sample.
  package var profile: SensorProfile
  package var identity: SensorIdentity?
  /// Whether it delivers steps and no samples: a chip, or the service that uses the sensor, counts them.
  package var countsItself: Bool
  /// How the sensor is being read; `nil` for other sources and before the first batch.
  package var acquisition: AcquisitionReport? { report() }
  /// One count of a sensor along x, y and z in g, before the mount matrix.
  package private(set) var gPerCount: SIMD3<Float>?
  /// Begins to read. Nothing is read before the first item is requested.
  package var items: @Sendable () -> any AsyncSequence<SourceItem, any Error>
  /// Opens the barometer that moves with the sensor; `nil` if there is none.
  package var pressures: (@Sendable () -> any AsyncSequence<PressureSample, any Error>)?
  /// Its name in the report of its return; `nil`: its URI.
  var nameOfReturn: String?
  /// The waits of a connection that is opened again as it is, instead of searching for the source; usually `nil`.
  var waits: SourceWaits?
  private var report: @Sendable () -> AcquisitionReport? = { nil }

  package init<Batches: AsyncSequence & SendableMetatype>(
    uri: SourceURI, profile: SensorProfile, identity: SensorIdentity? = nil, batches: @escaping @Sendable () -> Batches
  ) where Batches.Element == SampleBatch, Batches.Failure == any Error {
    (self.uri, self.profile, self.identity, countsItself) = (uri, profile, identity, false)
    items = { batches().map { .samples($0) } }
  }

  package init(uri: SourceURI, source: some AccelerationSource, identity: SensorIdentity? = nil) {
    (self.uri, profile, self.identity, countsItself) = (uri, source.profile, identity, false)
    items = { source.batches().map { .samples($0) } }
  }

  package init<Readings: AsyncSequence & SendableMetatype>(
    uri: SourceURI, profile: SensorProfile, identity: SensorIdentity? = nil,
    readings: @escaping @Sendable () -> Readings
  ) where Readings.Element == StepCounterReading, Readings.Failure == any Error {
    (self.uri, self.profile, self.identity, countsItself) = (uri, profile, identity, true)
    items = { readings().map { .steps($0) } }
  }

  /// What a running service counts with.
  init(_ counter: ServiceCounter, uri: SourceURI, name: String, identity: SensorIdentity? = nil) {
    let name = "\(name), counted by the service at \(counter.service.address.url)"
    self.init(uri: uri, profile: SensorProfile(name: name, clock: .boottime), identity: identity) { counter.readings }
    (nameOfReturn, waits) = ("the service", .service)
  }

  /// A sensor of this computer, by its name.
  /// - Throws: the error of opening it.
  package init(sensor uri: SourceURI, options: SensorOptions) throws(SensorError) {
    switch try SensorSource.open(uri, options: options) {
    case .accelerometer(let source): self.init(uri: uri, accelerometer: source)
    case .stepCounter(let counter):
      self.init(uri: uri, profile: SensorProfile(name: counter.device.name, clock: .boottime)) { counter.readings() }
    }
  }

  private init(uri: SourceURI, accelerometer source: some LinuxAccelerometer) {
    self.init(uri: uri, source: source)
    (report, gPerCount) = ({ source.acquisition }, source.gPerCount)
  }

  /// Its name, with the sensor's.
  package var title: String {
    // A port without a known board has the name of its node.
    let name = if case .serial(let address) = uri { address.path } else { "\(uri)" }
    return uri.isSensor && profile.name != name ? "\(uri) (\(profile.name))" : "\(uri)"
  }

  /// Its name and how it is read, for messages.
  package var summary: String {
    switch acquisition?.mode {
    case .buffered(let setup)?:
      let rate = setup.samplingFrequency ?? profile.samplingFrequency
      return title + " through its buffer" + (rate.map { " at \($0)" } ?? "")
    case .polled(let frequency, _)?: return title + ", polled at \(Decimals.text(frequency, 1) ?? "?") Hz"
    case .events?: return title
    case nil: return title + (profile.samplingFrequency.map { " at \($0)" } ?? "")
    }
  }

  /// Why the sensor is polled, and what would improve it; otherwise `nil`.
  package var remark: String? { if case .polled(_, let reason)? = acquisition?.mode { reason } else { nil } }
}
