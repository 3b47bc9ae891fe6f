import Accelerometry
import Testing

@testable import LinuxSensors

@Suite("Classifying udev devices", .timeLimit(.minutes(30)))
struct SensorClassifierTests {
  private let machine: FakeMachine

  init() throws { machine = try FakeMachine() }

  private func iio(_ name: String = "device0") -> [DiscoveredSensor] {
    let device = UdevDevice(
      folder: machine.environment.iioDevices["iio:" + name], subsystem: "iio", type: "iio_device",
      name: "iio:" + name, node: "/dev/iio:" + name)
    return SensorClassifier(machine: machine.environment).sensors(of: device)
  }

  @Test("an accelerometer with buffer, node and trigger is usable, with rate and range")
  func usable() throws {
    try machine.addAccelerometer()
    _ = try machine.addNode()
    let sensor = try #require(iio().first)
    #expect(sensor.usability == .usable)
    #expect(sensor.uri == .iio("device0") && sensor.kind == .accelerometer)
    #expect(sensor.samplingFrequency?.hertz == 50)
    #expect(abs((sensor.range ?? 0) - 32.767) < 1e-6)
  }

  @Test("without a trigger the values can be polled, with a remedy for more")
  func polling() throws {
    try machine.addAccelerometer()
    _ = try machine.addNode()
    try machine.write("\n", to: FakeMachine.folder() + "/trigger/current_trigger")
    guard case .pollingOnly(let because, let remedy)? = iio().first?.usability else {
      Issue.record("\(iio())")
      return
    }
    #expect(because.contains("trigger"))
    #expect(remedy.contains("iio-trig-hrtimer"))
  }

  @Test("a chip that counts steps and measures acceleration is two sensors")
  func two() throws {
    try machine.addAccelerometer()
    try machine.write("7\n", to: FakeMachine.folder() + "/in_steps_input")
    #expect(iio().map(\.uri) == [.iio("device0"), .counter("device0")])
  }

  @Test("devices that measure other quantities are ignored")
  func others() throws {
    try machine.write("als\n", to: FakeMachine.folder() + "/name")
    try machine.write("3\n", to: FakeMachine.folder() + "/in_illuminance_raw")
    #expect(iio().isEmpty)
    let trigger = UdevDevice(folder: machine.environment.iioDevices["trigger0"], subsystem: "iio", name: "trigger0")
    #expect(SensorClassifier(machine: machine.environment).sensors(of: trigger).isEmpty)
  }

  @Test("single axes and invalid values are listed with the reason")
  func unusable() throws {
    try machine.write("1\n", to: FakeMachine.folder("device1") + "/in_accel_x_raw")
    guard case .unusable(let error)? = iio("device1").first?.usability else {
      Issue.record("\(iio("device1"))")
      return
    }
    #expect(error.reason.contains("three axes"))
    try machine.addAccelerometer("device2")
    try machine.write("banana\n", to: FakeMachine.folder("device2") + "/in_accel_scale")
    guard case .unusable(let nonsense)? = iio("device2").first?.usability else {
      Issue.record("\(iio("device2"))")
      return
    }
    #expect(nonsense.kind == .protocolViolation)
  }

  private func pad(_ name: String, ev: String, abs: String, properties: String, tag: String? = nil) throws
    -> [DiscoveredSensor]
  {
    for (file, text) in [
      "name": name, "capabilities/ev": ev, "capabilities/abs": abs, "properties": properties, "uniq": "",
    ] { try machine.write(text + "\n", to: "sys/input5/\(file)") }
    let input = UdevDevice(
      folder: SysfsDirectory(path: machine.environment.sys + "/input5"), subsystem: "input", name: "input5",
      properties: ["PRODUCT": "3/54c/ce6/8111"])
    let event = UdevDevice(
      folder: SysfsDirectory(path: machine.environment.sys + "/input5/event5"), subsystem: "input", name: "event5",
      node: machine.environment.dev + "/input/event5", properties: tag.map { ["ID_INPUT_ACCELEROMETER": $0] } ?? [:],
      ancestors: [input])
    return SensorClassifier(machine: machine.environment).sensors(of: event)
  }

  @Test("input devices are recognised by property, udev's tag, capabilities, or a known name")
  func evdev() throws {
    #expect(try pad("Pad Motion Sensors", ev: "19", abs: "3f", properties: "40").count == 1)
    #expect(try pad("Pad", ev: "b", abs: "7", properties: "0", tag: "1").count == 1)
    #expect(try pad("Thing", ev: "9", abs: "7", properties: "0").count == 1)
    #expect(try pad("Nintendo Wii Remote Accelerometer", ev: "9", abs: "38", properties: "0").count == 1)
    #expect(try pad("Keyboard", ev: "120013", abs: "0", properties: "0").isEmpty)
    #expect(try pad("Joystick", ev: "b", abs: "7", properties: "0").isEmpty)
    #expect(try pad("Nintendo Wii Remote Motion Plus", ev: "9", abs: "38", properties: "0").isEmpty)
  }

  @Test("a node that cannot be opened is listed with the reason")
  func closed() throws {
    let sensor = try #require(try pad("Pad Motion Sensors", ev: "19", abs: "3f", properties: "40").first)
    guard case .unusable(let error) = sensor.usability else {
      Issue.record("\(sensor.usability)")
      return
    }
    #expect(error.code == .removed && error.path.hasSuffix("/dev/input/event5"))
    #expect(sensor.isExternal)
  }

  private func port(_ number: Int, serial: String?, links: [String]) throws -> UdevDevice {
    try machine.makeFolder("sys/usb\(number)")
    if let serial { try machine.write(serial + "\n", to: "sys/usb\(number)/serial") }
    try machine.write("1a86\n", to: "sys/usb\(number)/idVendor")
    try machine.write("7523\n", to: "sys/usb\(number)/idProduct")
    let usb = UdevDevice(
      folder: SysfsDirectory(path: "\(machine.root)/sys/usb\(number)"), subsystem: "usb", type: "usb_device",
      name: "1-\(number)", properties: ["ID_PATH": "usb-0:\(number)"])
    return UdevDevice(
      folder: SysfsDirectory(path: "\(machine.root)/sys/tty\(number)"), subsystem: "tty", name: "ttyUSB\(number)",
      node: "/dev/ttyUSB\(number)", properties: ["DEVLINKS": links.joined(separator: " ")], ancestors: [usb])
  }

  @Test(
    "a board is named by its serial number, twins by their USB ports, and a board without links has a remark")
  func boards() throws {
    let classifier = SensorClassifier(machine: machine.environment)
    let shared = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    let boards = try classifier.boards(among: [
      port(0, serial: nil, links: ["/dev/serial/by-path/usb-0:0", shared]),
      port(1, serial: nil, links: [shared, "/dev/serial/by-path/usb-0:1"]),
      port(2, serial: "A1", links: ["/dev/serial/by-path/usb-0:2", "/dev/serial/by-id/usb-A1-if00"]),
      port(3, serial: nil, links: []),
      UdevDevice(folder: SysfsDirectory(path: "/sys/none"), subsystem: "tty", name: "ttyS0", node: "/dev/ttyS0"),
    ])
    #expect(
      boards.map { "\($0.uri)" } == [
        "serial:/dev/serial/by-id/usb-A1-if00", "serial:/dev/serial/by-path/usb-0:0",
        "serial:/dev/serial/by-path/usb-0:1", "serial:/dev/ttyUSB3",
      ])
    #expect(boards[0].remarks.isEmpty)
    #expect(boards[1].remarks.contains { $0.contains("by its USB port") })
    #expect(boards[3].remarks.contains { $0.contains("only recognised as /dev/ttyUSB3") })
    let single = try classifier.boards(among: [port(0, serial: nil, links: [shared])])
    #expect("\(single[0].uri)" == "serial:\(shared)" && single[0].remarks.contains { $0.contains("no serial number") })
  }
}
