/// The sensors of the computer, and whether this user can count with them.
public struct SensorSurvey: Sendable, Hashable {
  /// All sensors, usable or not.
  public let sensors: [DiscoveredSensor]
  /// Boards on serial ports, which are only used if they are named.
  public let boards: [DiscoveredSensor]

  /// Creates a survey of sensors from ``SensorDiscovery/sensors()``.
  public init(_ sensors: [DiscoveredSensor], boards: [DiscoveredSensor] = []) {
    (self.sensors, self.boards) = (sensors, boards)
  }

  /// Surveys this computer.
  public static func now(in machine: SensorEnvironment = .machine) throws(SensorError) -> SensorSurvey {
    SensorSurvey(try SensorDiscovery(in: machine).sensors())
  }

  /// Whether any sensor can be read, by any method.
  public var pedometerAvailable: Bool { sensors.contains(where: \.isUsable) }

  /// Whether there are sensors, and only a permission prevents their use.
  public var permissionDeclined: Bool { !pedometerAvailable && obstacles.contains { $0.kind == .permission } }

  /// The reason why nothing can be counted, preferring the one that is easiest to remove; `nil` if a sensor is usable.
  public var obstacle: SensorError? {
    if pedometerAvailable { return nil }
    return obstacles.first { $0.kind == .permission } ?? obstacles.first
      ?? .notFound(
        name: "a motion sensor",
        remedy: boards.first.map {
          "a board is plugged in: if it prints samples, name it, as 'pedometer live \($0.uri)' (opening it may reset it)"
        } ?? "plug in an accelerometer, a game pad or a board that prints samples, or name a source: serial: for a "
          + "board, udp:5555 or phyphox:URL for a phone, ble:ADDRESS for a Bluetooth sensor; see 'pedometer doctor'")
  }

  private var obstacles: [SensorError] {
    sensors.compactMap { if case .unusable(let error) = $0.usability { error } else { nil } }
  }
}
