import IIOScans

extension IIOChannel {
  /// Reads a channel.
  /// - Throws: `.nonsense` for an invalid scale or offset, or a scale of 0.
  static func read(axis: String, of folder: SysfsDirectory) throws(SensorError) -> IIOChannel {
    let name = "in_accel_\(axis)"
    let raw = ["\(name)_raw", "\(name)_input"].first { folder.has($0) }
    let scale = try folder.firstNumber(["\(name)_scale", "in_accel_scale"])
    if let scale, scale.value == 0 || abs(scale.value) > 1e6 {
      throw .nonsense(path: folder.path(of: scale.name), text: "\(scale.value)", expected: "m/s² of one unit")
    }
    let offset = try folder.firstNumber(["\(name)_offset", "in_accel_offset"])
    return IIOChannel(
      name: name, valueAttribute: raw, isProcessed: raw?.hasSuffix("_input") ?? false, scale: scale?.value ?? 1,
      offset: offset?.value ?? 0)
  }
}
