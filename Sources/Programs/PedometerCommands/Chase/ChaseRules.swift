import ArgumentParser
import ChaseEngine

/// The rules of a chase on the command line.
struct ChaseRules: ParsableArguments {
  /// The kinds of pursuers.
  enum PursuerName: String, ExpressibleByArgument, CaseIterable {
    case constant, adaptive
  }

  @Option(parsing: .unconditional, help: "Steps to walk. (default: the game asks for it)")
  var goal: Int?

  @Option(
    name: .customLong("nessie-speed"), parsing: .unconditional,
    help: "Nessie's speed in metres per second. (default: 1.25, a brisk walk)"
  )
  var nessieSpeed: Double?

  @Option(name: .customLong("head-start"), parsing: .unconditional, help: "Your head start in metres. (default: 20)")
  var headStart: Double?

  @Option(
    help: """
      constant or adaptive. An adaptive Nessie alternates: 60 s at 20 % above your mean speed of the previous 30 s, then \
      30 s of rest. (default: constant)
      """)
  var pursuer: PursuerName?

  @Flag(help: "Nessie as in the original game: 9.5 m/s, 10 m behind. You cannot win this on foot.")
  var founding = false

  /// The goal, checked; `nil` if none was given.
  func validGoal() throws -> Int? {
    guard let goal else { return nil }
    guard goal > 0 else { throw ValidationError("--goal takes a number of steps, at least 1, such as --goal 1000") }
    return goal
  }

  func settings() throws -> ChaseSettings {
    if founding {
      guard nessieSpeed == nil, headStart == nil, pursuer != .adaptive else {
        throw ValidationError(
          "--founding sets Nessie's speed and distance; leave out --nessie-speed, --head-start and --pursuer")
      }
      return .founding
    }
    if pursuer == .adaptive, nessieSpeed != nil {
      throw ValidationError("an adaptive Nessie adapts to your speed; leave out --nessie-speed or --pursuer adaptive")
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
