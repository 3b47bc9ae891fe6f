import Glibc
import LinuxSensors
import Testing

/// A bus whose chips are given as a table of registers.
private final class FakeI2C: I2CRegisters {
  let chips: [UInt8: [UInt8: UInt8]]
  let held: Set<UInt8>
  let failure: Int32?
  private(set) var reads: [(address: UInt8, register: UInt8)] = []

  init(_ chips: [UInt8: [UInt8: UInt8]], held: Set<UInt8> = [], failure: Int32? = nil) {
    (self.chips, self.held, self.failure) = (chips, held, failure)
  }

  func read(_ register: UInt8, at address: UInt8) -> I2CAnswer {
    reads.append((address, register))
    if let failure { return .failed(failure) }
    if held.contains(address) { return .held }
    return chips[address].map { .byte($0[register] ?? 0) } ?? .nobody
  }
}

@Suite("Chips on an I²C bus", .timeLimit(.minutes(30)))
struct I2CProbeTests {
  private static let bus = I2CBus(number: 3, name: "bcm2835 (i2c@7e804000)")

  private func findings(_ fake: FakeI2C) -> I2CProbe.Findings {
    I2CProbe { _ throws(SensorError) in fake }.findings(on: Self.bus)
  }

  @Test(
    "each chip is recognised by its address and its identity register",
    arguments: [
      (0x68, 0x75, 0x68, "MPU6050", "mpu6050"), (0x69, 0x75, 0x70, "MPU6500", "mpu6500"),
      (0x68, 0x75, 0x12, "ICM20602", "icm20602"), (0x6A, 0x0F, 0x69, "LSM6DS3", "lsm6ds3"),
      (0x6B, 0x0F, 0x6C, "LSM6DSO", "lsm6dso"), (0x53, 0x00, 0xE5, "ADXL345", "adxl345"),
      (0x1D, 0x00, 0xE5, "ADXL345", "adxl345"), (0x14, 0x00, 0x90, "BMA400", "bma400"),
      (0x18, 0x00, 0x16, "BMA456", nil), (0x19, 0x0F, 0x33, "LIS3DH or LIS2DH12", "lis3dh"),
      (0x0F, 0x0F, 0x0A, "KXCJ9", "kxcj91008"), (0x1D, 0x0D, 0x2A, "MMA8452", "mma8452"),
      (0x76, 0xD0, 0x58, "BMP280", "bmp280"),
    ] as [(UInt8, UInt8, UInt8, String, String?)])
  func known(address: UInt8, register: UInt8, identity: UInt8, name: String, device: String?) {
    let found = findings(FakeI2C([address: [register: identity]]))
    #expect(found.chips.map(\.chip.name) == [name] && found.chips.map(\.address) == [address])
    #expect(found.chips.first?.chip.device == device && found.held == [] && found.trouble == nil)
  }

  @Test("an unknown chip at a known address is ignored")
  func unknown() {
    #expect(findings(FakeI2C([0x68: [0x75: 0x03], 0x18: [0x0F: 0x12]])).chips == [])
  }

  @Test("an address that a driver holds is skipped and reported")
  func held() {
    let fake = FakeI2C([0x68: [0x75: 0x68], 0x53: [0x00: 0xE5]], held: [0x68])
    let found = findings(fake)
    #expect(found.held == [0x68] && found.chips.map(\.chip.name) == ["ADXL345"])
    #expect(fake.reads.count { $0.address == 0x68 } == 1)
  }

  @Test("only identity registers at the usual addresses are read, each once")
  func fewReads() {
    let fake = FakeI2C(Dictionary(uniqueKeysWithValues: (0...127).map { ($0, [:]) }))
    _ = findings(fake)
    let asked = fake.reads.map { Int($0.address) << 8 | Int($0.register) }
    let allowed = Set(I2CChip.known.flatMap { chip in chip.addresses.map { Int($0) << 8 | Int(chip.register) } })
    #expect(Set(asked) == allowed && asked.count == allowed.count)
  }

  @Test("an unreadable bus is reported with its node")
  func broken() {
    let path = "/dev/i2c-3"
    #expect(findings(FakeI2C([:], failure: ENOTTY)).trouble == .system(operation: "read", path: path, errno: ENOTTY))
    let probe = I2CProbe { _ throws(SensorError) in throw .removed(path: path) }
    #expect(probe.findings(on: Self.bus).trouble == .removed(path: path))
  }

  @Test("no two chips share an address, a register and an identity")
  func unambiguous() {
    let keys = I2CChip.known.flatMap { chip in
      chip.addresses.map { [Int($0), Int(chip.register), Int(chip.identity)] }
    }
    #expect(Set(keys).count == keys.count)
  }

  @Test("buses are listed by number, and those of displays are recognised")
  func buses() throws {
    let machine = try FakeMachine()
    for (name, text) in [
      ("i2c-10", "AUX A/DDI A/PHY A"), ("i2c-2", "SMBus I801 adapter at efa0"), ("i2c-0", "i915 gmbus dpa"),
    ] {
      try machine.write(text + "\n", to: "sys/bus/i2c/devices/\(name)/name")
    }
    try machine.makeFolder("sys/bus/i2c/devices/2-0068")
    let buses = I2CBus.all(in: machine.environment)
    #expect(buses.map(\.number) == [0, 2, 10] && buses.map(\.leadsToDisplay) == [true, false, true])
  }

  @Test("for a bus without a node, the error names the kernel module")
  func noNode() throws {
    let machine = try FakeMachine()
    let found = I2CProbe(in: machine.environment).findings(on: Self.bus)
    #expect(found.trouble?.remedy == "modprobe i2c-dev, as root")
  }

  @Test("a module is found in the running kernel's list, regardless of dashes and compression")
  func modules() throws {
    let machine = try FakeMachine()
    #expect(KernelModules(in: machine.environment).has("bma400_i2c") == nil)
    try machine.write("6.12.1-test\n", to: "proc/sys/kernel/osrelease")
    try machine.write(
      """
      kernel/drivers/iio/imu/inv_mpu6050/inv-mpu6050-i2c.ko.xz: kernel/drivers/i2c/i2c-mux.ko.xz
      kernel/drivers/iio/accel/bma400_i2c.ko:

      """, to: "modules/6.12.1-test/modules.dep")
    try machine.write("kernel/drivers/iio/accel/mma8452.ko\n", to: "modules/6.12.1-test/modules.builtin")
    try machine.makeFolder("sys/module/st_accel_i2c")
    let modules = KernelModules(in: machine.environment)
    #expect(modules.release == "6.12.1-test")
    for name in ["inv-mpu6050-i2c", "bma400_i2c", "mma8452", "st_accel_i2c"] { #expect(modules.has(name) == true) }
    #expect(modules.has("adxl345_i2c") == false && modules.has("i2c-mux") == false)
  }
}
