import Accelerometry
import SourceNames

/// A sensor that could count steps, and what prevents this user from using it.
public struct DiscoveredSensor: Sendable, Hashable {
  /// What the sensor delivers.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Samples, from which this program detects steps.
    case accelerometer
    /// Steps, counted by the chip.
    case stepCounter
    /// Lines of text, which may be samples: a board on a serial port.
    case board
  }

  /// Whether this user can count with it now.
  public enum Usability: Sendable, Hashable {
    /// Fully usable.
    case usable
    /// Only by polling: the reason, and what would improve it.
    case pollingOnly(because: String, remedy: String)
    /// Not at all, for this reason.
    case unusable(SensorError)
  }

  /// The name that commands accept.
  public var uri: SourceURI
  /// The name for people.
  public var name: String
  /// What the sensor delivers.
  public var kind: Kind
  /// The stable properties.
  public var identity: SensorIdentity
  /// The nominal sampling frequency, if it is stated.
  public var samplingFrequency: SamplingFrequency?
  /// The largest acceleration it can measure, in g, if it is stated.
  public var range: Double?
  /// The device node; a chip that is polled may have none.
  public var node: String?
  package var folder: SysfsDirectory
  /// The names of its ancestors in sysfs, nearest first.
  public var parents: [String]
  /// Whether it is plugged in or uses radio; otherwise it is part of the computer.
  public var isExternal: Bool
  /// Whether this user can count with it now.
  public var usability: Usability
  /// Remarks about unusual properties, one sentence each.
  public var remarks: [String]

  /// Whether this user can count with it now, by any method.
  public var isUsable: Bool { if case .unusable = usability { false } else { true } }

  /// Whether it can be read, but is not taken for a sensor.
  package var isDoubtful: Bool { if case .unusable(let error) = usability { error.code == .unusable } else { false } }

  /// Whether a program is reading its buffer, which has only one reader. Needs no permission to read the buffer.
  public var isBufferInUse: Bool {
    guard case .iio = uri else { return false }
    return folder.names.contains { name in
      name.hasPrefix("buffer") && (try? folder[name].textIfPresent("enable")) == "1"
    }
  }

  /// The error that another program's use of the buffer causes: ``SensorError/Code/busy`` with that program.
  /// `nil` if it can be read now: most drivers can be polled while their buffer is enabled, some cannot.
  ///
  /// Reads sysfs, and one value of one axis if the buffer is in use.
  public var occupation: SensorError? {
    guard kind == .accelerometer, isBufferInUse else { return nil }
    let value = ["in_accel_x_raw", "in_accel_x_input"].first { folder.has($0) }
    do throws(SensorError) {
      if let value, try folder.textIfPresent(value) != nil { return nil }
    } catch {
      guard error.kind == .busy else { return nil }
    }
    let path = node ?? folder.path
    return .busy(path: path, holders: DeviceHolder.holders(of: path))
  }

  /// The default sensor; `nil` if none is usable.
  ///
  /// Preferred, in this order: sensors read by buffer or node over those that can only be polled (because of a
  /// permission, or because another program reads the buffer); sensors that are plugged in or carried over built-in
  /// ones, because they were connected for a purpose; for lively use an accelerometer over a step counter, which
  /// reports steps late, and the reverse for thrifty use; sensors with a known sampling frequency; the lower name.
  public static func best(among sensors: [DiscoveredSensor], for use: SensorOptions.Use) -> DiscoveredSensor? {
    let preferred: Kind = use == .lively ? .accelerometer : .stepCounter
    func rank(_ sensor: DiscoveredSensor) -> [Int] {
      [
        sensor.usability == .usable && !sensor.isBufferInUse ? 0 : 1, sensor.isExternal ? 0 : 1,
        sensor.kind == preferred ? 0 : 1, sensor.samplingFrequency == nil ? 1 : 0, "\(sensor.uri)".count,
      ]
    }
    // Computed once: whether a buffer is in use is read from sysfs.
    let ranked = sensors.filter(\.isUsable).map { (sensor: $0, rank: rank($0)) }
    return ranked.min { a, b in
      a.rank == b.rank ? "\(a.sensor.uri)" < "\(b.sensor.uri)" : a.rank.lexicographicallyPrecedes(b.rank)
    }?.sensor
  }
}
