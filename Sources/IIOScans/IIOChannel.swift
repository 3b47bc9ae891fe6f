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

  /// The largest acceleration that a number of a scan can state, in g; nothing where it says too much to be true.
  package func range(of format: ScanElementFormat) -> Double? {
    let range = (format.largestValue + offset) * abs(scale) / standardGravity
    return range < 1000 ? range : nil
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
