import Accelerometry

/// Something that could count, and what keeps it from counting.
public struct DiscoveredSensor: Sendable, Hashable {
  /// What it hands out.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Samples, in which this program hears steps.
    case accelerometer
    /// Steps: the chip counts.
    case stepCounter
    /// Lines of text, which may be samples: a board on a serial port.
    case board
  }

  /// Whether this user can count with it now.
  public enum Usability: Sendable, Hashable {
    /// By the best way there is.
    case usable
    /// By polling its values only; why, and what would give more.
    case pollingOnly(because: String, remedy: String)
    /// Not at all, for this reason.
    case unusable(SensorError)
  }

  /// The name under which commands take it.
  public var uri: SourceURI
  /// What people call it.
  public var name: String
  /// What it hands out.
  public var kind: Kind
  /// What stays the same about it.
  public var identity: SensorIdentity
  /// The nominal sampling frequency, if it is stated.
  public var samplingFrequency: SamplingFrequency?
  /// The largest acceleration it can state, in g, if it says so.
  public var range: Double?
  /// The device node; a chip whose values are polled may have none.
  public var node: String?
  /// Its folder in sysfs.
  public var folder: SysfsDirectory
  /// What it hangs at, the nearest first: the names of its ancestors in sysfs.
  public var parents: [String]
  /// Whether it is plugged in or comes by radio; a sensor of the board moves with the board only.
  public var isExternal: Bool
  /// Whether this user can count with it now.
  public var usability: Usability
  /// What is odd about it, one sentence each.
  public var remarks: [String]

  /// Whether this user can count with it now, in whatever way.
  public var isUsable: Bool {
    if case .unusable = usability { false } else { true }
  }

  /// Whether somebody reads its buffer, which has one reader only. Anybody may ask that, also who may not read it.
  public var isBufferInUse: Bool {
    guard case .iio = uri else { return false }
    return folder.names.contains { name in
      name.hasPrefix("buffer") && (try? folder[name].textIfPresent("enable")) == "1"
    }
  }
}

extension DiscoveredSensor {
  /// What keeps it from being read as long as another program reads its buffer: ``SensorError/busy(path:holders:)`` with that
  /// program. `nil` where it can be read now: most drivers give values to be polled while their buffer runs, some do not.
  ///
  /// Costs a look at sysfs, and one reading of one axis where its buffer is in use.
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

  /// The one to take when nobody named any; `nil` when none is usable.
  ///
  /// In this order: what can be read by its buffer or node before what can only be polled, because of a permission or
  /// because another program reads the buffer; what is plugged in or carried before the board's own, because whoever
  /// plugs a sensor in means it; for lively use an accelerometer before a chip's counter, which tells of steps late, and
  /// for thrifty use the reverse; what states its rate before what does not; the lower name.
  public static func best(among sensors: [DiscoveredSensor], for use: SensorOptions.Use) -> DiscoveredSensor? {
    let preferred: Kind = use == .lively ? .accelerometer : .stepCounter
    func rank(_ sensor: DiscoveredSensor) -> [Int] {
      [
        sensor.usability == .usable && !sensor.isBufferInUse ? 0 : 1, sensor.isExternal ? 0 : 1,
        sensor.kind == preferred ? 0 : 1, sensor.samplingFrequency == nil ? 1 : 0, "\(sensor.uri)".count,
      ]
    }
    // Ranked once: whether a buffer is in use is read from sysfs.
    let ranked = sensors.filter(\.isUsable).map { (sensor: $0, rank: rank($0)) }
    return ranked.min { a, b in
      a.rank == b.rank ? "\(a.sensor.uri)" < "\(b.sensor.uri)" : a.rank.lexicographicallyPrecedes(b.rank)
    }?.sensor
  }
}
