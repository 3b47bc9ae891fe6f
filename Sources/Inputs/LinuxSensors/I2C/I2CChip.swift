/// A sensor chip that is invisible until its driver is bound: I²C has no enumeration.
public struct I2CChip: Sendable, Hashable {
  /// What it measures.
  public enum Kind: String, Sendable, Hashable {
    /// Acceleration, possibly with other quantities.
    case accelerometer
    /// Air pressure.
    case barometer
  }

  /// The manufacturer's name; several if they share an identity.
  public var name: String
  /// What it measures.
  public var kind: Kind
  /// The 7-bit addresses it can have.
  public var addresses: [UInt8]
  /// The identity register.
  public var register: UInt8
  /// The value of that register.
  public var identity: UInt8
  /// The driver's name for it (`mpu6050`); `nil` if Linux has no driver.
  public var device: String?
  /// The driver's kernel module (`inv-mpu6050-i2c`).
  public var module: String?
  /// The kernel option that builds the driver.
  public var option: String?
  /// The Raspberry Pi's overlay for it, if there is one (`mpu6050`, `i2c-sensor,bmp280`).
  public var overlay: String?
  /// The device tree's name for it, if the driver of some kernels is bound only by device tree or ACPI.
  public var compatible: String?

  /// The chips that are recognised.
  ///
  /// Registers and values are from data sheets and from the kernel's drivers (drivers/iio/accel, imu and pressure),
  /// overlays from the Raspberry Pi firmware's overlays/README.
  public static let known: [I2CChip] =
    invenSense + st + [
      I2CChip(
        name: "ADXL345", kind: .accelerometer, addresses: [0x53, 0x1D], register: 0x00, identity: 0xE5,
        device: "adxl345", module: "adxl345_i2c", option: "CONFIG_ADXL345_I2C",
        // Linux 6.12 requires the firmware's match data and refuses a chip without it.
        compatible: "adi,adxl345"),
      I2CChip(
        name: "BMA400", kind: .accelerometer, addresses: [0x14, 0x15], register: 0x00, identity: 0x90,
        device: "bma400", module: "bma400_i2c", option: "CONFIG_BMA400"),
    ] + bosch + kionix + nxp + barometers

  /// WHO_AM_I, 0x75. An MPU-9150 is an MPU-6050 with a compass.
  private static let invenSense: [I2CChip] = [
    (0x68, "MPU6050", "mpu6050", "mpu6050"), (0x70, "MPU6500", "mpu6500", nil), (0x71, "MPU9250", "mpu9250", nil),
    (0x73, "MPU9255", "mpu9255", nil), (0x12, "ICM20602", "icm20602", nil), (0xAF, "ICM20608", "icm20608", nil),
    (0x98, "ICM20689", "icm20689", nil),
  ].map { (identity: UInt8, name: String, device: String, overlay: String?) in
    I2CChip(
      name: name, kind: .accelerometer, addresses: [0x68, 0x69], register: 0x75, identity: identity, device: device,
      module: "inv-mpu6050-i2c", option: "CONFIG_INV_MPU6050_I2C", overlay: overlay)
  }

  /// WHO_AM_I, 0x0F.
  private static let st: [I2CChip] =
    [
      (0x69, "LSM6DS3", "lsm6ds3"), (0x6A, "LSM6DSL or LSM6DS3TR-C", "lsm6dsl"), (0x6C, "LSM6DSO", "lsm6dso"),
      (0x6B, "LSM6DSR", "lsm6dsr"),
    ].map { (identity: UInt8, name: String, device: String) in
      I2CChip(
        name: name, kind: .accelerometer, addresses: [0x6A, 0x6B], register: 0x0F, identity: identity, device: device,
        module: "st_lsm6dsx_i2c", option: "CONFIG_IIO_ST_LSM6DSX")
    } + [
      I2CChip(
        name: "LIS3DH or LIS2DH12", kind: .accelerometer, addresses: [0x18, 0x19], register: 0x0F, identity: 0x33,
        device: "lis3dh", module: "st_accel_i2c", option: "CONFIG_IIO_ST_ACCEL_I2C_3AXIS")
    ]

  /// CHIP_ID, 0x00. The kernel's bmc150 driver supports the BMA25x; no driver supports the BMA42x and BMA456.
  private static let bosch: [I2CChip] =
    [(0x11, "BMA421"), (0x13, "BMA423"), (0x16, "BMA456")].map { (identity: UInt8, name: String) in
      I2CChip(name: name, kind: .accelerometer, addresses: [0x18, 0x19], register: 0x00, identity: identity)
    } + [
      I2CChip(
        name: "BMA255", kind: .accelerometer, addresses: [0x18, 0x19], register: 0x00, identity: 0xFA,
        device: "bma255", module: "bmc150-accel-i2c", option: "CONFIG_BMC150_ACCEL_I2C")
    ]

  /// WHO_AM_I, 0x0F.
  private static let kionix: [I2CChip] = [
    (0x0A, "KXCJ9", "kxcj91008"), (0x11, "KXCJK", "kxcjk1013"), (0x09, "KXTJ2", "kxtj21009"),
    (0x05, "KXTF9", "kxtf9"),
  ].map { (identity: UInt8, name: String, device: String) in
    I2CChip(
      name: name, kind: .accelerometer, addresses: [0x0E, 0x0F], register: 0x0F, identity: identity, device: device,
      module: "kxcjk-1013", option: "CONFIG_KXCJK1013")
  }

  /// WHO_AM_I, 0x0D.
  private static let nxp: [I2CChip] = [
    (0x1A, "MMA8451", "mma8451"), (0x2A, "MMA8452", "mma8452"), (0x3A, "MMA8453", "mma8453"),
    (0x4A, "MMA8652", "mma8652"), (0x5A, "MMA8653", "mma8653"),
  ].map { (identity: UInt8, name: String, device: String) in
    I2CChip(
      name: name, kind: .accelerometer, addresses: [0x1C, 0x1D], register: 0x0D, identity: identity, device: device,
      module: "mma8452", option: "CONFIG_MMA8452")
  }

  /// CHIP_ID, 0xD0. Used to count floors.
  private static let barometers: [I2CChip] = [
    (0x58, "BMP280", "bmp280"), (0x60, "BME280", "bme280"), (0x55, "BMP180", "bmp180"),
  ].map { (identity: UInt8, name: String, device: String) in
    I2CChip(
      name: name, kind: .barometer, addresses: device == "bmp180" ? [0x77] : [0x76, 0x77], register: 0xD0,
      identity: identity, device: device, module: "bmp280-i2c", option: "CONFIG_BMP280",
      overlay: "i2c-sensor,\(device)")
  }
}
