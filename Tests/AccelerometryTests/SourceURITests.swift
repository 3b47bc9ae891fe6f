import Accelerometry
import Testing

@Suite("The name of a source", .timeLimit(.minutes(10)))
struct SourceURITests {
  @Test(
    "is parsed by its scheme; everything else is a path",
    arguments: [
      ("-", SourceURI.standardInput), ("iio:device0", .iio("device0")), ("iio:iio:device0", .iio("device0")),
      ("evdev:/dev/input/event5", .evdev(path: "/dev/input/event5")), ("counter:device1", .counter("device1")),
      ("walk.csv", .file(path: "walk.csv")), ("file:walk.csv", .file(path: "walk.csv")),
      ("10:30.csv", .file(path: "10:30.csv")), ("C:dump.csv", .file(path: "C:dump.csv")),
      ("synthetic:", .synthetic([])),
      (
        "synthetic:cadence=110,duration=60",
        .synthetic([.init(key: "cadence", value: "110"), .init(key: "duration", value: "60")])
      ),
    ])
  func reads(text: String, expected: SourceURI) throws {
    #expect(try SourceURI(parsing: text) == expected)
  }

  @Test(
    "is refused with the reason if it is invalid",
    arguments: [
      ("", SourceURI.ParsingError.empty), ("iio:", .missingName(scheme: "iio")),
      ("file:", .missingName(scheme: "file")), ("synthetic:cadence", .settingWithoutValue("cadence")),
      ("ble:", .invalidBluetoothAddress("")), ("ble:00:11:22", .invalidBluetoothAddress("00:11:22")),
      ("ble:C0:FF:EE:00:11:2G", .invalidBluetoothAddress("C0:FF:EE:00:11:2G")),
      ("ble:C0:FF:EE:00:11:22,steps", .invalidBluetoothAddress("C0:FF:EE:00:11:22,steps")),
      ("ble:C0:FF:EE:00:11:22,motion,strides", .invalidBluetoothAddress("C0:FF:EE:00:11:22,motion,strides")),
    ])
  func refuses(text: String, reason: SourceURI.ParsingError) {
    #expect(throws: reason) { try SourceURI(parsing: text) }
  }

  @Test(
    "parses its own description",
    arguments: [
      "-", "iio:device0", "evdev:/dev/input/event5", "counter:device0", "a b.csv", "file:iio:device0",
      "synthetic:seed=1", "ble:C0:FF:EE:00:11:22", "ble:C0:FF:EE:00:11:22,motion", "ble:C0:FF:EE:00:11:22,strides",
    ])
  func roundTrip(text: String) throws {
    #expect(try SourceURI(parsing: text).description == text)
  }

  @Test("is a Bluetooth address in upper case, however it was written")
  func bluetoothAddress() throws {
    let address = try BluetoothAddress(parsing: "c0:ff:ee:00:11:22,motion")
    #expect(address.device == "C0:FF:EE:00:11:22" && address.wantsMotion && !address.countsStrides)
    #expect(try SourceURI(parsing: "ble:c0:ff:ee:00:11:22,motion") == .bluetooth(address))
  }

  @Test("states in each refusal what to write instead")
  func remedies() {
    #expect("\(SourceURI.ParsingError.invalidBluetoothAddress("watch"))".contains("ble:C0:FF:EE:00:11:22"))
    #expect("\(SourceURI.ParsingError.missingName(scheme: "evdev"))".contains("evdev:/dev/input/event5"))
    #expect("\(SourceURI.ParsingError.settingWithoutValue("seed"))".contains("key=value"))
  }
}
