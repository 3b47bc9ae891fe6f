import TestSupport
import Testing

@testable import LinuxSensors

@Suite("Chips that count steps", .timeLimit(.minutes(30)))
struct IIOStepCounterTests {
  private let machine: FakeMachine
  private let folder = FakeMachine.folder()

  init() throws {
    machine = try FakeMachine()
    for (name, text) in [
      "name": "bma400", "in_steps_input": "5000", "in_steps_en": "0", "in_distance_input": "12.5",
    ] { try machine.write(text + "\n", to: "\(folder)/\(name)") }
  }

  private func counter() throws -> IIOStepCounter {
    try IIOStepCounter(IIODevice("device0", in: machine.environment))
  }

  @Test("the counter is enabled, followed from its first number on, and disabled again")
  func follows() async throws {
    let counter = try counter()
    do {
      let readings = counter.readings().makeAsyncIterator()
      let first = try #require(try await readings.next())
      #expect(first.steps == 0 && first.distance == 0)
      #expect(machine.text(folder + "/in_steps_en") == "1")
      try machine.write("5037\n", to: folder + "/in_steps_input")
      try machine.write("40\n", to: folder + "/in_distance_input")
      let second = try #require(try await readings.next())
      #expect(second.steps == 37 && second.newSteps == 37 && second.distance == 27.5)
      try machine.remove(folder + "/in_steps_input")
      await #expect(throws: SensorError.removed(path: "\(machine.root)/\(folder)")) { try await readings.next() }
    }
    #expect(machine.text(folder + "/in_steps_en") == "0")
  }

  @Test("a register without a number is refused with its path", arguments: ["", "many", "-5", "1.5", "1e30"])
  func nonsense(_ text: String) async throws {
    try machine.write(text, to: folder + "/in_steps_input")
    let readings = try counter().readings().makeAsyncIterator()
    await #expect {
      try await readings.next()
    } throws: { error in
      guard let error = error as? SensorError, error.code == .nonsense else { return false }
      return error.path.hasSuffix("in_steps_input")
    }
  }

  @Test("an accelerometer is not a step counter")
  func accelerometer() throws {
    try machine.addAccelerometer("device1")
    #expect(throws: SensorError.self) {
      try IIOStepCounter(IIODevice("device1", in: machine.environment))
    }
  }
}
