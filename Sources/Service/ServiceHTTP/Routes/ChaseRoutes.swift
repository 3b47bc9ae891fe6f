import ChaseEngine
import Hummingbird
import JSONLines
import ServiceCore

/// The chase: its state, and its buttons.
struct ChaseRoutes: RouteGroup {
  let backend: ServiceBackend
  let limits: ServiceLimits

  /// The allowed speeds of Nessie in metres per second.
  static let speeds = 0.1...20.0
  /// The allowed head starts in metres.
  static let headStarts = 0.0...100_000.0

  func register(in routes: inout RouteTable) {
    routes.add(.get, "/api/chase") { _, _ in .json(try await backend.chase().withoutLineEnd) }
    routes.add(.post, "/api/chase") { request, _ in
      let action = try await request.json(Order.self, upTo: limits.bodySize).action()
      return .json(JSONLine(["state": try await backend.steer(action).rawValue]).object)
    }
  }

  /// The body of a request. Settings of a start are read only for a start.
  struct Order: Decodable {
    private enum Action: String, Decodable {
      case start, pause, resume, restart, stop
    }

    private enum Key: String, CodingKey {
      case action, goal, nessieSpeed, headStart
    }

    private var kind: Action
    private var goal = 0
    private var nessieSpeed: Double?
    private var headStart: Double?

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      kind = try values.decode(Action.self, forKey: .action)
      guard kind == .start else { return }
      goal = try values.decode(Int.self, forKey: .goal)
      nessieSpeed = try values.decodeIfPresent(Double.self, forKey: .nessieSpeed)
      headStart = try values.decodeIfPresent(Double.self, forKey: .headStart)
    }

    func action() throws(ServiceRefusal) -> ChaseAction {
      switch kind {
      case .pause: return .pause
      case .resume: return .resume
      case .restart: return .restart
      case .stop: return .stop
      case .start: break
      }
      guard GoalFile.goals.contains(goal) else {
        throw ServiceRefusal(400, "'goal' is a number of steps from 1 to \(GoalFile.goals.upperBound)")
      }
      try Self.check(nessieSpeed, in: ChaseRoutes.speeds, "'nessieSpeed' is in m/s")
      try Self.check(headStart, in: ChaseRoutes.headStarts, "'headStart' is in metres")
      return .start(goal: goal, nessieSpeed: nessieSpeed, headStart: headStart)
    }

    private static func check(_ value: Double?, in range: ClosedRange<Double>, _ name: String) throws(ServiceRefusal) {
      if let value, !range.contains(value) {
        throw ServiceRefusal(400, "\(name), from \(range.lowerBound) to \(range.upperBound)")
      }
    }
  }
}
