import Glibc

/// The capabilities of an input device in sysfs, available without opening its node.
struct EvdevCapabilities: Sendable, Hashable {
  private let events: Set<Int>
  private let axes: Set<Int>
  private let properties: Set<Int>

  /// Numbers of linux/input-event-codes.h.
  enum Code {
    static let key = 1, abs = 3, msc = 4
    static let synReport: UInt16 = 0, synDropped: UInt16 = 3
    static let mscTimestamp: UInt16 = 5
    static let x: UInt16 = 0, y: UInt16 = 1, z: UInt16 = 2
    static let rx: UInt16 = 3, ry: UInt16 = 4, rz: UInt16 = 5
    static let accelerometerProperty = 6
  }

  /// Reads the folder of an input device (the parent of its `eventN`).
  init(_ folder: SysfsDirectory) throws(SensorError) {
    events = try Self.bits("capabilities/ev", of: folder)
    axes = try Self.bits("capabilities/abs", of: folder)
    properties = try Self.bits("properties", of: folder)
  }

  /// Whether the device declares itself an accelerometer (INPUT_PROP_ACCELEROMETER).
  var saysAccelerometer: Bool { properties.contains(Code.accelerometerProperty) }

  /// Three axes and no keys, which udev treats as an accelerometer without a declaration.
  var looksLikeAccelerometer: Bool { !hasKeys && hasAxes([Code.x, Code.y, Code.z]) }

  var hasKeys: Bool { events.contains(Code.key) }

  func hasAxes(_ codes: [UInt16]) -> Bool { codes.allSatisfy { axes.contains(Int($0)) } }

  private static func bits(_ name: String, of folder: SysfsDirectory) throws(SensorError) -> Set<Int> {
    guard let text = try folder.textIfPresent(name) else { return [] }
    guard let bits = bits(parsing: text) else {
      throw .nonsense(path: folder.path(of: name), text: text, expected: "a bitmap in hexadecimal words")
    }
    return bits
  }

  /// The kernel writes a bitmap as hexadecimal words of a `long`, the highest first, without leading zeros.
  static func bits(parsing text: String) -> Set<Int>? {
    var bits: Set<Int> = []
    for (place, word) in text.split(separator: " ").reversed().enumerated() {
      guard let number = UInt(word, radix: 16), place < 64, word.first != "+" else { return nil }
      for bit in 0..<UInt.bitWidth where number >> bit & 1 == 1 { bits.insert(place * UInt.bitWidth + bit) }
    }
    return bits
  }
}
