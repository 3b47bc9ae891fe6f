import Accelerometry
import Testing

@testable import Recordings

@Suite("Column names", .timeLimit(.minutes(30)))
struct ColumnNameTests {
  @Test(
    "an axis of an accelerometer is recognised, with its unit",
    arguments: [
      ("x", ColumnName.Axis.x, ColumnName.Quantity.unnamed, AccelerationUnit?.none), ("Y (g)", .y, .unnamed, .g),
      ("ax", .x, .acceleration, nil), ("AccZ", .z, .acceleration, nil), ("accelerationX", .x, .acceleration, nil),
      ("acc_x_mg", .x, .acceleration, .milliG), ("accel_y_m_s2", .y, .acceleration, .metresPerSecondSquared),
      ("Acceleration x (m/s^2)", .x, .acceleration, .metresPerSecondSquared),
      ("ACCELEROMETER X (m/s²)", .x, .acceleration, .metresPerSecondSquared),
      ("Accelerometer X", .x, .acceleration, nil), ("accelerometerAccelerationX(G)", .x, .acceleration, .g),
      ("accelerationIncludingGravityX", .x, .acceleration, nil), ("x-axis", .x, .unnamed, nil),
      ("gFx", .x, .unnamed, nil), ("totalacceleration x", .x, .acceleration, nil),
      ("userAcceleration.z", .z, .linear, nil), ("motionUserAccelerationY(G)", .y, .linear, .g),
      ("LINEAR ACCELERATION X (m/s²)", .x, .linear, .metresPerSecondSquared),
      ("accelerometer.0", .x, .acceleration, nil), ("gx", .x, .ambiguous, nil),
      ("accx [mg]", .x, .acceleration, .milliG),
    ])
  func axis(name: String, axis: ColumnName.Axis, quantity: ColumnName.Quantity, unit: AccelerationUnit?) throws {
    let column = ColumnName(name)
    guard case .axis(let foundAxis, let foundQuantity, _) = column.role else {
      Issue.record("\(name) is \(column.role)")
      return
    }
    #expect(foundAxis == axis)
    #expect(foundQuantity == quantity)
    #expect(column.unit == unit)
  }

  @Test(
    "axes of other sensors are recognised as such",
    arguments: [
      "gyro_x", "Gyroscope y (rad/s)", "mag_z", "Magnetometer X (µT)", "wx", "rotationRateX", "gravity_x",
      "quaternion.x", "motionGravityZ(G)", "mx",
    ])
  func foreign(name: String) { #expect(ColumnName(name).role == .foreign) }

  @Test(
    "a time is recognised, with its unit",
    arguments: [
      ("t", TimestampFormat?.none), ("time", nil), ("Time (s)", .seconds), ("timestamp [ns]", .nanoseconds),
      ("ts_ms", .milliseconds),
      ("seconds_elapsed", .seconds), ("Timestamp", nil), ("loggingTime(txt)", nil), ("ms", .milliseconds),
      ("timestamp_us", .microseconds),
      ("Elapsed (s)", .seconds), ("epoc (ms)", .milliseconds), ("datetime", nil), ("unixTime", nil),
      ("timeMs", .milliseconds),
      ("accelerometerTimestamp_sinceReboot(s)", .seconds), ("Time (µs)", .microseconds),
    ])
  func time(name: String, format: TimestampFormat?) { #expect(ColumnName(name).role == .time(format)) }

  @Test(
    "other columns are neither times nor axes",
    arguments: [
      "", "label", "activity", "magnitude", "Absolute acceleration (m/s^2)", "steps", "loggingSample(N)", "timezone",
      "TgF", "heart rate",
    ])
  func other(name: String) { #expect(ColumnName(name).role == .other) }
}
