import Pedometry
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
      "name": "bma400", "in_steps_input": "5000", "in_steps_en": "0", "in_activity_still_input": "0",
      "in_activity_walking_input": "100", "in_distance_input": "12.5",
    ] { try machine.write(text + "\n", to: "\(folder)/\(name)") }
  }

  private func counter() throws -> IIOStepCounter {
    try IIOStepCounter(IIODevice("device0", in: machine.environment), in: machine.environment)
  }

  @Test("the counter is enabled, followed from its first number on, and disabled again")
  func follows() async throws {
    let counter = try counter()
    #expect(counter.pedometerAvailable && !counter.permissionDeclined)
    do {
      let readings = counter.readings().makeAsyncIterator()
      let first = try #require(try await readings.next())
      #expect(first.steps == 0 && first.register == 5000 && first.activity == .walking && first.distance == 0)
      #expect(machine.text(folder + "/in_steps_en") == "1")
      try machine.write("5037\n", to: folder + "/in_steps_input")
      try machine.write("40\n", to: folder + "/in_distance_input")
      let second = try #require(try await readings.next())
      #expect(second.steps == 37 && second.newSteps == 37 && second.distance == 27.5)
      try machine.remove(folder + "/in_steps_input")
      await #expect(throws: SensorError.removed(path: "\(machine.root)/\(folder)")) { try await readings.next() }
    }
    #expect(machine.text(folder + "/in_steps_en") == "0")
    #expect(!counter.pedometerAvailable && !counter.permissionDeclined)
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

  @Test("the founding protocol reports the start, increased totals and the loss")
  func protocolUpdates() async throws {
    let counter = try counter()
    let (news, tell) = AsyncStream.makeStream(of: String.self)
    counter.start(
      dataUpdates: { data, error in tell.yield(data.map { "\($0.steps) steps" } ?? "lost: \(error is SensorError)") },
      eventUpdates: { error in tell.yield(error == nil ? "running" : "refused") })
    var iterator = news.makeAsyncIterator()
    #expect(await iterator.next() == "running")
    try machine.write("5010\n", to: folder + "/in_steps_input")
    #expect(await iterator.next() == "10 steps")
    try machine.remove(folder + "/in_steps_input")
    #expect(await iterator.next() == "lost: true")
    counter.start(dataUpdates: { _, _ in }, eventUpdates: { error in tell.yield(error == nil ? "running" : "refused") })
    #expect(await iterator.next() == "refused")
    counter.pause()
  }

  @Test("a pause restores the chip, and later steps are not reported")
  func pause() async throws {
    let counter = try counter()
    let (news, tell) = AsyncStream.makeStream(of: String.self)
    counter.start(
      dataUpdates: { data, _ in tell.yield(data.map { "\($0.steps) steps" } ?? "lost") },
      eventUpdates: { error in tell.yield(error == nil ? "running" : "refused") })
    var iterator = news.makeAsyncIterator()
    #expect(await iterator.next() == "running")
    let watch = try FolderWatch("\(machine.root)/\(folder)")
    counter.pause()
    try machine.write("5010\n", to: folder + "/in_steps_input")
    while machine.text(folder + "/in_steps_en") != "0" { try await watch.bytes() }
    tell.finish()
    #expect(await iterator.next() == nil)
  }

  @Test("an accelerometer is not a step counter")
  func accelerometer() throws {
    try machine.addAccelerometer("device1")
    #expect(throws: SensorError.self) {
      try IIOStepCounter(IIODevice("device1", in: machine.environment), in: machine.environment)
    }
  }
}
