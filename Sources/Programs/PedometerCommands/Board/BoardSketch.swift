/// A program for a board that prints or sends samples in the best-supported format: a file of `Sketches`.
struct BoardSketch {
  /// The name on the command line.
  var name: String
  var summary: String
  var text: String

  static let all = [
    arduino(
      "mpu6050", chip: "MPU6050 (also MPU6500, MPU9250)", address: "0x68", addressNote: "0x69 where AD0 is high",
      registers: [
        ("0x6B", "0x00", "wake up"), ("0x1C", "0x10", "range 8 g"), ("0x1A", "0x04", "low-pass filter, 21 Hz"),
      ],
      data: "0x3B", highFirst: true, countsPerG: "4096.0"),
    arduino(
      "lsm6ds", chip: "LSM6DS3, LSM6DSO, LSM6DSL", address: "0x6A", addressNote: "0x6B where SA0 is high",
      registers: [("0x10", "0x4C", "104 Hz, range 8 g"), ("0x12", "0x44", "whole samples, addresses count up")],
      data: "0x28", highFirst: false, countsPerG: "4098.36"),
    arduino(
      "adxl345", chip: "ADXL345", address: "0x53", addressNote: "0x1D where SDO is high",
      registers: [
        ("0x2C", "0x0A", "100 Hz"), ("0x31", "0x0A", "range 8 g, full resolution"), ("0x2D", "0x08", "measure"),
      ],
      data: "0x32", highFirst: false, countsPerG: "256.0"),
    BoardSketch(
      "micropython-mpu6050", "MicroPython on an ESP32, Pico and others; MPU6050 (also MPU6500, MPU9250) on I2C",
      PackageResources.micropython_mpu6050_py),
    BoardSketch(
      "arduino-udp", "ESP32 or Pico W with the Arduino core, over Wi-Fi; MPU6050 (also MPU6500, MPU9250)",
      PackageResources.arduino_udp_ino),
    BoardSketch(
      "micropython-udp", "MicroPython on an ESP32 or Pico W, over Wi-Fi; MPU6050 (also MPU6500, MPU9250) on I2C",
      PackageResources.micropython_udp_py),
    BoardSketch(
      "esphome-udp", "ESPHome on an ESP32, over Wi-Fi; MPU6050 on I2C, up to 2 g: not for a foot",
      PackageResources.esphome_udp_yaml),
  ]

  /// The sketch with this name, or the first for this chip: `MPU6500`.
  static func named(_ name: String) -> BoardSketch? {
    let name = name.lowercased()
    return all.first { $0.name == name }
      ?? all.first { $0.name.hasSuffix("-" + name) || $0.name.hasPrefix(name + "-") }
      ?? all.first { sketch in
        let words = sketch.summary.lowercased().split { !$0.isLetter && !$0.isNumber }
        return name.contains(where: \.isNumber) && words.contains(name[...])
      }
  }

  private init(_ name: String, _ summary: String, _ text: [UInt8]) {
    (self.name, self.summary, self.text) = (name, summary, String(decoding: text, as: UTF8.self))
  }

  /// A sketch that prints the samples of a chip on I2C.
  private static func arduino(
    _ name: String, chip: String, address: String, addressNote: String,
    registers: [(register: String, value: String, meaning: String)], data: String, highFirst: Bool, countsPerG: String
  ) -> BoardSketch {
    var sketch = BoardSketch(
      "arduino-\(name)", "Arduino, ESP32 and others with the Arduino core; \(chip) on I2C",
      PackageResources.arduino_template_ino)
    let settings = registers.map { "  send(\($0.register), \($0.value));  // \($0.meaning)" }.joined(separator: "\n")
    let (first, second) = highFirst ? ("high", "low") : ("low", "high")
    for (place, text) in [
      ("name", name), ("chip", chip), ("address", address), ("note", addressNote), ("settings", settings),
      ("data", data), ("first", first), ("second", second), ("countsPerG", countsPerG),
    ] {
      sketch.text.replace("{\(place)}", with: text)
    }
    return sketch
  }
}
