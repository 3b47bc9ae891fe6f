import Accelerometry
import Glibc

/// A change of the set of sensors.
public enum SensorChange: Sendable, Hashable {
  /// It was present before, or has just been plugged in.
  case added(DiscoveredSensor)
  /// One of its properties has changed, such as its permissions.
  case changed(DiscoveredSensor)
  /// It was removed.
  case removed(DiscoveredSensor)
}

/// Finds sensors, and reports those that are added and removed.
///
///     for sensor in try SensorDiscovery().sensors() { print(sensor.uri, sensor.name, sensor.isUsable) }
public struct SensorDiscovery: Sendable {
  static let subsystems = ["iio", "input"]
  let machine: SensorEnvironment

  /// Searches this computer. libudev supports no other, but nodes and configfs may be elsewhere.
  public init(in machine: SensorEnvironment = .machine) { self.machine = machine }

  /// All sensors that could count, usable or not, by name.
  public func sensors() throws(SensorError) -> [DiscoveredSensor] {
    let classifier = SensorClassifier(machine: machine)
    return try Udev().devices(ofSubsystems: Self.subsystems).flatMap { classifier.sensors(of: $0) }
      .sorted { "\($0.uri)" < "\($1.uri)" }
  }

  /// All present sensors first, then each addition, change and removal. None is missed.
  public func changes() -> SensorReadings<SensorChange> {
    let classifier = SensorClassifier(machine: machine)
    return SensorReadings { SensorWatcher(classifier, of: Self.subsystems) { classifier.sensors(of: $0) } }
  }

  /// The same for the boards of ``boards()``.
  public func boardChanges() -> SensorReadings<SensorChange> {
    let classifier = SensorClassifier(machine: machine)
    return SensorReadings { SensorWatcher(classifier, of: ["tty"]) { classifier.board($0).map { [$0] } ?? [] } }
  }
}

private final class SensorWatcher: SensorReader {
  private let machine: SensorEnvironment
  private var monitor: UdevMonitor?
  private var known: [SysfsDirectory: [DiscoveredSensor]] = [:]
  private var waiting: [SensorChange] = []

  private let subsystems: [String]
  private let classify: (UdevDevice) -> [DiscoveredSensor]

  init(
    _ classifier: SensorClassifier, of subsystems: [String], classify: @escaping (UdevDevice) -> [DiscoveredSensor]
  ) { (machine, self.subsystems, self.classify) = (classifier.machine, subsystems, classify) }

  func open() throws(SensorError) {
    let udev = try Udev()
    // Without udevd (in a container) only the kernel's events exist; with it, its rules must be applied first.
    let source = unsafe access(machine.run + "/udev/control", F_OK) == 0 ? "udev" : "kernel"
    monitor = try udev.monitor(ofSubsystems: subsystems, source: source)
    for device in udev.devices(ofSubsystems: subsystems) { see(device) }
  }

  func next(until stop: StopSignal) throws(SensorError) -> SensorChange? {
    guard let monitor else { return nil }
    while waiting.isEmpty {
      if stop.wait(for: monitor.number) == .raised { return nil }
      while let (action, device) = monitor.receive() {
        switch action {
        case "remove", "unbind", "offline": forget(device)
        default: see(device)
        }
      }
    }
    return waiting.removeFirst()
  }

  private func see(_ device: UdevDevice) {
    let sensors = classify(device)
    let former = known[device.folder] ?? []
    if sensors == former { return }
    for sensor in sensors {
      let wasThere = former.contains { $0.uri == sensor.uri && $0.identity == sensor.identity }
      if !wasThere {
        waiting.append(.added(sensor))
      } else if !former.contains(sensor) {
        waiting.append(.changed(sensor))
      }
    }
    known[device.folder] = sensors.isEmpty ? nil : sensors
  }

  private func forget(_ device: UdevDevice) {
    waiting += (known.removeValue(forKey: device.folder) ?? []).map { .removed($0) }
  }

  func close() { monitor = nil }
}
