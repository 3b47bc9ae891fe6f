import Accelerometry
import Glibc
import Testing

@testable import LinuxSensors

@Suite("Triggers", .timeLimit(.minutes(30)))
struct IIOTriggerTests {
  private let machine: FakeMachine
  private let folder = FakeMachine.folder()

  init() throws {
    machine = try FakeMachine()
    try machine.addAccelerometer()
    try machine.write("\n", to: folder + "/trigger/current_trigger")
  }

  private func start() throws -> (IIOBufferSetup, IIOBufferConfigurator) {
    let device = try IIODevice("device0", in: machine.environment)
    let folders = try #require(IIOBufferFolders.find(channel: "in_accel_x", in: device.folder))
    var configurator = IIOBufferConfigurator(
      device: device, folders: folders, options: SensorOptions(), machine: machine.environment)
    let (setup, _) = try configurator.start()
    return (setup, configurator)
  }

  @Test("a selected trigger is kept")
  func present() throws {
    try machine.write("mine\n", to: folder + "/trigger/current_trigger")
    var (setup, configurator) = try start()
    #expect(setup.trigger == "mine")
    configurator.restore()
    #expect(machine.text(folder + "/trigger/current_trigger") == "mine")
  }

  @Test("a buffer that works without a trigger gets none")
  func fifo() throws {
    try machine.write("16\n", to: folder + "/buffer/hwfifo_watermark_max")
    let (setup, _) = try start()
    #expect(setup.trigger == "none needed")
    #expect(machine.text(folder + "/buffer/enable") == "1")
  }

  @Test("a chip's FIFO limits the watermark")
  func watermark() throws {
    try machine.write("1\n", to: folder + "/buffer/hwfifo_watermark_max")
    let (setup, _) = try start()
    #expect(setup.watermark == 1)
  }

  @Test("the device's own trigger is recognised by the common chip")
  func own() throws {
    try machine.write("other-dev1\n", to: "sys/devices/chip1/trigger1/name")
    try machine.write("accel_3d-dev0\n", to: "sys/devices/chip0/trigger0/name")
    for (link, target) in [("trigger0", "chip0/trigger0"), ("trigger1", "chip1/trigger1")] {
      _ = unsafe symlink("../../../devices/\(target)", "\(machine.environment.sys)/bus/iio/devices/\(link)")
    }
    _ = unsafe rename(
      "\(machine.root)/\(folder)", "\(machine.root)/sys/devices/chip0/iio:device0")
    _ = unsafe symlink("../../../devices/chip0/iio:device0", "\(machine.root)/\(folder)")
    let device = try IIODevice("device0", in: machine.environment)
    let chooser = IIOTriggerChooser(device: device, control: device.folder["buffer"], machine: machine.environment)
    #expect(chooser.ownTriggerName == "accel_3d-dev0")
    #expect(try !chooser.needsTimer())
  }

  @Test("without any trigger, and without the timer's module, the remedy names the module")
  func none() throws {
    let device = try IIODevice("device0", in: machine.environment)
    let chooser = IIOTriggerChooser(device: device, control: device.folder["buffer"], machine: machine.environment)
    let obstacle = try #require(try chooser.obstacle())
    #expect(obstacle.kind == .unavailable)
    #expect(obstacle.remedy.contains("iio-trig-hrtimer"))
    try machine.makeFolder("config/iio/triggers/hrtimer")
    #expect(try chooser.obstacle() == nil)
  }

  @Test("timers of dead programs are removed")
  func leftovers() throws {
    // Process 1 exists; no process has the ID after the largest one.
    let dead = "config/iio/triggers/hrtimer/pedometer-device0-\(Int32.max)"
    for name in [dead, "config/iio/triggers/hrtimer/pedometer-device9-1", "config/iio/triggers/hrtimer/somebody"] {
      try machine.makeFolder(name)
    }
    let device = try IIODevice("device0", in: machine.environment)
    var journal = AttributeJournal()
    let chooser = IIOTriggerChooser(device: device, control: device.folder["buffer"], machine: machine.environment)
    #expect(try chooser.makeTimer(atFrequency: 50, journal: &journal) == nil)
    journal.restore()
    #expect(machine.environment.hrtimerTriggers.names == ["pedometer-device9-1", "somebody"])
  }

  @Test("a timer is created with the rate, used, and removed afterwards")
  func timer() throws {
    let name = "pedometer-device0-\(getpid())"
    try machine.makeFolder("config/iio/triggers/hrtimer")
    // The kernel would create the trigger's folder together with the timer's.
    try machine.write(name + "\n", to: "sys/bus/iio/devices/trigger5/name")
    try machine.write("100\n", to: "sys/bus/iio/devices/trigger5/sampling_frequency")
    let device = try IIODevice("device0", in: machine.environment)
    var journal = AttributeJournal()
    let chooser = IIOTriggerChooser(device: device, control: device.folder["buffer"], machine: machine.environment)
    #expect(try chooser.makeTimer(atFrequency: 50, journal: &journal) == name)
    #expect(machine.environment.hrtimerTriggers.names == [name])
    #expect(machine.text("sys/bus/iio/devices/trigger5/sampling_frequency") == "50")
    journal.restore()
    #expect(machine.environment.hrtimerTriggers.names.isEmpty)
  }
}
