import JSONLines
import Platform

struct Provenance: Sendable, Hashable {
  var version: String
  /// See ``StudyParameters/text``.
  var parameters: String
  /// The parts of the manifest entry that affect the result.
  var entry: String
  /// The name of the recording, and its path as written in the manifest.
  var id: String
  var path: String
  /// The recording's size in bytes, its modification time in nanoseconds since 1970, and its SHA-256.
  var size: Int
  var modified: Int64
  var sha256: String?

  /// - Throws: a ``FileFailure`` if the file cannot be examined.
  init(_ study: StudyEntry, version: String, parameters: StudyParameters) throws(FileFailure) {
    self.version = version
    self.parameters = parameters.text
    entry = Self.words(study).joined(separator: " ")
    (id, path) = (study.id, study.name)
    var status = stat()
    if unsafe RawPath.call(study.path, { unsafe stat($0, &status) }) != 0 {
      throw FileFailure(errno: errno, path: study.path)
    }
    // Reading a pipe or a device might never end.
    if status.st_mode & S_IFMT == S_IFDIR { throw FileFailure(errno: EISDIR, path: study.path) }
    if status.st_mode & S_IFMT != S_IFREG { throw FileFailure(errno: ENXIO, path: study.path) }
    size = Int(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// The parts of a manifest entry that affect the result.
  static func words(_ entry: StudyEntry) -> [String] {
    var words: [String] = []
    if let zones = entry.zones { words.append("timezone=\(zones.text)") }
    if let zone = entry.recorderZone { words.append("recorder_timezone=\(zone.text)") }
    if let height = entry.height.flatMap({ Decimals.text($0, 3) }) { words.append("height=\(height)") }
    if let isWalk = entry.isWalk { words.append("walking=\(isWalk ? "yes" : "no")") }
    if let learned = entry.learned { words.append("profile=\(learned.fingerprint)") }
    return words
  }

  /// Whether earlier results have the same provenance.
  ///
  /// A file with the same name, size and modification time counts as unchanged; if the name or the time differs, the
  /// SHA-256 decides.
  func isSame(as earlier: StudyRecord.Source, path: String) -> Bool {
    guard earlier.version == version, earlier.parameters == parameters, earlier.entry == entry, earlier.size == size
    else { return false }
    if earlier.modified == modified, earlier.path == self.path { return true }
    return (try? Digest.sha256(ofFile: path)).map { $0 == earlier.sha256 } ?? false
  }

  /// The comment line above a table.
  var comment: String {
    let words = ["pedometer \(version)", id, parameters] + (entry.isEmpty ? [] : [entry]) + ["sha256=\(sha256 ?? "")"]
    return "# \(words.joined(separator: "; ").split(whereSeparator: \.isNewline).joined(separator: " "))\n"
  }

  func add(to line: inout JSONLine) {
    line.add([
      "version": version, "parameters": parameters, "path": path, "entry": entry, "size": size,
      "modified": "\(modified)", "sha256": sha256,
    ])
  }
}

extension Provenance {
  init(absent study: StudyEntry, version: String, parameters: StudyParameters) {
    self.version = version
    self.parameters = parameters.text
    (id, path) = (study.id, study.name)
    (entry, size, modified) = (Self.words(study).joined(separator: " "), 0, 0)
  }
}
