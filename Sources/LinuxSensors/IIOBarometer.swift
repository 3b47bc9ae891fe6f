import Accelerometry
import Glibc

/// Air pressure at a moment.
public struct PressureSample: Sendable, Hashable {
  /// Nanoseconds since boot.
  public var nanoseconds: Int64
  /// The pressure in kPa, as the kernel's ABI has it.
  public var kilopascals: Double

  /// Makes a sample.
  public init(nanoseconds: Int64, kilopascals: Double) {
    self.nanoseconds = nanoseconds
    self.kilopascals = kilopascals
  }

  /// When, since boot.
  public var timestamp: Duration { .nanoseconds(nanoseconds) }
}

/// An air pressure sensor of the Industrial I/O subsystem: a barometer chip, or one of a HID sensor hub.
///
/// Its values are polled: one a second tells floors apart, and needs no buffer, no trigger and no permission.
public struct IIOBarometer: Sendable, Hashable {
  /// `device0`: the folder's name without `iio:`.
  public let identifier: String
  /// What the driver calls it.
  public let name: String
  private let folder: SysfsDirectory
  /// The attribute that gives the value, in kPa already or to be scaled.
  private let attribute: String
  private let scale: Double
  private let offset: Double

  /// Reads a device's attributes.
  /// - Returns: `nil` where the device is gone, measures no pressure, or states a scale that is none.
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

  /// Every barometer that this user may read, in the order of their names.
  public static func all(in machine: SensorEnvironment = .machine) -> [IIOBarometer] {
    machine.iioDevices.names.filter { $0.hasPrefix("iio:") }.compactMap {
      IIOBarometer(String($0.dropFirst("iio:".count)), in: machine)
    }
  }

  /// The barometer that goes where a sensor goes: one of the same sensor hub; for a sensor of the computer itself any of the
  /// computer's. `nil` where there is none: the pressure at a desk says nothing about who walks with a pad.
  public static func beside(_ sensor: DiscoveredSensor, in machine: SensorEnvironment = .machine) -> IIOBarometer? {
    // …/HUB/HID-SENSOR-200073.1.auto/iio:device0
    let hub = sensor.folder.resolved.path.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    let barometers = all(in: machine)
    if hub != "", let neighbour = barometers.first(where: { $0.folder.resolved.path.hasPrefix(hub + "/") }) {
      return neighbour
    }
    return sensor.isExternal ? nil : barometers.first { !$0.isExternal }
  }

  /// Plugged in, or by radio.
  private var isExternal: Bool {
    folder.resolved.path.split(separator: "/").contains { $0.hasPrefix("usb") || $0 == "uhid" || $0 == "bluetooth" }
  }

  /// The pressure, once an interval. A value that the sensor does not give at the moment, or that is no number, is left out; the
  /// sequence ends when the sensor is unplugged.
  public func readings(every interval: Duration = .seconds(1)) -> SensorReadings<PressureSample> {
    let path = folder.path(of: attribute)
    let (scale, offset) = (scale, offset)
    return SensorReadings {
      IIOBarometerReader(path: path, scale: scale, offset: offset, interval: interval)
    }
  }
}

/// Polls one attribute.
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
      // Busy or not answering: perhaps the next time.
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
