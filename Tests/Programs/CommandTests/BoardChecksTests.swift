import Presentation
import SourceNames
import TestSupport
import Testing

@testable import LinuxSensors
@testable import PedometerCommands

@Suite("What doctor says of boards", .timeLimit(.minutes(30)))
struct BoardChecksTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The checks of a computer on which these programs run.
  private func checks(
    running programs: [String] = [], boards: [DiscoveredSensor] = [], withoutPort: [String] = []
  ) throws -> [HealthCheck] {
    for (index, program) in programs.enumerated() {
      try folder.makeFolder("proc/\(index + 100)")
      try folder.write(Array("\(program)\n".utf8), to: "proc/\(index + 100)/comm")
    }
    let names = ["serial ports", "brltty", "ModemManager"]
    return MachineChecks(
      machine: SensorEnvironment(root: folder.path), sensors: [], boards: boards, boardsWithoutPort: withoutPort
    ).all.filter { names.contains($0.name) }
  }

  private static func board(product: String, isDenied: Bool = false) -> DiscoveredSensor {
    DiscoveredSensor(
      uri: .serial(SerialAddress(path: "/dev/ttyUSB0")), name: "a board", kind: .board,
      identity: SensorIdentity(bus: "usb", vendor: "1a86", product: product, part: "serial"), node: "/dev/ttyUSB0",
      folder: SysfsDirectory(path: "/sys/class/tty/ttyUSB0"), parents: [], isExternal: true,
      usability: isDenied
        ? .unusable(.permissionDenied(path: "/dev/ttyUSB0", errno: 13, remedy: SerialPort.permissionRemedy)) : .usable,
      remarks: [])
  }

  @Test(
    "a sketch is found by its chip, too",
    arguments: [
      ("mpu6050", "arduino-mpu6050"), ("MPU9250", "arduino-mpu6050"), ("LSM6DSO", "arduino-lsm6ds"),
      ("adxl345", "arduino-adxl345"), ("micropython-mpu6050", "micropython-mpu6050"),
      ("micropython", "micropython-mpu6050"), ("esphome", "esphome-udp"), ("micropython-udp", "micropython-udp"),
      ("udp", "arduino-udp"), ("bme280", nil), ("", nil),
    ])
  func sketches(name: String, expected: String?) { #expect(BoardSketch.named(name)?.name == expected) }

  @Test("nothing where there is no board, whatever runs")
  func none() throws {
    #expect(try checks(running: ["ModemManager", "brltty"]).isEmpty)
  }

  @Test("a board that may be read is no trouble")
  func fine() throws {
    let found = try checks(running: ["systemd"], boards: [Self.board(product: "7523")])
    #expect(found.map(\.result) == [.ok] && found[0].finding.contains("have access"))
  }

  @Test("one that may not be read names the group and the rule")
  func dialout() throws {
    let found = try checks(boards: [Self.board(product: "7523", isDenied: true)])
    #expect(found.count == 1 && found[0].result == .warning && found[0].finding.contains("/dev/ttyUSB0"))
    #expect(found[0].remedy?.contains("dialout") == true && found[0].remedy?.contains("72-pedometer.rules") == true)
  }

  @Test("brltty is named if it has taken a board, and if it may; not of another board")
  func braille() throws {
    let taken = try checks(running: ["brltty"], withoutPort: ["CH340 (1a86:7523)"])
    #expect(
      taken.count == 1 && taken[0].finding.contains("CH340")
        && taken[0].finding.contains("uses it as a Braille display"))
    #expect(taken[0].remedy?.contains("brltty-udev.service") == true)
    let may = try checks(running: ["brltty"], boards: [Self.board(product: "7523")]).filter { $0.name == "brltty" }
    #expect(may.count == 1 && may[0].finding.contains("may use"))
    #expect(try checks(running: ["brltty"], boards: [Self.board(product: "0043")]).allSatisfy { $0.name != "brltty" })
  }

  @Test("a board without a port is named without brltty, too, with the driver that may be missing")
  func driver() throws {
    let found = try checks(withoutPort: ["CP210x (10c4:ea60)"])
    #expect(found.count == 1 && found[0].finding.contains("has no serial port"))
    #expect(!found[0].finding.contains("brltty uses") && found[0].remedy?.contains("modprobe") == true)
  }

  @Test("ModemManager is named with the udev property that keeps it away")
  func modemManager() throws {
    let found = try checks(running: ["ModemManager"], boards: [Self.board(product: "7523")])
    let check = try #require(found.first { $0.name == "ModemManager" })
    #expect(check.result == .warning && check.remedy?.contains("ID_MM_DEVICE_IGNORE") == true)
  }
}
