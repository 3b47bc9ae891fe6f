import Accelerometry

/// One axis of an IIO accelerometer, independent of the driver's spelling of scale and offset.
package struct IIOChannel: Sendable, Hashable {
  /// `in_accel_x`.
  package var name: String
  /// The attribute with the current value: `in_accel_x_raw`, or `in_accel_x_input` (already in m/s²); `nil` if there is none.
  package var valueAttribute: String?
  /// Whether ``valueAttribute`` needs no scale.
  package var isProcessed: Bool
  /// Metres per second squared per unit.
  package var scale: Double
  /// Units added before scaling.
  package var offset: Double

  /// Creates a channel.
  package init(
    name: String, valueAttribute: String? = nil, isProcessed: Bool = false, scale: Double, offset: Double = 0
  ) {
    (self.name, self.valueAttribute, self.isProcessed) = (name, valueAttribute, isProcessed)
    (self.scale, self.offset) = (scale, offset)
  }

  /// Converts a value of the channel to g.
  package func acceleration(of value: Double) -> Float {
    Float(isProcessed ? value / standardGravity : (value + offset) * scale / standardGravity)
  }

  /// The largest acceleration that a number of a scan can represent, in g; `nil` if it is implausibly large.
  package func range(of format: ScanElementFormat) -> Double? {
    let range = (format.largestValue + offset) * abs(scale) / standardGravity
    return range < 1000 ? range : nil
  }
}

/// The three axes of an IIO accelerometer.
package struct IIOAccelerometerChannels: Sendable, Hashable {
  package var x: IIOChannel
  package var y: IIOChannel
  package var z: IIOChannel

  /// Creates three axes.
  package init(x: IIOChannel, y: IIOChannel, z: IIOChannel) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// In the order x, y, z.
  package var all: [IIOChannel] { [x, y, z] }

  /// g per unit of a scan's raw number, for each axis.
  var scaleInG: SIMD3<Float> { SIMD3(all.map { Float($0.scale / standardGravity) }) }
  /// Units added before scaling, for each axis.
  var offset: SIMD3<Float> { SIMD3(all.map { Float($0.offset) }) }
}
