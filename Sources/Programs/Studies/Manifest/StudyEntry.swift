import StepDetection

package struct StudyEntry: Sendable, Hashable {
  /// The name of the recording in all tables: the manifest's `id`, or the path as written there.
  package var id: String
  package var path: String
  /// The path as written in the manifest, which does not depend on the current folder.
  package var name: String
  /// The folder of the results inside the study's folder; see ``OutputName``.
  package var outputName: String
  /// The participant's time zones.
  package var zones: ZonePlan?
  /// The zone of the recorder's clock if it differs from the participant's, such as `UTC`.
  package var recorderZone: ZonePlan?
  /// The participant's height in metres.
  package var height: Double?
  /// Whether the recording is known to be a walk; `nil` if that is not stated.
  package var isWalk: Bool?
  /// The walker's learned walk, by its name or file as in the manifest; `nil` for none.
  package var profile: String?
  /// The same, once it was read.
  package var learned: WalkProfile?

  /// How walking is distinguished from other movement.
  var recognition: WalkRecognition { isWalk == true ? .known : learned.map { .learned($0) } ?? .gate }
  /// The line in the manifest, from 1; 0 for a path on the command line.
  package var line: Int

  /// Replaces the file's path in a message by the path in the manifest, so that records do not depend on the current
  /// folder.
  func named(_ message: String) -> String { path == name ? message : message.replacing(path, with: name) }

  package init(id: String, path: String, line: Int = 0) {
    (self.id, self.path) = (id, path)
    name = path
    self.line = line
    outputName = OutputName.of(id)
  }
}
