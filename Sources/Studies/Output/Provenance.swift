import JSONLines
import Platform

/// What results were made from, and how.
struct Provenance: Sendable, Hashable {
  /// Of the program.
  var version: String
  /// See ``StudyParameters/text``.
  var parameters: String
  /// What the manifest says of the recording and changes its figures.
  var entry: String
  /// The recording's size in bytes, the time of its last change in nanoseconds since 1970, and its SHA-256.
  var size: Int
  var modified: Int64
  var sha256: String?

  /// - Throws: a ``SystemFailure`` when the file cannot be looked at.
  init(_ study: StudyEntry, version: String, parameters: StudyParameters) throws(SystemFailure) {
    self.version = version
    self.parameters = parameters.text
    entry = Self.words(study)
    var status = stat()
    if unsafe stat(study.path, &status) != 0 { throw SystemFailure(errno: errno, path: study.path) }
    size = Int(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  private static func words(_ entry: StudyEntry) -> String {
    var words = ["path=\(entry.path)"]
    if let zones = entry.zones { words.append("timezone=\(zones.text)") }
    if let zone = entry.recorderZone { words.append("recorder_timezone=\(zone.text)") }
    if let height = entry.height.flatMap({ Decimals.text($0, 3) }) { words.append("height=\(height)") }
    return words.joined(separator: " ")
  }

  /// Whether results of another time were made from the same.
  ///
  /// A file that has the same size and time of change is taken for the same; one that was touched or copied is when its
  /// bytes are.
  func isSame(as earlier: StudyRecord.Source, path: String) -> Bool {
    guard earlier.version == version, earlier.parameters == parameters, earlier.entry == entry, earlier.size == size
    else { return false }
    if earlier.modified == modified { return true }
    return (try? Digest.sha256(ofFile: path)).map { $0 == earlier.sha256 } ?? false
  }

  /// The lines in front of a table.
  var comment: String {
    "# pedometer \(version); \(parameters); \(entry); sha256=\(sha256 ?? "")\n"
  }

  func add(to line: inout JSONLine) {
    line.add("version", version)
    line.add("parameters", parameters)
    line.add("entry", entry)
    line.add("size", size)
    line.add("modified", "\(modified)")
    line.add("sha256", sha256)
  }
}

extension Provenance {
  /// Of a recording that is not there.
  init(absent study: StudyEntry, version: String, parameters: StudyParameters) {
    self.version = version
    self.parameters = parameters.text
    (entry, size, modified) = (Self.words(study), 0, 0)
  }
}
