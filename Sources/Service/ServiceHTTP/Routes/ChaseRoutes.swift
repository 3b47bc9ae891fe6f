import ChaseEngine
import Hummingbird
import JSONLines
import ServiceCore

/// The chase: its state, and its buttons.
struct ChaseRoutes: RouteGroup {
  let backend: ServiceBackend
  let limits: ServiceLimits

  func register(in routes: inout RouteTable) {
    routes.add(.get, "/api/chase") { _, _ in .json(try await backend.chase().withoutLineEnd) }
    routes.add(.post, "/api/chase") { request, _ in
      let action = try await request.json(ChaseAction.self, upTo: limits.bodySize)
      return .json(JSONLine(["state": try await backend.steer(action).rawValue]).object)
    }
  }
}

/// The body of a request. Settings of a start are read only for a start.
extension ChaseAction: Decodable {
  private enum Key: String, CodingKey {
    case action, goal, nessieSpeed, headStart
  }

  /// The allowed speeds of Nessie in metres per second, and head starts in metres.
  private static let (speeds, headStarts) = (0.1...20.0, 0.0...100_000.0)

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func number(_ key: Key, in range: ClosedRange<Double>, _ unit: String) throws -> Double? {
      let value = try values.decodeIfPresent(Double.self, forKey: key)
      guard value.map(range.contains) ?? true else {
        throw ServiceRefusal(
          400, "'\(key.rawValue)' is in \(unit), from \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
    switch try values.decode(String.self, forKey: .action) {
    case "start":
      let goal = try values.decode(Int.self, forKey: .goal)
      guard GoalFile.goals.contains(goal) else {
        throw ServiceRefusal(400, "'goal' is a number of steps from 1 to \(GoalFile.goals.upperBound)")
      }
      self = .start(
        goal: goal, nessieSpeed: try number(.nessieSpeed, in: Self.speeds, "m/s"),
        headStart: try number(.headStart, in: Self.headStarts, "metres"))
    case "pause": self = .pause
    case "resume": self = .resume
    case "restart": self = .restart
    case "stop": self = .stop
    default: throw DecodingError.dataCorruptedError(forKey: .action, in: values, debugDescription: "unknown")
    }
  }
}
