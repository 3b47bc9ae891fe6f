import ArgumentParser
import Pedometers
import StepDetection
import Terminals

/// What the user knows about the movement.
package struct RecognitionOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Count all movement with the rhythm and strength of steps: the recording is known to be a walk.")
  package var walking = false

  @Option(
    help: ArgumentHelp(
      "Also count what resembles a walk that 'pedometer learn' has learned, by its name or file.", valueName: "name"),
    completion: .file())
  package var profile: String?

  package func validate() throws {
    if walking, profile != nil {
      throw ValidationError("--walking counts all movement like steps, so --profile has no use; leave one out")
    }
  }

  func recognition() throws -> WalkRecognition {
    if walking { return .known }
    return try profile.map { .learned(try Self.learned($0)) } ?? .gate
  }

  /// Reads a profile, and complains if that fails.
  /// - Parameter place: where it is named, for the complaint.
  package static func learned(_ profile: String, place: String = "") throws -> WalkProfile {
    do { return try ProfileFolder.read(profile).profile } catch {
      throw error.kind.exitStatus.failure("\(place)\(ScreenText.printable(error.description, longest: 1000))")
    }
  }
}
