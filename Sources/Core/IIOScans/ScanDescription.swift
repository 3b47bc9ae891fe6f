import Accelerometry

/// The format of raw scans: the positions and the meaning of the channels.
///
/// The kernel delivers scans without a header. A recording of them is read with the description of the device.
public struct ScanDescription: Sendable, Hashable {
  /// The driver's name for the sensor.
  public var name: String
  /// The channels; disabled ones are not in the scans.
  package var elements: [ScanElement]
  /// Whether channels follow each other without padding.
  package var isPacked = false
  /// The meaning of the three axes' numbers.
  package var channels: IIOAccelerometerChannels
  /// The orientation of the sensor in its device.
  package var mountMatrix: MountMatrix
  /// Scans per second, if the driver reports it.
  public var samplingFrequency: SamplingFrequency?
  /// The kernel's name of the clock behind the timestamps.
  package var clockName: String?

  package init(
    name: String, elements: [ScanElement], channels: IIOAccelerometerChannels, mountMatrix: MountMatrix = .identity,
    samplingFrequency: SamplingFrequency? = nil, clockName: String? = nil
  ) {
    (self.name, self.elements, self.channels) = (name, elements, channels)
    (self.mountMatrix, self.samplingFrequency) = (mountMatrix, samplingFrequency)
    self.clockName = clockName
  }

  /// The positions of the channels.
  package var layout: ScanLayout { ScanLayout(elements, isPacked: isPacked) }

  /// A decoder for these scans; `nil` if an axis is missing.
  package var decoder: ScanDecoder? {
    ScanDecoder(layout: layout, channels: channels, mountMatrix: mountMatrix)
  }

  /// The largest acceleration that the numbers can represent, in g; `nil` if unknown.
  public var range: Double? { layout[channels.x.name].flatMap { channels.x.range(of: $0.format) } }

  /// Possible formats if the enabled channels are unknown: those that are enabled, if they include three axes; otherwise all of
  /// them, as `iio_readdev` enables them without names, or the axes with and without the time; each also packed.
  package var candidates: [ScanDescription] {
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
