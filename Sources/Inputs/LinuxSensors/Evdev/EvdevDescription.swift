struct EvdevDescription: Sendable {
  var name: String
  var vendor: UInt16
  /// Whether it declares itself an accelerometer (INPUT_PROP_ACCELEROMETER).
  var isDeclared: Bool
  var hasKeys: Bool
  /// The axes of rotation and translation that it has, by their codes.
  var axes: [UInt16: Axis]

  struct Axis: Sendable, Hashable {
    var value: Int32
    var minimum: Int32
    var maximum: Int32
    /// Counts per g; 0 if not stated.
    var resolution: Int32

    /// The value in g; `nil` if this axis cannot be one of acceleration: acceleration has two directions, chips measure 1.5 to 32 g
    /// of it, and a value at an end of the range is that of a pedal at rest.
    fileprivate var possibleAcceleration: Double? {
      let (low, high, value, counts) = (Double(minimum), Double(maximum), Double(value), Double(resolution))
      guard counts > 0, abs(low + high) <= high / 8, high == 0 || (1.2...40).contains(high / counts),
        high == 0 || abs(value) < 0.98 * high
      else { return nil }
      return value / counts
    }
  }

  /// Whether it says so, its driver is known, or its axes show gravity. udev takes every device with three axes and no keys for an
  /// accelerometer, among them pedals, throttles and joysticks.
  var isAccelerometer: Bool {
    if isDeclared || (driver != nil && !hasKeys) { return true }
    let values = EvdevDriver.usualAxes.compactMap { axes[$0]?.possibleAcceleration }
    let magnitude = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return values.count == 3 && (0.5...1.5).contains(magnitude)
  }

  /// Its driver, if that is known and has these axes.
  var driver: EvdevDriver? {
    EvdevDriver.of(name: name, vendor: vendor).flatMap { driver in
      driver.axes.allSatisfy { axes[$0] != nil } ? driver : nil
    }
  }
}
