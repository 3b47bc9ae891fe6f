import Dispatch
import Testing

@testable import PedometerService
@testable import ServiceCore

/// A gate that blocks a lane's work until a test opens it.
private final class Door: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func pass() { semaphore.wait() }
  func open() { semaphore.signal() }
}

@Suite("Lanes of blocking work", .timeLimit(.minutes(30)))
struct WorkLaneTests {
  @Test("a lane returns what the work returns, and throws what it throws")
  func results() async throws {
    struct Failure: Error {}
    let lane = WorkLane("test")
    #expect(try await lane.run { 42 } == 42)
    await #expect(throws: Failure.self) { try await lane.run { throw Failure() } }
    #expect(try await lane.run { 43 } == 43)
  }

  @Test("the jobs of a client run in order")
  func order() async {
    let lane = WorkLane("test")
    let (numbers, told) = AsyncStream.makeStream(of: Int.self)
    for number in 0..<40 { #expect(lane.add("a") { told.yield(number) }) }
    #expect(lane.add("a") { told.finish() })
    var order: [Int] = []
    for await number in numbers { order.append(number) }
    #expect(order == Array(0..<40))
  }

  @Test("the number of concurrent jobs is the width of the lane")
  func width() async {
    let lane = WorkLane("test", width: 2)
    let door = Door()
    let (begun, told) = AsyncStream.makeStream(of: Int.self)
    for number in 0..<4 {
      #expect(
        lane.add("a") {
          told.yield(number)
          door.pass()
        })
    }
    var order = begun.makeAsyncIterator()
    #expect(await Set([order.next(), order.next()]) == [0, 1])
    #expect(lane.waiting == 2)
    door.open()
    #expect(await order.next() == 2)
    door.open()
    #expect(await order.next() == 3)
    for _ in 0..<2 { door.open() }
  }

  @Test("a client with one job does not wait for all jobs that another client has queued before")
  func turns() async {
    let lane = WorkLane("test")
    let door = Door()
    let (order, told) = AsyncStream.makeStream(of: String.self)
    #expect(lane.add("greedy") { door.pass() })
    for _ in 0..<5 { #expect(lane.add("greedy") { told.yield("greedy") }) }
    #expect(lane.add("modest") { told.yield("modest") })
    door.open()
    var names: [String] = []
    for await name in order {
      names.append(name)
      if names.count == 6 { break }
    }
    #expect(names == ["greedy", "modest", "greedy", "greedy", "greedy", "greedy"])
  }

  @Test("a lane refuses jobs beyond its limit, and continues with the others")
  func bound() async throws {
    let lane = WorkLane("test", longestQueue: 1)
    let door = Door()
    #expect(lane.add("a") { door.pass() })
    let (ends, told) = AsyncStream.makeStream(of: Void.self)
    #expect(lane.add("a") { told.yield() })
    #expect(!lane.add("b") { Issue.record("a refused job ran") })
    let refusal = await #expect(throws: ServiceRefusal.self) { try await lane.run {} }
    #expect(refusal?.status == 503)
    door.open()
    for await _ in ends { break }
    #expect(lane.add("b") { told.finish() })
    for await _ in ends {}
  }

  @Test("steps are written while all reads are blocked")
  func writesAlone() async throws {
    let lanes = WorkLanes()
    let (door, count) = (Door(), 12)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count / 4 {
        for lane in [lanes.answers, lanes.pages, lanes.figures, lanes.machine] {
          group.addTask { try await lane.run { door.pass() } }
        }
      }
      #expect(try await lanes.steps.run { "kept" } == "kept")
      for _ in 0..<count { door.open() }
      try await group.waitForAll()
    }
  }
}
