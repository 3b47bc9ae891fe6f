import LinuxSensors
import Presentation
import Testing

@Suite("The I²C checks of doctor", .timeLimit(.minutes(30)))
struct I2CChecksTests {
  private static let bus = I2CBus(number: 1, name: "bcm2835 (i2c@7e804000)")

  private func checks(
    _ findings: I2CProbe.Findings?, bus: I2CBus = bus, model: String? = nil, hasModule: Bool? = true
  ) -> [HealthCheck] {
    I2CChecks(
      buses: [bus], findings: findings.map { found in { _ in found } }, hasModule: { _ in hasModule },
      release: "6.12.1-cloud", model: model
    ).all
  }

  private func finding(_ name: String, _ address: UInt8) throws -> I2CProbe.Findings {
    var findings = I2CProbe.Findings()
    let chip = try #require(I2CChip.known.first { $0.name == name })
    findings.chips = [.init(chip: chip, address: address)]
    return findings
  }

  @Test("without a probe, one line mentions the buses and the option; buses of displays do not count")
  func mention() {
    let check = checks(nil)
    #expect(check.count == 1 && check[0].result == .ok)
    #expect(check[0].finding == "there is a bus (i2c-1); chips were not probed")
    #expect(check[0].remedy?.contains("pedometer doctor --probe-i2c") == true)
    #expect(checks(nil, bus: I2CBus(number: 4, name: "i915 gmbus dpb")).isEmpty)
  }

  @Test("a chip without a driver is reported with the command that binds one")
  func bind() throws {
    let check = try #require(checks(finding("MPU6050", 0x68), bus: I2CBus(number: 7, name: "i801")).first)
    #expect(check.name == "I2C i2c-7" && check.result == .warning)
    #expect(check.finding == "MPU6050 (accelerometer) at 0x68 has no driver bound")
    #expect(
      check.remedy
        == "as root, after each restart: echo mpu6050 0x68 > /sys/bus/i2c/devices/i2c-7/new_device "
        + "(module inv-mpu6050-i2c)")
  }

  @Test("on a Raspberry Pi the overlay is named, if the firmware has one and for the header's bus")
  func overlay() throws {
    let model = "Raspberry Pi 4 Model B Rev 1.4"
    let remedy = try #require(checks(finding("MPU6050", 0x69), model: model).first?.remedy)
    #expect(remedy.hasPrefix("add 'dtoverlay=mpu6050,addr=0x69' to /boot/firmware/config.txt and restart"))
    #expect(remedy.contains("echo mpu6050 0x69 > /sys/bus/i2c/devices/i2c-1/new_device"))
    let barometer = try #require(checks(finding("BMP280", 0x76), model: model).first?.remedy)
    #expect(barometer.contains("'dtoverlay=i2c-sensor,bmp280,addr=0x76'"))
    #expect(checks(try finding("ADXL345", 0x53), model: model)[0].remedy?.contains("dtoverlay") == false)
    #expect(
      checks(try finding("ADXL345", 0x53))[0].remedy?.hasSuffix("overlay with compatible = \"adi,adxl345\"") == true)
    let other = I2CBus(number: 3, name: "bcm2835")
    #expect(checks(try finding("MPU6050", 0x68), bus: other, model: model)[0].remedy?.contains("dtoverlay") == false)
  }

  @Test("a driver that the kernel lacks is named with the kernel option that builds it")
  func missingDriver() throws {
    let check = try #require(checks(finding("LSM6DSO", 0x6A), hasModule: false).first)
    #expect(check.finding.hasSuffix("its driver is missing: Linux 6.12.1-cloud has no module st_lsm6dsx_i2c"))
    #expect(check.remedy?.contains("CONFIG_IIO_ST_LSM6DSX") == true)
    #expect(check.remedy?.contains("echo lsm6dso 0x6a > ") == true)
    // What cannot be looked up is not claimed.
    #expect(checks(try finding("LSM6DSO", 0x6A), hasModule: nil)[0].finding.hasSuffix("has no driver bound"))
    #expect(checks(try finding("BMA456", 0x18))[0].finding.hasSuffix("for which Linux has no driver"))
  }

  @Test("addresses that drivers hold, empty buses and inaccessible ones are distinguished")
  func others() {
    var held = I2CProbe.Findings()
    held.held = [0x0F, 0x68]
    #expect(
      checks(held)[0].finding
        == "no known chip without a driver on 'bcm2835 (i2c@7e804000)'; not probed because a driver uses it: 0x0f, 0x68"
    )
    var closed = I2CProbe.Findings()
    closed.trouble = .permissionDenied(path: "/dev/i2c-1", errno: 13, remedy: "probe as root")
    #expect(checks(closed)[0].result == .warning)
    #expect(checks(closed)[0].remedy == "run 'pedometer doctor --probe-i2c' as root")
    var absent = I2CProbe.Findings()
    absent.trouble = .unusable(path: "/dev/i2c-1", reason: "there is none", remedy: "modprobe i2c-dev, as root")
    #expect(checks(absent)[0].remedy == "modprobe i2c-dev, as root")
    let none = I2CChecks(
      buses: [], findings: { _ in I2CProbe.Findings() }, hasModule: { _ in nil }, release: "", model: "Raspberry Pi 5")
    #expect(none.all[0].remedy?.contains("dtparam=i2c_arm=on") == true)
  }
}
