import Accelerometry
import IIOScans
import LinuxSensors
import Testing

@Suite("IIO devices in sysfs", .timeLimit(.minutes(30)))
struct IIODeviceTests {
  private let machine: FakeMachine
  private let folder = FakeMachine.folder()

  init() throws {
    machine = try FakeMachine()
    try machine.addAccelerometer()
  }

  private func device(udevMatrix: String? = nil) throws -> IIODevice {
    try IIODevice("device0", udevMatrix: udevMatrix, in: machine.environment)
  }

  @Test("a shared scale and offset apply to all axes")
  func shared() throws {
    let device = try device()
    #expect(device.name == "accel_3d")
    #expect(device.accelerometer?.all.map(\.scale) == [0.00980665, 0.00980665, 0.00980665])
    #expect(device.accelerometer?.x.acceleration(of: 1000) == 1)
    #expect(device.samplingFrequency == SamplingFrequency(hertz: 50))
    #expect(device.remarks.isEmpty)
  }

  @Test("the scan description contains the enabled channels")
  func scans() throws {
    let off = try device().scanDescription()
    #expect(off.candidates.map(\.layout.size) == [24, 20, 12])
    #expect(off.candidates[1].isPacked && !off.candidates[2].layout.fields.map(\.name).contains("in_timestamp"))
    for name in ["in_accel_x", "in_accel_y", "in_accel_z"] {
      try machine.write("1\n", to: folder + "/scan_elements/\(name)_en")
    }
    let on = try device().scanDescription()
    #expect(on.candidates.map(\.layout.size) == [12])
    #expect(on.samplingFrequency?.hertz == 50 && on.clockName == "realtime")
  }

  @Test("the scale and offset of an axis override the shared ones")
  func perAxis() throws {
    try machine.write("0.5\n", to: folder + "/in_accel_y_scale")
    try machine.write("-7\n", to: folder + "/in_accel_z_offset")
    let channels = try #require(try device().accelerometer)
    #expect(channels.all.map(\.scale) == [0.00980665, 0.5, 0.00980665])
    #expect(channels.all.map(\.offset) == [0, 0, -7])
  }

  @Test(
    "a scale of all channels, or the only available one, is the scale of the axes, and so is an offset",
    arguments: ["in_scale", "scale", "in_accel_scale_available", "in_scale_available", "scale_available"])
  func sharedByMore(_ name: String) throws {
    try machine.remove(folder + "/in_accel_scale")
    try machine.remove(folder + "/in_accel_offset")
    try machine.write("0.5\n", to: "\(folder)/\(name)")
    try machine.write("-7\n", to: folder + "/in_offset")
    let channels = try #require(try device().accelerometer)
    #expect(channels.all.map(\.scale) == [0.5, 0.5, 0.5] && channels.all.map(\.offset) == [-7, -7, -7])
  }

  @Test("raw values without a scale, or with one of several, have no unit and are refused", arguments: ["", "0.5 1"])
  func unscaled(available: String) throws {
    try machine.remove(folder + "/in_accel_scale")
    if !available.isEmpty { try machine.write(available + "\n", to: folder + "/in_accel_scale_available") }
    #expect {
      try device()
    } throws: { error in
      guard let error = error as? SensorError else { return false }
      return error.code == .unusable && error.reason.contains("states no scale")
    }
  }

  @Test("a value in metres per second squared needs no scale")
  func processed() throws {
    try machine.remove(folder + "/in_accel_scale")
    for axis in ["x", "y", "z"] {
      try machine.remove(folder + "/in_accel_\(axis)_raw")
      try machine.write("9.80665\n", to: folder + "/in_accel_\(axis)_input")
    }
    let x = try #require(try device().accelerometer?.x)
    #expect(x.valueAttribute == "in_accel_x_input")
    #expect(x.acceleration(of: 9.80665) == 1)
  }

  @Test("the rate is read in both spellings, and 0 means none")
  func frequency() throws {
    try machine.remove(folder + "/in_accel_sampling_frequency")
    try machine.write("100\n\0", to: folder + "/sampling_frequency")
    try machine.write("25 50 100\n", to: folder + "/sampling_frequency_available")
    let device = try device()
    #expect(device.frequencyAttribute == "sampling_frequency")
    #expect(device.samplingFrequency?.hertz == 100)
    #expect(device.availableFrequencies == .list([25, 50, 100]))
    try machine.write("0\n", to: folder + "/sampling_frequency")
    #expect(try self.device().samplingFrequency == nil)
  }

  @Test("udev's mount matrix overrides the driver's, wherever that is")
  func matrices() throws {
    #expect(try device().mountMatrix == .identity)
    for place in ["in_mount_matrix", "mount_matrix", "in_accel_mount_matrix"] {
      try machine.write("0, 1, 0; 1, 0, 0; 0, 0, -1\n", to: "\(folder)/\(place)")
      #expect(try device().mountMatrix.x == [0, 1, 0])
    }
    #expect(try device(udevMatrix: "-1,0,0;0,-1,0;0,0,1").mountMatrix.x == [-1, 0, 0])
  }

  @Test(
    "a matrix that is not a rotation is ignored with a remark",
    arguments: ["", "1,2", "0,0,0;0,0,0;0,0,0", "5,0,0;0,5,0;0,0,5"])
  func brokenMatrix(_ text: String) throws {
    try machine.write(text, to: folder + "/mount_matrix")
    let device = try device()
    #expect(device.mountMatrix == .identity)
    #expect(device.remarks.count == 1)
  }

  @Test("a label distinguishes two sensors of one board")
  func label() throws {
    try machine.write("accel-base\n", to: folder + "/label")
    #expect(try device().label == "accel-base")
  }

  @Test("without all three axes there is no accelerometer, but possibly a step counter")
  func axes() throws {
    for file in ["in_accel_z_raw", "scan_elements/in_accel_z_type"] { try machine.remove("\(folder)/\(file)") }
    try machine.write("12\n", to: folder + "/in_steps_input")
    let device = try device()
    #expect(device.accelerometer == nil)
    #expect(device.countsSteps)
    #expect(throws: SensorError.self) { try IIOAccelerometer(device, in: machine.environment) }
  }

  @Test("the error for a missing device contains its name", arguments: ["device7", "../../etc", ""])
  func missing(_ name: String) {
    #expect {
      try IIODevice(name, in: machine.environment)
    } throws: { error in
      (error as? SensorError)?.kind == .unavailable
    }
  }

  @Test(
    "invalid values are refused with the path and the text",
    arguments: [
      ("in_accel_scale", "banana"), ("in_accel_scale", "0"), ("in_accel_scale", "-0.0"), ("in_accel_scale", "nan"),
      ("in_accel_scale", "inf"), ("in_accel_scale", "1e400"), ("in_accel_scale", ""), ("in_accel_scale", "1 2"),
      ("in_accel_x_offset", "0,5"), ("in_accel_sampling_frequency", "fast"), ("in_accel_sampling_frequency", "-50"),
      ("in_accel_sampling_frequency", "1e30"), ("in_accel_sampling_frequency_available", "some"),
    ])
  func nonsense(_ name: String, _ text: String) throws {
    try machine.write(text + "\n", to: "\(folder)/\(name)")
    #expect {
      try device()
    } throws: { error in
      guard let error = error as? SensorError, error.code == .nonsense else { return false }
      return error.path.hasSuffix("/" + name)
    }
  }
}
