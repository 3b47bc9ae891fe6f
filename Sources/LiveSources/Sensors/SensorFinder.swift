import Accelerometry
import LinuxSensors
import Platform

/// Finds the sensor that a command is to read.
package struct SensorFinder: Sendable {
  /// What the sensor is for.
  package var use: SensorOptions.Use
  /// Whether to wait until it is plugged in and may be read.
  package var waits: Bool
  /// Whether a chip that counts steps itself would do.
  package var takesCounters = true
  /// Gets a sentence when waiting takes longer than it seems to need to.
  package var remark: @Sendable (String) -> Void = { _ in }
  /// The sensors that are there.
  var sensors: @Sendable () throws -> [DiscoveredSensor] = { try SensorDiscovery().sensors() }
  /// Who keeps a sensor from being read at present.
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

  /// A sensor, and all that were there when it was found.
  struct Found: Sendable {
    var sensor: DiscoveredSensor
    var all: [DiscoveredSensor]
  }

  /// The sensor of this name, or the best one.
  /// - Returns: `nil` when the task was cancelled while it waited, and for a name that udev does not know.
  /// - Throws: `SensorError` if no sensor can be read.
  func find(_ uri: SourceURI?) async throws -> Found? {
    let accepts: @Sendable (DiscoveredSensor) -> Bool = { sensor in
      if let uri { return Self.isSame(sensor.uri, uri) }
      return takesCounters || sensor.kind == .accelerometer
    }
    let all = try sensors()
    let acceptable = all.filter(accepts)
    if let best = DiscoveredSensor.best(among: acceptable, for: use) { return Found(sensor: best, all: all) }
    if waits {
      if case .unusable(let error)? = acceptable.first?.usability { remark("\(error)") }
      guard let sensor = try await SensorDiscovery().waitForSensor(for: use, where: accepts) else { return nil }
      return Found(sensor: sensor, all: try sensors())
    }
    if uri != nil { return acceptable.first.map { Found(sensor: $0, all: all) } }
    let boards = (try? SensorDiscovery().boards()) ?? []
    throw SensorSurvey(acceptable, boards: boards).obstacle ?? SensorSurvey([], boards: boards).obstacle!
  }

  /// Whether two names mean one sensor: an input device has more than one, as `/dev/input/by-path/…`.
  package static func isSame(_ a: SourceURI, _ b: SourceURI) -> Bool {
    if case .evdev(let first) = a, case .evdev(let second) = b {
      return (resolvedPath(first) ?? first) == (resolvedPath(second) ?? second)
    }
    if case .serial(let first) = a, case .serial(let second) = b {
      // The only board, whichever it is.
      guard let one = first.path, let other = second.path else { return true }
      return (resolvedPath(one) ?? one) == (resolvedPath(other) ?? other)
    }
    return a == b
  }
}
