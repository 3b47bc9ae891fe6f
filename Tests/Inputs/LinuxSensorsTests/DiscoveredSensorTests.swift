import Accelerometry
import Glibc
import SourceNames
import Testing

@testable import LinuxSensors

/// A sensor as returned by discovery.
func sensor(
  _ uri: SourceURI, kind: DiscoveredSensor.Kind = .accelerometer, serial: String = "A1", rate: Double? = 50,
  isExternal: Bool = false, usability: DiscoveredSensor.Usability = .usable
) -> DiscoveredSensor {
  DiscoveredSensor(
    uri: uri, name: "\(uri)", kind: kind,
    identity: SensorIdentity(bus: "usb", vendor: "1209", product: "7e57", serial: serial, part: kind.rawValue),
    samplingFrequency: rate.flatMap { SamplingFrequency(hertz: $0) }, folder: SysfsDirectory(path: "/sys/\(uri)"),
    parents: [], isExternal: isExternal, usability: usability, remarks: [])
}

private let denied = SensorError.permissionDenied(path: "/dev/input/event5", errno: EACCES, remedy: "ask")
private let polled = DiscoveredSensor.Usability.pollingOnly(because: "no trigger", remedy: "load one")

@Suite("The best sensor", .timeLimit(.minutes(30)))
struct DiscoveredSensorTests {
  @Test("plugged-in sensors are preferred to built-in ones")
  func external() {
    let sensors = [sensor(.iio("device0")), sensor(.evdev(path: "/dev/input/event5"), rate: nil, isExternal: true)]
    #expect(DiscoveredSensor.best(among: sensors, for: .lively)?.uri == .evdev(path: "/dev/input/event5"))
  }

  @Test("sensors that must be polled come last, and unusable ones are excluded")
  func usability() {
    let sensors = [
      sensor(.iio("device0"), isExternal: true, usability: polled),
      sensor(.iio("device1"), isExternal: true, usability: .unusable(denied)), sensor(.iio("device2")),
    ]
    #expect(DiscoveredSensor.best(among: sensors, for: .lively)?.uri == .iio("device2"))
    #expect(DiscoveredSensor.best(among: Array(sensors.prefix(2)), for: .lively)?.uri == .iio("device0"))
    #expect(DiscoveredSensor.best(among: [sensors[1]], for: .lively) == nil)
  }

  @Test("a step counter is best for all-day use, an accelerometer for live display")
  func use() {
    let sensors = [sensor(.counter("device0"), kind: .stepCounter, rate: nil), sensor(.iio("device0"))]
    #expect(DiscoveredSensor.best(among: sensors, for: .thrifty)?.kind == .stepCounter)
    #expect(DiscoveredSensor.best(among: sensors, for: .lively)?.kind == .accelerometer)
  }

  @Test("of equal sensors the one with the lower number is used, 9 before 10")
  func number() {
    let sensors = [sensor(.iio("device10")), sensor(.iio("device9"))]
    #expect(DiscoveredSensor.best(among: sensors, for: .lively)?.uri == .iio("device9"))
  }

  @Test("a sensor whose buffer is in use is occupied if its values cannot be polled")
  func occupied() throws {
    let machine = try FakeMachine()
    try machine.addAccelerometer("device0")
    var held = sensor(.iio("device0"))
    held.folder = machine.environment.iioDevices["iio:device0"]
    held.node = "/dev/iio:device0"
    try machine.write("1", to: FakeMachine.folder("device0") + "/buffer/enable")
    #expect(held.occupation == nil)
    for axis in ["x", "y", "z"] { try machine.remove(FakeMachine.folder("device0") + "/in_accel_\(axis)_raw") }
    #expect(held.occupation == .busy(path: "/dev/iio:device0", holders: []))
    try machine.write("0", to: FakeMachine.folder("device0") + "/buffer/enable")
    #expect(held.occupation == nil)
  }

  @Test("a sensor whose buffer is in use is only chosen if no other is free")
  func inUse() throws {
    let machine = try FakeMachine()
    try machine.addAccelerometer("device0")
    try machine.write("1", to: FakeMachine.folder("device0") + "/buffer/enable")
    var held = sensor(.iio("device0"), isExternal: true)
    held.folder = machine.environment.iioDevices["iio:device0"]
    let free = sensor(.evdev(path: "/dev/input/event5"), rate: nil)
    #expect(held.isBufferInUse)
    #expect(DiscoveredSensor.best(among: [held, free], for: .lively)?.uri == free.uri)
    #expect(DiscoveredSensor.best(among: [held], for: .lively)?.uri == held.uri)
  }
}
