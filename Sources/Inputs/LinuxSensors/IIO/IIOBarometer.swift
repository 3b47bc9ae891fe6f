import Accelerometry
import Glibc

/// An air pressure with its time.
public struct PressureSample: Sendable, Hashable {
  /// Nanoseconds since boot.
  public var nanoseconds: Int64
  /// The pressure in kPa, as in the kernel's ABI.
  public var kilopascals: Double

  /// Creates a sample.
  public init(nanoseconds: Int64, kilopascals: Double) {
    (self.nanoseconds, self.kilopascals) = (nanoseconds, kilopascals)
  }

  /// The time since boot.
  public var timestamp: Duration { .nanoseconds(nanoseconds) }
}

/// An air pressure sensor of the Industrial I/O subsystem: a barometer chip, or one of a HID sensor hub.
///
/// It is polled: one value a second suffices to distinguish floors, and needs no buffer, trigger or permission.
public struct IIOBarometer: Sendable, Hashable {
  /// `device0`: the folder's name without `iio:`.
  public let identifier: String
  /// The driver's name for it.
  public let name: String
  private let folder: SysfsDirectory
  /// The attribute with the value, in kPa or to be scaled.
  private let attribute: String
  private let scale: Double
  private let offset: Double

  /// Reads a device's attributes.
  /// - Returns: `nil` if the device was removed, does not measure pressure, or has an invalid scale.
  public init?(_ identifier: String, in machine: SensorEnvironment = .machine) {
    let folder = machine.iioDevices["iio:" + identifier]
    guard let attribute = ["in_pressure_input", "in_pressure_raw"].first(where: { folder.has($0) }),
      folder.mayRead(attribute)
    else { return nil }
    do throws(SensorError) {
      let isProcessed = attribute == "in_pressure_input"
      scale = isProcessed ? 1 : try folder.firstNumber(["in_pressure_scale"])?.value ?? 1
      offset = isProcessed ? 0 : try folder.firstNumber(["in_pressure_offset"])?.value ?? 0
      name = try folder.textIfPresent("name") ?? identifier
    } catch { return nil }
    guard scale > 0 else { return nil }
    (self.identifier, self.folder, self.attribute) = (identifier, folder, attribute)
  }

  /// All barometers that this user may read, by name.
  public static func all(in machine: SensorEnvironment = .machine) -> [IIOBarometer] {
    machine.iioDevices.names.filter { $0.hasPrefix("iio:") }.compactMap {
      IIOBarometer(String($0.dropFirst("iio:".count)), in: machine)
    }
  }

  /// The barometer that moves with a sensor: one on the same sensor hub, or, for a sensor of the computer itself, any
  /// of the computer's. `nil` if there is none: the pressure at a desk says nothing about a walker with a game pad.
  public static func beside(_ sensor: DiscoveredSensor, in machine: SensorEnvironment = .machine) -> IIOBarometer? {
    // …/HUB/HID-SENSOR-200073.1.auto/iio:device0
    let hub = sensor.folder.resolved.path.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    let barometers = all(in: machine)
    if hub != "", let neighbour = barometers.first(where: { $0.folder.resolved.path.hasPrefix(hub + "/") }) {
      return neighbour
    }
    return sensor.isExternal ? nil : barometers.first { !$0.isExternal }
  }

  /// Whether it is plugged in or uses radio.
  private var isExternal: Bool {
    folder.resolved.path.split(separator: "/").contains { $0.hasPrefix("usb") || $0 == "uhid" || $0 == "bluetooth" }
  }

  /// The pressure, once per interval. Missing and invalid values are skipped; the sequence ends when the sensor is unplugged.
  public func readings(every interval: Duration = .seconds(1)) -> SensorReadings<PressureSample> {
    let path = folder.path(of: attribute)
    let (scale, offset) = (scale, offset)
    return SensorReadings { IIOBarometerReader(path: path, scale: scale, offset: offset, interval: interval) }
  }
}

private final class IIOBarometerReader: SensorReader {
  private let path: String
  private let scale: Double
  private let offset: Double
  private let interval: Duration
  private var file: NodeDescriptor?
  private var bytes = [UInt8](repeating: 0, count: 64)

  init(path: String, scale: Double, offset: Double, interval: Duration) {
    (self.path, self.scale, self.offset, self.interval) = (path, scale, offset, interval)
  }

  func open() throws(SensorError) { file = try NodeDescriptor(opening: path, flags: O_RDONLY) }

  func next(until stop: StopSignal) throws(SensorError) -> PressureSample? {
    while stop.wait(atMost: interval) != .raised {
      let before = SensorClock.boottime.now
      let count = file?.rereadOrErrno(into: &bytes) ?? -Int(EBADF)
      switch count {
      case -Int(ENODEV), -Int(ENXIO), -Int(EBADF): return nil
      // Busy or not responding: try again next time.
      case ..<0: continue
      default: break
      }
      guard let number = finiteNumber(SysfsDirectory.trimmed(bytes[..<count])) else { continue }
      let time = before + (SensorClock.boottime.now - before) / 2
      return PressureSample(nanoseconds: time, kilopascals: (number + offset) * scale)
    }
    return nil
  }

  func close() { file = nil }
}
