/// What this user can count with, over all sensors of the computer.
public struct SensorSurvey: Sendable, Hashable {
  /// Every sensor, usable or not.
  public let sensors: [DiscoveredSensor]
  /// Boards on serial ports, which count only where they are named.
  public let boards: [DiscoveredSensor]

  /// Judges some sensors, as ``SensorDiscovery/sensors()`` gives them.
  public init(_ sensors: [DiscoveredSensor], boards: [DiscoveredSensor] = []) {
    self.sensors = sensors
    self.boards = boards
  }

  /// Looks at this computer.
  public static func now(in machine: SensorEnvironment = .machine) throws(SensorError) -> SensorSurvey {
    SensorSurvey(try SensorDiscovery(in: machine).sensors())
  }

  /// Whether any sensor can be read, in whatever way.
  public var pedometerAvailable: Bool { sensors.contains(where: \.isUsable) }

  /// Whether there is a sensor and the only thing that keeps this user from it is a permission.
  public var permissionDeclined: Bool {
    !pedometerAvailable && obstacles.contains { $0.kind == .permission }
  }

  /// Why nothing can be counted, the reason that is easiest to remove first; `nil` where something can.
  public var obstacle: SensorError? {
    if pedometerAvailable { return nil }
    return obstacles.first { $0.kind == .permission } ?? obstacles.first
      ?? .notFound(
        name: "a motion sensor",
        remedy: boards.first.map {
          "a board is plugged in: if it prints samples, name it, as 'pedometer live \($0.uri)' (opening it may reset it)"
        } ?? "plug in a game pad or an accelerometer, or load its driver; see 'pedometer doctor'")
  }

  private var obstacles: [SensorError] {
    sensors.compactMap { if case .unusable(let error) = $0.usability { error } else { nil } }
  }
}
