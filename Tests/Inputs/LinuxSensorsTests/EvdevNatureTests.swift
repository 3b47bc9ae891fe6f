import Testing

@testable import LinuxSensors

/// Input devices as their drivers describe them to evdev, lying still and released.
@Suite("What an input device is", .timeLimit(.minutes(30)))
struct EvdevNatureTests {
  private typealias Axis = EvdevDescription.Axis

  /// A device with axes from a code on, each with its range and resolution.
  private static func device(
    _ name: String, vendor: UInt16 = 0, declared: Bool = false, keys: Bool = false, at values: [Int32],
    from first: UInt16 = 0, _ range: ClosedRange<Int32>, resolution: Int32 = 0
  ) -> EvdevDescription {
    let axes = values.enumerated().map { index, value in
      (
        first + UInt16(index),
        Axis(value: value, minimum: range.lowerBound, maximum: range.upperBound, resolution: resolution)
      )
    }
    return EvdevDescription(
      name: name, vendor: vendor, isDeclared: declared, hasKeys: keys, axes: Dictionary(uniqueKeysWithValues: axes))
  }

  private static let accelerometers = [
    device(
      "Wireless Controller Motion Sensors", vendor: 0x054C, declared: true, at: [0, 8100, 300, 0, 0, 0],
      -32768...32767, resolution: 8192),
    device(
      "Sony PLAYSTATION(R)3 Controller Motion Sensors", vendor: 0x054C, declared: true, at: [3, 5, -113], -512...511,
      resolution: 113),
    device(
      "Sony Interactive Entertainment DualSense Wireless Controller Motion Sensors", vendor: 0x054C, declared: true,
      at: [0, 8192, 0, 0, 0, 0], -32768...32767, resolution: 8192),
    device(
      "Nintendo Switch Left Joy-Con IMU", vendor: 0x057E, declared: true, at: [0, 0, 4096, 0, 0, 0], -32767...32767,
      resolution: 4096),
    device(
      "Steam Deck Motion Sensors", vendor: 0x28DE, declared: true, at: [0, 16000, 900, 0, 0, 0], -32768...32767,
      resolution: 16384),
    device(
      "Wacom Intuos Pro Accelerometer", vendor: 0x056A, declared: true, at: [0, 0, 1024], -2048...2048, resolution: 1024
    ),
    device("Nintendo Wii Remote Accelerometer", vendor: 0x057E, at: [0, 2, 100], from: 3, -500...500),
    device("ST LIS3LV02DL Accelerometer", at: [18, -36, 1026], -2048...2048),
    device("ADXL34x accelerometer", at: [4, 0, 250], -4096...4096),
    device("cma3000-accelerometer", at: [0, 71, 994], -2000...2000),
  ]

  private static let others = [
    // Released, they are at an end, at zero, or in the middle.
    device("HE SIM PEDALS", at: [-1023, -1023, -1023], -1023...1023),
    device("HE SIM PEDALS", at: [-1023, -1023, -1023], -1023...1023, resolution: 1023),
    device("Pedals, one pressed halfway", at: [512, 0, 0], -1023...1023),
    device("Pedals, one pressed halfway, with a length per count", at: [512, 0, 0], -1023...1023, resolution: 20),
    device("CH PRODUCTS CH PRO PEDALS USB", vendor: 0x068E, at: [127, 127, 127], 0...255),
    device("Saitek Saitek Pro Flight Rudder Pedals", vendor: 0x06A3, at: [0, 0, 256], 0...511),
    device("MFG Crosswind", vendor: 0x16D0, at: [0, 0, 2048], 0...4095, resolution: 2048),
    device("Fanatec ClubSport Pedals V3", vendor: 0x0EB7, at: [0, 0, 0], 0...65535),
    device("Thrustmaster T-Pendular-Rudder", vendor: 0x044F, at: [0, 0, 32768], 0...65535),
    device("Logitech Logitech Extreme 3D", vendor: 0x046D, keys: true, at: [512, 512, 128], 0...1023),
    device("Logitech G29 Driving Force Racing Wheel", vendor: 0x046D, keys: true, at: [32767, 255, 255], 0...65535),
    device(
      "Sony Interactive Entertainment Wireless Controller", vendor: 0x054C, keys: true, at: [127, 128, 0], 0...255),
    device("Nintendo Wii Remote Nunchuk", vendor: 0x057E, keys: true, at: [0, 20, 210], from: 3, -500...500),
    device("Nintendo Wii Remote Motion Plus", vendor: 0x057E, at: [0, 0, 0], from: 3, -16000...16000),
    device("Wacom Intuos Pro M Pen", vendor: 0x056A, keys: true, at: [22400, 14000, 0], 0...44800, resolution: 200),
    device("3Dconnexion SpaceNavigator", vendor: 0x046D, keys: true, at: [0, 0, 0, 0, 0, 0], -350...350),
    device("A throttle with two axes", at: [0, 90], -100...100, resolution: 90),
  ]

  @Test("an accelerometer if it says so, or its driver is known", arguments: accelerometers)
  func accelerometer(_ device: EvdevDescription) { #expect(device.isAccelerometer) }

  @Test("no accelerometer if its axes cannot be gravity", arguments: others)
  func other(_ device: EvdevDescription) {
    #expect(!device.isAccelerometer)
    #expect(throws: SensorError.self) { try EvdevScale(device, path: "/dev/input/event5", countsPerG: nil) }
  }

  @Test("one also if it states counts per g, has a range on both sides and shows gravity, in any direction")
  func possible() throws {
    let thing = { (values: [Int32], range: ClosedRange<Int32>) in
      Self.device("A thing", at: values, range, resolution: 1000).isAccelerometer
    }
    #expect(thing([0, 0, 1000], -4000...4000) && thing([600, -500, 600], -2000...1999))
    #expect(thing([0, 0, 1000], 0...0))
    // At an end, too weak, too strong; a range of less than gravity, or of a projectile.
    #expect(!thing([0, 0, 1390], -1400...1400) && !thing([0, 0, 400], -4000...4000))
    #expect(!thing([0, 0, 1600], -4000...4000) && !thing([0, 0, 900], -1100...1100))
    #expect(!thing([0, 0, 1000], -50_000...50_000))
  }

  @Test("what people say counts: with counts per g, every device with three axes is one")
  func stated() throws {
    let scale = try EvdevScale(Self.others[2], path: "/dev/input/event5", countsPerG: 512)
    #expect(scale.gPerCount == SIMD3(repeating: 1 / 512) && scale.counts == [512, 0, 0] && scale.guess == nil)
  }

  @Test("only a declared accelerometer gets its scale from gravity")
  func guessed() throws {
    let declared = Self.device("A thing", declared: true, at: [0, 0, 1020], -4096...4096)
    #expect(try EvdevScale(declared, path: "/dev/input/event5", countsPerG: nil).guess == 1024)
  }
}
