import LinuxSensors
import Platform
import SourceNames

/// Finds the sensor for a command.
package struct SensorFinder: Sendable {
  /// The purpose.
  package var use: SensorOptions.Use
  /// Whether to wait until a sensor is plugged in and readable.
  package var waits: Bool
  /// Whether a chip that counts steps is acceptable.
  package var takesCounters = true
  /// The only acceptable sensor, whatever its name is now; `nil`: the named or the best one.
  var known: SensorIdentity?
  /// Receives a message if waiting takes longer than expected.
  package var remark: @Sendable (String) -> Void = { _ in }
  /// Lists the present sensors.
  var sensors: @Sendable () throws -> [DiscoveredSensor] = { try SensorDiscovery().sensors() }
  /// The error if another program prevents reading a sensor.
  var occupation: @Sendable (DiscoveredSensor) -> SensorError? = { $0.occupation }
  /// Waits; throws when the task is cancelled.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  package init(
    use: SensorOptions.Use, waits: Bool, takesCounters: Bool = true,
    remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.use = use
    self.waits = waits
    self.takesCounters = takesCounters
    self.remark = remark
  }

  /// A sensor, and all sensors that were present with it.
  struct Found: Sendable {
    var sensor: DiscoveredSensor
    var all: [DiscoveredSensor]
  }

  /// The sensor with this name, or the best one.
  /// - Returns: `nil` if the task was cancelled while waiting, and for a name that udev does not know.
  /// - Throws: `SensorError` if no sensor can be read.
  func find(_ uri: SourceURI?) async throws -> Found? {
    let accepts: @Sendable (DiscoveredSensor) -> Bool = { self.accepts($0, as: uri) }
    let all = try sensors()
    let acceptable = all.filter(accepts)
    if let best = DiscoveredSensor.best(among: acceptable, for: use) { return Found(sensor: best, all: all) }
    if waits {
      if case .unusable(let error)? = acceptable.first?.usability {
        remark("\(error); waiting until it can be read")
      } else {
        remark("waiting for \(uri.map { "\($0)" } ?? "a sensor") to be plugged in")
      }
      guard let sensor = try await SensorDiscovery().waitForSensor(for: use, where: accepts) else { return nil }
      return Found(sensor: sensor, all: try sensors())
    }
    if known != nil, acceptable.isEmpty { throw Self.absence }
    if uri != nil || known != nil { return acceptable.first.map { Found(sensor: $0, all: all) } }
    let boards = (try? SensorDiscovery().boards()) ?? []
    throw SensorSurvey(acceptable, boards: boards).obstacle ?? SensorSurvey([], boards: boards).obstacle!
  }

  /// Whether a sensor is the one with this name, or may be chosen without a name.
  func accepts(_ sensor: DiscoveredSensor, as uri: SourceURI?) -> Bool {
    if let known { return sensor.identity.isSame(as: known) }
    if let uri { return Self.isSame(sensor.uri, uri) }
    return takesCounters || sensor.kind == .accelerometer
  }

  /// A known sensor is not there.
  static let absence = SensorError.notFound(name: "the sensor", remedy: "plug it in again")

  /// Whether two names select the same sensor: an input device has several, such as `/dev/input/by-path/…`.
  package static func isSame(_ a: SourceURI, _ b: SourceURI) -> Bool {
    if case .evdev(let first) = a, case .evdev(let second) = b {
      return (resolvedPath(first) ?? first) == (resolvedPath(second) ?? second)
    }
    if case .serial(let first) = a, case .serial(let second) = b {
      // `serial:` without a path selects the only board.
      guard let one = first.path, let other = second.path else { return true }
      return (resolvedPath(one) ?? one) == (resolvedPath(other) ?? other)
    }
    return a == b
  }
}
