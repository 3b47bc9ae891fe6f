import Accelerometry
import IIOScans
import Testing

@testable import LinuxSensors

@Suite("Buffers", .timeLimit(.minutes(30)))
struct IIOBufferTests {
  private let machine: FakeMachine
  private let folder = FakeMachine.folder()

  init() throws {
    machine = try FakeMachine()
    try machine.addAccelerometer()
  }

  private func start(_ options: SensorOptions = SensorOptions()) throws -> (IIOBufferSetup, ScanLayout) {
    let device = try IIODevice("device0", in: machine.environment)
    let folders = try #require(IIOBufferFolders.find(channel: "in_accel_x", in: device.folder))
    var configurator = IIOBufferConfigurator(
      device: device, folders: folders, options: options, machine: machine.environment)
    let (setup, elements) = try configurator.start()
    return (setup, ScanLayout(elements))
  }

  @Test("a numbered buffer folder is preferred to the legacy pair")
  func folders() throws {
    let device = SysfsDirectory(path: "\(machine.root)/\(folder)")
    #expect(IIOBufferFolders.find(channel: "in_accel_x", in: device)?.control.path == device.path + "/buffer")
    for file in ["enable", "in_accel_x_en"] { try machine.write("0\n", to: "\(folder)/buffer1/\(file)") }
    #expect(IIOBufferFolders.find(channel: "in_accel_x", in: device)?.index == 1)
    #expect(IIOBufferFolders.find(channel: "in_magn_x", in: device) == nil)
  }

  @Test("unneeded channels are disabled")
  func channels() throws {
    for (suffix, text) in [("en", "1"), ("index", "4"), ("type", "le:s8/8>>0")] {
      try machine.write(text + "\n", to: "\(folder)/scan_elements/in_temp_\(suffix)")
    }
    let (_, layout) = try start()
    #expect(layout.fields.map(\.name) == ["in_accel_x", "in_accel_y", "in_accel_z", "in_timestamp"])
    #expect(machine.text("\(folder)/scan_elements/in_temp_en") == "0")
  }

  @Test("a rate between 20 and 200 Hz is kept; any other is set to the lowest of at least 50 Hz")
  func frequency() throws {
    #expect(try start().0.samplingFrequency?.hertz == 50)
    try machine.write("12.5\n", to: folder + "/in_accel_sampling_frequency")
    try machine.write("12.5 25 62.5 125\n", to: folder + "/in_accel_sampling_frequency_available")
    #expect(try start().0.samplingFrequency?.hertz == 62.5)
    #expect(
      try start(SensorOptions(samplingFrequency: SamplingFrequency(hertz: 100))).0.samplingFrequency?.hertz == 125)
  }

  @Test("an absurd rate does not allocate excessive memory")
  func memory() throws {
    try machine.write("1000000\n", to: folder + "/in_accel_sampling_frequency")
    try machine.write("[1000000 1 1000000]\n", to: folder + "/in_accel_sampling_frequency_available")
    let (setup, _) = try start(SensorOptions(use: .thrifty))
    #expect(setup.length == 8192)
    #expect(setup.watermark == 4096)
  }

  @Test("two channels with the same index are invalid")
  func twins() throws {
    try machine.write("0\n", to: folder + "/scan_elements/in_accel_y_index")
    #expect(throws: SensorError.self) { try start() }
  }
}
