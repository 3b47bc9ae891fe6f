import Accelerometry
import Platform
import Testing

@testable import LinuxSensors

@Suite("Devices with invalid values", .timeLimit(.minutes(30)))
struct IIOFuzzTests {
  private static let files = [
    "name", "label", "in_accel_scale", "in_accel_x_scale", "in_accel_offset", "in_accel_sampling_frequency",
    "sampling_frequency_available", "mount_matrix", "current_timestamp_clock", "in_accel_x_raw", "buffer/enable",
    "buffer/length", "buffer/watermark", "buffer/hwfifo_watermark_max", "scan_elements/in_accel_x_type",
    "scan_elements/in_accel_y_index", "scan_elements/in_accel_z_en", "scan_elements/in_timestamp_type",
    "trigger/current_trigger",
  ]

  private static func noise(_ random: inout SplitMix64) -> [UInt8] {
    let alphabet = Array("le:sbu0123456789/>X-+. naif,;[]\t\n".utf8)
    return (0..<Int.random(in: 0...30, using: &random)).map { _ in
      Int.random(in: 0...9, using: &random) == 0
        ? UInt8.random(in: 0...255, using: &random) : alphabet.randomElement(using: &random)!
    }
  }

  @Test("a generated tree is read, refused with a reason, or set up and restored; nothing traps", arguments: 0..<8)
  func trees(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var refused = 0
    var started = 0
    for _ in 0..<40 {
      let machine = try FakeMachine()
      try machine.addAccelerometer()
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let file = Self.files.randomElement(using: &random)!
        try machine.write(Self.noise(&random), to: "\(FakeMachine.folder())/\(file)")
      }
      do {
        let device = try IIODevice("device0", in: machine.environment)
        let folders = try #require(IIOBufferFolders.find(channel: "in_accel_x", in: device.folder))
        var configurator = IIOBufferConfigurator(
          device: device, folders: folders, options: SensorOptions(), machine: machine.environment)
        defer { configurator.restore() }
        let (setup, elements) = try configurator.start()
        #expect(setup.length > 0 && setup.watermark > 0)
        #expect(!elements.isEmpty)
        started += 1
      } catch let error as SensorError {
        #expect(!error.reason.isEmpty && !error.remedy.isEmpty)
        refused += 1
      }
    }
    #expect(refused > 0 && started > 0)
  }

  @Test("polling an invalid number is refused with the path", arguments: ["", "x", "1 2", "nan", "\u{0}"])
  func values(_ text: String) async throws {
    let machine = try FakeMachine()
    try machine.addAccelerometer()
    try machine.write(text, to: FakeMachine.folder() + "/in_accel_y_raw")
    let source = try IIOAccelerometer(IIODevice("device0", in: machine.environment), in: machine.environment)
    let batches = source.batches().makeAsyncIterator()
    await #expect {
      try await batches.next()
    } throws: { error in
      guard let error = error as? SensorError, error.code == .nonsense else { return false }
      return error.path.hasSuffix("in_accel_y_raw")
    }
  }
}
