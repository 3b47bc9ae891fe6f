import JSONLines

/// The recordings of a study, in the order of the manifest.
///
/// Text with one path per line, or CSV whose first line names the columns:
///
///     id,path,timezone,recorder_timezone,height
///     p01,site1/p01.cwa,Europe/London,,1.72
///
/// Only `path` is required. Empty lines and lines that begin with `#` are skipped. Relative paths are relative to the
/// manifest's folder.
package struct StudyManifest: Sendable {
  /// In the order of the manifest.
  package var entries: [StudyEntry]

  /// An error in a manifest, with its position.
  package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1; 0 if no single line is wrong.
    package var line: Int
    /// The problem and the remedy.
    package var reason: String
    package var description: String { line > 0 ? "line \(line): \(reason)" : reason }
  }

  /// Uses existing entries.
  /// - Throws: a ``Fault`` if two entries have the same output name, or if there are none.
  package init(_ entries: [StudyEntry]) throws(Fault) {
    self.entries = entries
    if entries.isEmpty { throw Fault(line: 0, reason: "no recordings") }
    var seen: [String: StudyEntry] = [:]
    for entry in entries {
      guard let other = seen.updateValue(entry, forKey: entry.outputName) else { continue }
      throw Fault(
        line: entry.line,
        reason: "'\(entry.id)' appears twice\(other.line > 0 ? ", first in line \(other.line)" : "");"
          + " give each recording a unique id")
    }
  }

  /// Parses a manifest.
  /// - Parameters:
  ///   - text: the manifest.
  ///   - folder: the base of relative paths; empty for the current folder, otherwise with a `/` at the end.
  /// - Throws: a ``Fault``.
  package init(parsing text: String, folder: String) throws(Fault) {
    var columns: Columns?
    var entries: [StudyEntry] = []
    var isFirst = true
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = (index == 0 && line.first == "\u{FEFF}" ? line.dropFirst() : line).trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      defer { isFirst = false }
      if isFirst, let named = Columns(line) {
        columns = named
        continue
      }
      entries.append(try Self.entry(line, number: index + 1, columns, folder: folder))
    }
    try self.init(entries)
  }

  private static func entry(
    _ line: String, number: Int, _ columns: Columns?, folder: String
  ) throws(Fault) -> StudyEntry {
    guard let columns else {
      var entry = StudyEntry(id: line, path: place(line, in: folder), line: number)
      entry.name = line
      return entry
    }
    let cells = CSV.cells(line)
    func cell(_ index: Int?) -> String? {
      guard let index, index < cells.count, !cells[index].trimmed.isEmpty else { return nil }
      return cells[index].trimmed
    }
    guard let path = cell(columns.path) else { throw Fault(line: number, reason: "no path") }
    var entry = StudyEntry(id: cell(columns.id) ?? path, path: place(path, in: folder), line: number)
    entry.name = path
    entry.zones = try zone(cell(columns.zone), number)
    entry.recorderZone = try zone(cell(columns.recorderZone), number)
    if let text = cell(columns.height) {
      guard let height = Double(text), (0.5...2.6).contains(height) else {
        throw Fault(line: number, reason: "height '\(text)' is not in metres, from 0.5 to 2.6")
      }
      entry.height = height
    }
    return entry
  }

  private static func zone(_ text: String?, _ line: Int) throws(Fault) -> ZonePlan? {
    guard let text else { return nil }
    if let plan = ZonePlan(text) { return plan }
    throw Fault(
      line: line,
      reason: "time zone '\(text)' is not known; give a name such as Europe/Berlin or an offset such as +02:00")
  }

  private static func place(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }

  /// The positions of the columns.
  private struct Columns {
    var path: Int
    var id: Int?
    var zone: Int?
    var recorderZone: Int?
    var height: Int?

    init?(_ line: String) {
      let names = CSV.cells(line).map { $0.trimmed.lowercased().replacing(" ", with: "_") }
      guard let path = names.firstIndex(where: { ["path", "file", "filename"].contains($0) }) else { return nil }
      self.path = path
      id = names.firstIndex { ["id", "participant", "subject"].contains($0) }
      zone = names.firstIndex { ["timezone", "time_zone", "tz"].contains($0) }
      recorderZone = names.firstIndex { ["recorder_timezone", "recorder_time_zone", "device_timezone"].contains($0) }
      height = names.firstIndex { ["height", "height_m"].contains($0) }
    }
  }

  /// Every `count`-th entry, beginning with entry `index`.
  /// - Parameter index: from 1 to `count`.
  package func shard(_ index: Int, of count: Int) -> [StudyEntry] {
    entries.indices.filter { $0 % count == index - 1 }.map { entries[$0] }
  }
}
