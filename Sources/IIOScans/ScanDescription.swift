import Accelerometry

/// All that makes raw scans readable: which channels lie where, and what their numbers mean.
///
/// The kernel hands out scans without a header. A recording of them is read by the description that was written beside it,
/// or by that of the device it came from.
public struct ScanDescription: Sendable, Hashable {
  /// What the driver calls the sensor.
  public var name: String
  /// The channels; those that are not enabled are in no scan.
  public var elements: [ScanElement]
  /// Whether channels follow each other without padding.
  public var isPacked = false
  /// What the numbers of the three axes mean.
  public var channels: IIOAccelerometerChannels
  /// How the sensor sits in its device.
  public var mountMatrix: MountMatrix
  /// Scans a second, as far as the driver says it.
  public var samplingFrequency: SamplingFrequency?
  /// The kernel's name of the clock behind the timestamps.
  public var clockName: String?
  /// Nanoseconds that make a timestamp Unix time, where that is known.
  public var unixTimeOffset: Int64?
  /// How many scans were recorded, where that is known.
  public var count: Int?

  /// Describes scans.
  public init(
    name: String, elements: [ScanElement], channels: IIOAccelerometerChannels, mountMatrix: MountMatrix = .identity,
    samplingFrequency: SamplingFrequency? = nil, clockName: String? = nil
  ) {
    self.name = name
    self.elements = elements
    self.channels = channels
    self.mountMatrix = mountMatrix
    self.samplingFrequency = samplingFrequency
    self.clockName = clockName
  }

  /// Where each channel lies.
  public var layout: ScanLayout { ScanLayout(elements, isPacked: isPacked) }

  /// What decodes such scans; nothing where an axis is missing.
  public var decoder: ScanDecoder? {
    ScanDecoder(layout: layout, channels: channels, mountMatrix: mountMatrix)
  }

  /// The largest acceleration that the numbers can state, in g; nothing where they do not say.
  public var range: Double? {
    layout[channels.x.name].flatMap { channels.x.range(of: $0.format) }
  }

  /// Whether scans of another description mean the same, byte by byte.
  public func reads(as other: ScanDescription) -> Bool {
    layout == other.layout && channels == other.channels && mountMatrix == other.mountMatrix
  }

  /// What scans hold when nobody knows which channels were switched on: those that are, if they have three axes; else all of
  /// them, as `iio_readdev` without names switches them on, or the axes with and without the time; each packed as well.
  public var candidates: [ScanDescription] {
    let isAxis = { (name: String) in channels.all.contains { $0.name == name } }
    if elements.count(where: { $0.isEnabled && isAxis($0.name) }) == 3 { return withPacked }
    func enabling(_ isWanted: (String) -> Bool) -> ScanDescription {
      var copy = self
      for index in copy.elements.indices { copy.elements[index].isEnabled = isWanted(copy.elements[index].name) }
      return copy
    }
    var found: [ScanDescription] = []
    for candidate in [
      enabling { isAxis($0) || $0 == "in_timestamp" }, enabling { _ in true }, enabling { $0 != "in_timestamp" },
      enabling(isAxis),
    ] where !found.contains(where: { $0.layout == candidate.layout }) {
      found.append(candidate)
    }
    return found.flatMap(\.withPacked)
  }

  private var withPacked: [ScanDescription] {
    var packed = self
    packed.isPacked = true
    return packed.layout == layout ? [self] : [self, packed]
  }
}

extension ScanLayout: CustomStringConvertible {
  /// The channels and their types, as `in_accel_x le:s16/16>>0, …`.
  public var description: String { fields.map { "\($0.name) \($0.format)" }.joined(separator: ", ") }
}
