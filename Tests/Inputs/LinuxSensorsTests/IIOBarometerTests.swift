import Foundation
import LinuxSensors
import Testing

@Suite("Barometers", .timeLimit(.minutes(30)))
struct IIOBarometerTests {
  private let machine: FakeMachine
  private let folder = FakeMachine.folder("device3")

  init() throws { machine = try FakeMachine() }

  /// A barometer at a place in the device tree.
  private func add(_ device: String, at place: String) throws {
    try machine.write("1013250\n", to: "sys/devices/\(place)/iio:\(device)/in_pressure_raw")
    try FileManager.default.createSymbolicLink(
      atPath: "\(machine.root)/\(FakeMachine.folder(device))",
      withDestinationPath: "\(machine.root)/sys/devices/\(place)/iio:\(device)")
  }

  private func beside(_ place: String, isExternal: Bool) -> String? {
    var accelerometer = sensor(.iio("device0"), isExternal: isExternal)
    accelerometer.folder = SysfsDirectory(path: "\(machine.root)/sys/devices/\(place)")
    return IIOBarometer.beside(accelerometer, in: machine.environment)?.identifier
  }

  @Test("raw values get offset and scale, invalid ones are skipped, and unplugging ends the sequence")
  func raw() async throws {
    try machine.write("bmp280\n", to: folder + "/name")
    try machine.write("1012250\n", to: folder + "/in_pressure_raw")
    try machine.write("0.0001\n", to: folder + "/in_pressure_scale")
    try machine.write("1000\n", to: folder + "/in_pressure_offset")
    let barometer = try #require(IIOBarometer.all(in: machine.environment).first)
    #expect(barometer.identifier == "device3" && barometer.name == "bmp280")
    let readings = barometer.readings(every: .milliseconds(1)).makeAsyncIterator()
    let first = try #require(try await readings.next())
    #expect(abs(first.kilopascals - 101.325) < 1e-9)
    try machine.write("busy\n", to: folder + "/in_pressure_raw")
    try machine.write("1002250\n", to: folder + "/in_pressure_raw")
    var latest = first
    while abs(latest.kilopascals - 100.325) > 1e-9 { latest = try #require(try await readings.next()) }
    #expect(latest.nanoseconds > first.nanoseconds)
  }

  @Test("processed values are kPa; a device without pressure or with a scale of 0 is not a barometer")
  func processed() async throws {
    try machine.write("99.5\n", to: folder + "/in_pressure_input")
    let barometer = try #require(IIOBarometer("device3", in: machine.environment))
    let readings = barometer.readings(every: .milliseconds(1)).makeAsyncIterator()
    #expect(try await readings.next()?.kilopascals == 99.5)
    try machine.addAccelerometer("device0")
    #expect(IIOBarometer("device0", in: machine.environment) == nil)
    try machine.remove(folder + "/in_pressure_input")
    try machine.write("1\n", to: folder + "/in_pressure_raw")
    try machine.write("0\n", to: folder + "/in_pressure_scale")
    #expect(IIOBarometer("device3", in: machine.environment) == nil)
  }

  @Test("a hub's barometer belongs to its accelerometer, the computer's to the computer's, and none to a game pad")
  func beside() throws {
    try add("device4", at: "platform/i2c-1/1-0076")
    #expect(beside("platform/i2c-1/1-0068/iio:device0", isExternal: false) == "device4")
    #expect(beside("platform/spi0/spi0.0/iio:device0", isExternal: false) == "device4")
    #expect(beside("pci0/usb1/1-2/hub/accel/iio:device0", isExternal: true) == nil)
    try add("device5", at: "pci0/usb1/1-2/hub/press")
    #expect(beside("pci0/usb1/1-2/hub/accel/iio:device0", isExternal: true) == "device5")
    #expect(beside("pci0/usb1/1-3/hub/accel/iio:device0", isExternal: true) == nil)
    #expect(beside("platform/spi0/spi0.0/iio:device0", isExternal: false) == "device4")
  }
}
