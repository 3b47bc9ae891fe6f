/// One recording of a study.
package struct StudyEntry: Sendable, Hashable {
  /// Names the recording in all tables; the manifest's `id`, or the path as the manifest gives it.
  package var id: String
  /// The file as it is opened.
  package var path: String
  /// The folder of its results, below the study's folder; see ``OutputName``.
  package var outputName: String
  /// Where the participant was.
  package var zones: ZonePlan?
  /// The zone of the recorder's clock, where it is not the participant's: `UTC` for a recorder that was set to UTC.
  package var recorderZone: ZonePlan?
  /// The participant's height in metres.
  package var height: Double?
  /// The manifest's line, from 1; 0 for a path of the command line.
  package var line: Int

  /// Makes an entry.
  package init(id: String, path: String, line: Int = 0) {
    self.id = id
    self.path = path
    self.line = line
    outputName = OutputName.of(id)
  }
}
