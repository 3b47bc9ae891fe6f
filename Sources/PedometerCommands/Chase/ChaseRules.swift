import ArgumentParser
import ChaseEngine

/// The rules of a chase on the command line.
struct ChaseRules: ParsableArguments {
  /// Who pursues.
  enum PursuerName: String, ExpressibleByArgument, CaseIterable {
    case constant, adaptive
  }

  @Option(help: "Steps to walk. (default: asked for in the terminal game)")
  var goal: Int?

  @Option(
    name: .customLong("nessie-speed"), help: "How fast Nessie swims, in metres a second. (default: 1.25, brisk walking)"
  )
  var nessieSpeed: Double?

  @Option(name: .customLong("head-start"), help: "How far ahead you begin, in metres. (default: 20)")
  var headStart: Double?

  @Option(
    help: """
      constant, or adaptive: for 60 s at a time Nessie swims 20 % faster than your mean pace of the 30 s before, and \
      lets go for 30 s. (default: constant)
      """)
  var pursuer: PursuerName?

  @Flag(help: "The founding game's Nessie: 9.5 m/s, 10 m behind. Nobody can win this on foot.")
  var founding = false

  /// The goal, checked; `nil` when none was given.
  func validGoal() throws -> Int? {
    guard let goal else { return nil }
    guard goal > 0 else { throw ValidationError("--goal takes a number of steps, at least 1, as --goal 1000") }
    return goal
  }

  /// The rules.
  func settings() throws -> ChaseSettings {
    if founding {
      guard nessieSpeed == nil, headStart == nil, pursuer != .adaptive else {
        throw ValidationError(
          "--founding says how fast Nessie is and how far behind; leave out --nessie-speed, --head-start and --pursuer")
      }
      return .founding
    }
    if pursuer == .adaptive, nessieSpeed != nil {
      throw ValidationError("an adaptive Nessie goes by your pace; leave out --nessie-speed or --pursuer adaptive")
    }
    let usual = pursuer == .adaptive ? ChaseSettings.adaptive : .walking
    do throws(InvalidChaseSetting) {
      return try ChaseSettings(
        pursuer: nessieSpeed.map { .constant(velocity: $0) } ?? usual.pursuer,
        headstart: headStart ?? usual.headstart)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
