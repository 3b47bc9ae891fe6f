import Testing

@testable import LinuxSensors

@Suite("Identities", .timeLimit(.minutes(30)))
struct SensorIdentityTests {
  private let identity = SensorIdentity(
    bus: "usb", vendor: "1209", product: "7e57", serial: "A1", place: "usb-0:1", part: "accel_3d/accelerometer")

  private func changed(_ change: (inout SensorIdentity) -> Void) -> SensorIdentity {
    var changed = identity
    change(&changed)
    return changed
  }

  @Test("a serial number is the same sensor at any port; another number is another sensor at the same port")
  func serial() {
    #expect(identity.isSame(as: changed { $0.place = "usb-0:2" }))
    #expect(!identity.isSame(as: changed { $0.serial = "A2" }))
    #expect(!identity.isSame(as: changed { $0.serial = nil }))
  }

  @Test("without serial numbers the port decides")
  func place() {
    let nameless = changed { $0.serial = nil }
    #expect(nameless.isSame(as: nameless))
    var moved = nameless
    moved.place = "usb-0:2"
    #expect(!nameless.isSame(as: moved))
  }

  @Test("two sensors of one device are different")
  func part() {
    #expect(!identity.isSame(as: changed { $0.part = "accel_3d/accel-base/accelerometer" }))
    #expect(!identity.isSame(as: changed { $0.product = "7e58" }))
    #expect(!identity.isSame(as: changed { $0.bus = "bluetooth" }))
  }

  @Test("a sensor behind USB is identified by the USB device's numbers")
  func usb() throws {
    let machine = try FakeMachine()
    for (name, text) in ["idVendor": "1209", "idProduct": "7e57", "serial": "LAB1"] {
      try machine.write(text, to: "usb/\(name)")
    }
    let usb = UdevDevice(
      folder: SysfsDirectory(path: machine.root + "/usb"), subsystem: "usb", type: "usb_device", name: "1-1",
      properties: ["ID_PATH": "pci-0000:00:14.0-usb-0:1"])
    let device = UdevDevice(
      folder: SysfsDirectory(path: machine.root), subsystem: "iio", type: "iio_device", name: "iio:device0",
      ancestors: [usb])
    var remarks: [String] = []
    let identity = SensorIdentity(of: device, part: "p", remarks: &remarks)
    #expect(remarks == [])
    #expect(identity.description == "usb:1209:7e57:serial=LAB1:p")
    #expect(identity.place == "pci-0000:00:14.0-usb-0:1")
  }

  @Test("a pad is identified by its hardware address, a chip by its position on the board")
  func others() throws {
    let machine = try FakeMachine()
    try machine.write("02:5e:c0:ff:ee:01\n", to: "input/uniq")
    let input = UdevDevice(
      folder: SysfsDirectory(path: machine.root + "/input"), subsystem: "input", name: "input5",
      properties: ["PRODUCT": "5/54c/ce6/8111"])
    let pad = UdevDevice(
      folder: SysfsDirectory(path: machine.root), subsystem: "input", name: "event3", ancestors: [input])
    var remarks: [String] = []
    #expect(
      SensorIdentity(of: pad, part: "p", remarks: &remarks).description
        == "bluetooth:054c:0ce6:serial=02:5e:c0:ff:ee:01:p")
    let bus = UdevDevice(folder: SysfsDirectory(path: "/sys/devices/i2c-0/0-0014"), subsystem: "i2c", name: "0-0014")
    let chip = UdevDevice(
      folder: SysfsDirectory(path: "/sys/devices/i2c-0/0-0014/iio:device0"), subsystem: "iio", name: "iio:device0",
      ancestors: [bus])
    #expect(
      SensorIdentity(of: chip, part: "p", remarks: &remarks).description == "i2c:at=/sys/devices/i2c-0/0-0014:p")
    #expect(remarks == [])
  }

  @Test("an attribute that cannot be read is named in a remark")
  func unread() throws {
    let machine = try FakeMachine()
    try machine.write("1209", to: "usb/idVendor")
    try machine.write("7e57", to: "usb/idProduct")
    // Reading a folder fails.
    try machine.write("", to: "usb/serial/x")
    let usb = UdevDevice(
      folder: SysfsDirectory(path: machine.root + "/usb"), subsystem: "usb", type: "usb_device", name: "1-1")
    let device = UdevDevice(
      folder: SysfsDirectory(path: machine.root), subsystem: "iio", type: "iio_device", name: "iio:device0",
      ancestors: [usb])
    var remarks: [String] = []
    let identity = SensorIdentity(of: device, part: "p", remarks: &remarks)
    #expect(identity.vendor == "1209" && identity.serial == nil)
    #expect(
      remarks.count == 1 && remarks.allSatisfy { $0.contains("cannot read \(machine.root)/usb/serial") }, "\(remarks)")
  }

  @Test("properties that libudev leaves out are named in a remark", arguments: ["input", "hid"])
  func leftOut(subsystem: String) {
    let parent = UdevDevice(folder: SysfsDirectory(path: "/sys/devices/p"), subsystem: subsystem, name: "p")
    let device = UdevDevice(
      folder: SysfsDirectory(path: "/sys/devices/p/event3"), subsystem: "input", name: "event3", ancestors: [parent])
    var remarks: [String] = []
    _ = SensorIdentity(of: device, part: "p", remarks: &remarks)
    #expect(remarks.count == 1 && remarks.allSatisfy { $0.contains("/sys/devices/p/uevent") }, "\(remarks)")
  }
}
