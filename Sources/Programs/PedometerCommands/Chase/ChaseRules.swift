import ArgumentParser
import ChaseEngine

struct ChaseRules: ParsableArguments {
  @Option(parsing: .unconditional, help: "Steps to walk. (default: the game asks for it)")
  var goal: Int?

  @Option(parsing: .unconditional, help: "Nessie's speed in metres per second. (default: 1.25, a brisk walk)")
  var nessieSpeed: Double?

  @Option(parsing: .unconditional, help: "Your head start in metres. (default: 20)")
  var headStart: Double?

  @Flag(help: "Nessie as in the original game: 9.5 m/s, 10 m behind. You cannot win this on foot.")
  var founding = false

  func validate() throws {
    if let goal, goal < 1 { throw ValidationError("--goal takes a number of steps, at least 1, such as --goal 1000") }
    _ = try settings()
  }

  func settings() throws -> ChaseSettings {
    if founding {
      guard nessieSpeed == nil, headStart == nil else {
        throw ValidationError("--founding sets Nessie's speed and distance; leave out --nessie-speed and --head-start")
      }
      return .founding
    }
    let usual = ChaseSettings.walking
    do throws(InvalidChaseSetting) {
      return try ChaseSettings(velocity: nessieSpeed ?? usual.velocity, headstart: headStart ?? usual.headstart)
    } catch { throw ValidationError("\(error)") }
  }
}
