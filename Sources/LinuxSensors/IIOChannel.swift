import Accelerometry

/// One axis of an IIO accelerometer, with whatever spelling its driver chose for scale and offset.
public struct IIOChannel: Sendable, Hashable {
  /// `in_accel_x`.
  public var name: String
  /// The attribute that gives the present value: `in_accel_x_raw`, or `in_accel_x_input` (in m/s² already), or none.
  public var valueAttribute: String?
  /// Whether ``valueAttribute`` needs no scale.
  public var isProcessed: Bool
  /// Metres per second squared of one unit.
  public var scale: Double
  /// Units added before scaling.
  public var offset: Double

  /// Makes a channel.
  public init(
    name: String, valueAttribute: String? = nil, isProcessed: Bool = false, scale: Double, offset: Double = 0
  ) {
    self.name = name
    self.valueAttribute = valueAttribute
    self.isProcessed = isProcessed
    self.scale = scale
    self.offset = offset
  }

  /// What a value of the channel is in g.
  public func acceleration(of value: Double) -> Float {
    Float(isProcessed ? value / standardGravity : (value + offset) * scale / standardGravity)
  }

  /// Reads a channel.
  /// - Throws: `.nonsense` for a scale or an offset that is no number, or a scale of 0.
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

/// The three axes of an IIO accelerometer.
public struct IIOAccelerometerChannels: Sendable, Hashable {
  public var x: IIOChannel
  public var y: IIOChannel
  public var z: IIOChannel

  /// Makes three axes.
  public init(x: IIOChannel, y: IIOChannel, z: IIOChannel) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// In the order x, y, z.
  public var all: [IIOChannel] { [x, y, z] }

  /// g of one unit of a scan's raw number, for each axis.
  var scaleInG: SIMD3<Float> { SIMD3(all.map { Float($0.scale / standardGravity) }) }
  /// Units added before scaling, for each axis.
  var offset: SIMD3<Float> { SIMD3(all.map { Float($0.offset) }) }
}
