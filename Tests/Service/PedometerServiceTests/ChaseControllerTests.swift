import ChaseEngine
import Synchronization
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("Chase controller", .timeLimit(.minutes(30)))
struct ChaseControllerTests {
  private final class Machine: Sendable {
    let states = Mutex([SourceState(uri: "iio:device0", name: nil, state: .counting, steps: 0)])
    let lines = Mutex<[String]>([])
  }

  private let clock = ManualClock()
  private let machine = Machine()
  private let pedometer: ServicePedometer
  private let controller: ChaseController

  init() {
    let machine = machine
    pedometer = ServicePedometer { machine.states.withLock { $0 } }
    controller = ChaseController(pedometer: pedometer, clock: .manual(clock)) { line in
      machine.lines.withLock { $0.append(line) }
    }
  }

  private var lines: [String] { machine.lines.withLock { $0 } }

  /// The state of a refusal.
  private func refusal(_ action: ChaseAction) async -> Int? {
    do {
      _ = try await controller.steer(action)
      return nil
    } catch {
      return (error as? ServiceRefusal)?.status
    }
  }

  @Test("the service's steps lead from Nessie to the goal, and the lines are published")
  func completed() async throws {
    #expect(await controller.line == #"{"type":"state","t":0,"state":"notStarted"}"#)
    #expect(try await controller.steer(.start(goal: 10, nessieSpeed: nil, headStart: nil)) == .inProgress)
    // A page that is opened now knows what its button is for.
    #expect(await controller.line.hasSuffix(#","state":"inProgress"}"#))
    pedometer.walked(4, distance: 3, source: "a")
    pedometer.walked(6, distance: 4, source: "a")
    await controller.settle()
    #expect(lines.first == #"{"type":"state","t":0,"state":"inProgress"}"#)
    #expect(lines.contains { $0.contains(#""steps":10,"goal":10,"distance":7"#) })
    #expect(lines.last?.contains(#""state":"completed""#) == true)
    let last = await controller.line
    let end = #","nessie":0,"state":"completed","course":{"t":[0],"gap":[27]}}"#
    #expect(last.contains(#""type":"chase""#) && last.hasSuffix(end), "\(last)")
  }

  @Test("Nessie swims with the service's clock, and catches a standing walker")
  func caught() async throws {
    _ = try await controller.steer(.start(goal: 1000, nessieSpeed: 2, headStart: 3))
    for _ in 0..<10 where !lines.contains(where: { $0.contains("caught") }) {
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(250))
      await controller.settle()
    }
    #expect(lines.contains { $0.contains(#""t":2,"state":"caught""#) })
    // A page that is opened now can draw how it came to this.
    let line = await controller.line
    #expect(line.hasSuffix(#","state":"caught","course":{"t":[0,0.5,1,1.5,2],"gap":[3,3,1,1,0]}}"#), "\(line)")
    #expect(try await controller.steer(.restart) == .inProgress)
    #expect(await !controller.line.contains("course"))
    #expect(try await controller.steer(.stop) == .notStarted)
    #expect(await controller.line == #"{"type":"state","t":0,"state":"notStarted"}"#)
  }

  @Test("the course of a chase of any length has at most 240 points, the first and the last among them")
  func course() throws {
    var course = ChaseCourse()
    for second in 0...10_000 {
      course.add(frame(.inProgress, at: .seconds(second), gap: Double(second)))
    }
    #expect(course.json == nil)
    course.add(frame(.completed, at: .seconds(10_001), gap: 5))
    course.add(frame(.completed, at: .seconds(10_001), gap: 5))
    let text = try #require(course.json?.object)
    #expect(text.hasPrefix(#"{"t":[0,"#) && text.contains(#"10001],"gap":[0,"#) && text.hasSuffix(",5]}"), "\(text)")
    #expect(text.split(separator: ",").count <= 2 * 240)
  }

  private func frame(_ state: AppState, at elapsed: Duration, gap: Double) -> ChaseFrame {
    ChaseFrame(
      time: elapsed, state: state, steps: 0, goal: nil, distance: 0, nessieDistance: 0, gap: gap, runner: 0, nessie: 0,
      elapsed: elapsed)
  }

  @Test("two sensors on the same walker do not double the walk")
  func twoSensors() async throws {
    _ = try await controller.steer(.start(goal: 100, nessieSpeed: nil, headStart: nil))
    for _ in 0..<5 {
      pedometer.walked(3, distance: 2, source: "a")
      pedometer.walked(4, distance: 3, source: "b")
    }
    await controller.settle()
    #expect(await controller.line.contains(#""steps":20,"goal":100,"distance":15,"#))
  }

  @Test("requests that the chase's state does not allow are refused")
  func refused() async throws {
    for action in [ChaseAction.pause, .resume, .restart] { #expect(await refusal(action) == 409) }
    #expect(await refusal(.start(goal: 0, nessieSpeed: nil, headStart: nil)) == 400)
    #expect(await refusal(.start(goal: 10, nessieSpeed: -1, headStart: nil)) == 400)
    _ = try await controller.steer(.start(goal: 10, nessieSpeed: nil, headStart: nil))
    #expect(await refusal(.start(goal: 10, nessieSpeed: nil, headStart: nil)) == 409)
    #expect(await refusal(.resume) == 409)
    #expect(try await controller.steer(.pause) == .paused)
    #expect(try await controller.steer(.resume) == .inProgress)
  }

  @Test("without a counting source there is no chase, and the loss of the last one pauses it")
  func noSource() async throws {
    machine.states.withLock { $0[0].state = .waiting }
    #expect(await refusal(.start(goal: 10, nessieSpeed: nil, headStart: nil)) == 503)
    machine.states.withLock { $0[0].state = .counting }
    _ = try await controller.steer(.start(goal: 10, nessieSpeed: nil, headStart: nil))
    machine.states.withLock { $0[0].state = .lost }
    pedometer.sourceLost("unplugged")
    await controller.settle()
    #expect(lines.last?.contains(#""state":"paused""#) == true)
  }
}
