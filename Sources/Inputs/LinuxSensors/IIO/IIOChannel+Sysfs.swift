import IIOScans

extension IIOChannel {
  /// Reads a channel.
  /// - Throws: `.nonsense` for an invalid scale or offset, or a scale of 0; `.unusable` for raw values without a scale.
  static func read(axis: String, of folder: SysfsDirectory) throws(SensorError) -> IIOChannel {
    let name = "in_accel_\(axis)"
    let raw = ["\(name)_raw", "\(name)_input"].first { folder.has($0) }
    let isProcessed = raw?.hasSuffix("_input") ?? false
    guard let scale = try scale(of: name, in: folder) ?? (isProcessed ? 1 : nil) else { throw .noScale(folder.path) }
    let offset = try folder.firstNumber(spellings(of: "offset", name))
    return IIOChannel(
      name: name, valueAttribute: raw, isProcessed: isProcessed, scale: scale, offset: offset?.value ?? 0)
  }

  /// An attribute may belong to an axis, to all axes, or to all channels of a direction or of the device.
  private static func spellings(of attribute: String, _ name: String) -> [String] {
    ["\(name)_\(attribute)", "in_accel_\(attribute)", "in_\(attribute)", attribute]
  }

  /// The present scale, or else the only available one.
  private static func scale(of name: String, in folder: SysfsDirectory) throws(SensorError) -> Double? {
    let spellings = spellings(of: "scale", name)
    if let (spelling, value) = try folder.firstNumber(spellings) { return try valid(value, folder.path(of: spelling)) }
    for spelling in spellings {
      if case .list(let values)? = try folder.available(for: spelling), values.count == 1 {
        return try valid(values[0], folder.path(of: spelling + "_available"))
      }
    }
    return nil
  }

  static func valid(_ scale: Double, _ path: String) throws(SensorError) -> Double {
    if scale != 0, abs(scale) <= 1e6 { return scale }
    throw .nonsense(path: path, text: "\(scale)", expected: "m/s² of one unit")
  }
}

extension SensorError {
  static func noScale(_ path: String) -> SensorError {
    .unusable(
      path: path, reason: "its driver states no scale, so the unit of its values is unknown",
      remedy: "use a newer kernel or choose another sensor")
  }
}
