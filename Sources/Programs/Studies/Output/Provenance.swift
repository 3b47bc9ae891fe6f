import Foundation
import JSONLines
import Platform

/// What a result was made from, by what and when.
package struct Provenance: Sendable, Hashable {
  package var version: String
  /// See ``StudyParameters/text``.
  package var parameters: String
  /// The parts of the manifest entry that affect the result.
  package var entry: String
  /// The name of the recording, and its path as written in the manifest.
  var id: String
  var path: String
  /// The recording's size in bytes, its modification time in nanoseconds since 1970, and its SHA-256.
  var size = 0
  var modified: Int64 = 0
  package var sha256: String?
  /// When the analysis began and ended, as `2026-05-06T12:00:00Z`, and where.
  private var started: String?
  var ended: String?
  private var host: String?

  /// The provenance of what is analysed now.
  init(_ study: StudyEntry, version: String, parameters: StudyParameters) {
    self.version = version
    self.parameters = parameters.text
    entry = Self.words(study).joined(separator: " ")
    (id, path) = (study.id, study.name)
    started = Date().formatted(.iso8601)
    // Foundation's host name may query a name server.
    var name = [CChar](repeating: 0, count: 256)
    unsafe gethostname(&name, name.count - 1)
    host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// That of a record; `nil` if it is invalid.
  init?(of id: String, _ object: [String: Any]) {
    guard let version = object["version"] as? String, let parameters = object["parameters"] as? String,
      let entry = object["entry"] as? String, let size = object["size"] as? Int,
      let modified = (object["modified"] as? String).flatMap({ Int64($0) })
    else { return nil }
    (self.id, self.version, self.parameters, self.entry) = (id, version, parameters, entry)
    (self.size, self.modified, path) = (size, modified, object["path"] as? String ?? "")
    (sha256, ended) = (object["sha256"] as? String, object["ended"] as? String)
  }

  /// Takes the size and the time of the recording.
  /// - Throws: a ``FileFailure`` if the file cannot be examined.
  mutating func examine(_ path: String) throws(FileFailure) {
    var status = stat()
    if unsafe RawPath.call(path, { unsafe stat($0, &status) }) != 0 { throw FileFailure(errno: errno, path: path) }
    // Reading a pipe or a device might never end.
    if status.st_mode & S_IFMT == S_IFDIR { throw FileFailure(errno: EISDIR, path: path) }
    if status.st_mode & S_IFMT != S_IFREG { throw FileFailure(errno: ENXIO, path: path) }
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
  func isSame(as earlier: Provenance, path: String) -> Bool {
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

  /// As an object of a record that is written now.
  var members: JSONLine {
    JSONLine([
      "version": version, "parameters": parameters, "path": path, "entry": entry, "size": size,
      "modified": "\(modified)", "sha256": sha256, "started": started, "ended": Date().formatted(.iso8601),
      "host": host,
    ])
  }
}
