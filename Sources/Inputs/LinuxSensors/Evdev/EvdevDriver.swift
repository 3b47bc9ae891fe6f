/// Drivers whose devices do not report their scale: the axes of acceleration, and the counts per g.
///
/// A device's own resolution has precedence over this table. Sources: the drivers under drivers/hid, drivers/input and
/// drivers/platform/x86 of Linux.
struct EvdevDriver: Sendable, Hashable {
  var nameContains: String
  /// The vendor, if the name alone is ambiguous.
  var vendor: UInt16?
  var countsPerG: Double
  var axes: [UInt16]

  private typealias Code = EvdevCapabilities.Code
  static let usualAxes = [Code.x, Code.y, Code.z]

  /// The first match is used.
  static let known: [EvdevDriver] = [
    // hid-wiimote: about 100 counts, on the axes of rotation
    EvdevDriver(nameContains: "Nintendo Wii Remote Accelerometer", countsPerG: 100, axes: [Code.rx, Code.ry, Code.rz]),
    // hid-sony: SIXAXIS and DualShock 3
    EvdevDriver(nameContains: "PLAYSTATION(R)3", vendor: 0x054C, countsPerG: 113, axes: usualAxes),
    // hid-playstation and hid-sony: DualShock 4, DualSense
    EvdevDriver(nameContains: "Motion Sensors", vendor: 0x054C, countsPerG: 8192, axes: usualAxes),
    // hid-nintendo: Joy-Con, Pro Controller
    EvdevDriver(nameContains: "IMU", vendor: 0x057E, countsPerG: 4096, axes: usualAxes),
    // hid-steam
    EvdevDriver(nameContains: "Motion Sensors", vendor: 0x28DE, countsPerG: 16384, axes: usualAxes),
    // wacom: tablets with an accelerometer
    EvdevDriver(nameContains: "Wacom", vendor: 0x056A, countsPerG: 1024, axes: usualAxes),
    // lis3lv02d and hp_accel, cma3000: thousandths of g
    EvdevDriver(nameContains: "LIS3LV02DL", countsPerG: 1000, axes: usualAxes),
    EvdevDriver(nameContains: "cma3000-accelerometer", countsPerG: 1000, axes: usualAxes),
    // adxl34x: 4 mg
    EvdevDriver(nameContains: "ADXL34x accelerometer", countsPerG: 256, axes: usualAxes),
  ]

  static func of(name: String, vendor: UInt16) -> EvdevDriver? {
    known.first { name.contains($0.nameContains) && ($0.vendor == nil || $0.vendor == vendor) }
  }
}
