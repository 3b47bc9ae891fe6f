import Testing

@testable import LinuxSensors

@Suite("Capabilities of input devices", .timeLimit(.minutes(30)))
struct EvdevCapabilitiesTests {
  private func capabilities(ev: String, abs: String, properties: String) throws -> EvdevCapabilities {
    let machine = try FakeMachine()
    try machine.write(ev + "\n", to: "capabilities/ev")
    try machine.write(abs + "\n", to: "capabilities/abs")
    try machine.write(properties + "\n", to: "properties")
    return try EvdevCapabilities(SysfsDirectory(path: machine.root))
  }

  @Test("bit 6 of the properties means accelerometer")
  func property() throws {
    #expect(try capabilities(ev: "19", abs: "7", properties: "40").saysAccelerometer)
    #expect(try !capabilities(ev: "19", abs: "7", properties: "20").saysAccelerometer)
  }

  @Test("three axes without a key look like an accelerometer; with a key they are a joystick's")
  func looks() throws {
    #expect(try capabilities(ev: "9", abs: "7", properties: "0").looksLikeAccelerometer)
    #expect(try !capabilities(ev: "b", abs: "7", properties: "0").looksLikeAccelerometer)
    #expect(try !capabilities(ev: "9", abs: "3", properties: "0").looksLikeAccelerometer)
  }

  @Test("words are parsed from the right, as the kernel writes them")
  func words() {
    #expect(EvdevCapabilities.bits(parsing: "1 0 8000000000000001") == [0, 63, 128])
    #expect(EvdevCapabilities.bits(parsing: "") == [])
  }

  @Test("an invalid bitmap is refused", arguments: ["x", "1ffffffffffffffff0", "+1", "-1", "1 g"])
  func nonsense(_ text: String) throws {
    #expect(EvdevCapabilities.bits(parsing: text) == nil)
    #expect(throws: SensorError.self) { try capabilities(ev: text, abs: "7", properties: "0") }
  }

  @Test("pads without a declaration are recognised by name")
  func drivers() {
    #expect(EvdevDriver.of(name: "Nintendo Wii Remote Accelerometer", vendor: 0)?.axes == [3, 4, 5])
    #expect(EvdevDriver.of(name: "Wireless Controller Motion Sensors", vendor: 0x054C)?.countsPerG == 8192)
    #expect(EvdevDriver.of(name: "Sony PLAYSTATION(R)3 Controller Motion Sensors", vendor: 0x054C)?.countsPerG == 113)
    #expect(EvdevDriver.of(name: "ST LIS3LV02DL Accelerometer", vendor: 0)?.countsPerG == 1000)
    #expect(EvdevDriver.of(name: "Motion Sensors", vendor: 0x1234) == nil)
  }
}
