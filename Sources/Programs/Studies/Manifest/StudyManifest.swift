import JSONLines
import Platform

/// The recordings of a study, in the order of the manifest.
///
/// Text with one path per line, or a table whose first line names the columns, separated by commas, semicolons or tabs:
///
///     id,path,timezone,recorder_timezone,height,walking,profile
///     p01,site1/p01.cwa,Europe/London,,1.72,no,p01-wrist
///
/// Only `path` is required; `walking` is `yes` for a recording that is known to be a walk, `profile` names a learned one. Columns with other names are allowed, but not those that seem to be meant for one of these.
/// Empty lines and lines that begin with `#` are skipped. Relative paths are relative to the manifest's folder.
package struct StudyManifest: Sendable {
  /// In the order of the manifest.
  package var entries: [StudyEntry]
  /// The names, as written, of the columns that have no meaning here.
  package private(set) var unusedColumns: [String] = []

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
      let remedy =
        entry.id.contains("\u{FFFD}")
        ? "rename the files whose names look like this, since they are not UTF-8" : "give each recording a unique id"
      throw Fault(
        line: entry.line,
        reason: "'\(entry.id)' appears twice\(other.line > 0 ? ", first in line \(other.line)" : ""); \(remedy)")
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
    for (index, line) in Self.lines(text).enumerated() {
      if Self.isRemark(line) { continue }
      defer { isFirst = false }
      if isFirst, let delimiter = Columns.delimiter(line) {
        columns = try Columns(line, delimiter, number: index + 1)
        continue
      }
      entries.append(try Self.entry(line, number: index + 1, columns, folder: folder))
    }
    try self.init(entries)
    unusedColumns = columns?.unused ?? []
  }

  /// The lines of a text, without the mark that programs of Windows begin it with.
  private static func lines(_ text: String) -> [Substring] {
    (text.first == "\u{FEFF}" ? text.dropFirst() : text[...])
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private static func isRemark(_ line: Substring) -> Bool {
    let first = line.first { !$0.isWhitespace }
    return first == nil || first == "#"
  }

  /// The first line of a text that is neither empty nor a remark, without blanks around it, and whether it names columns of a
  /// manifest; `nil` if there is none.
  package static func beginning(of text: String) -> (line: String, namesColumns: Bool)? {
    guard let first = lines(text).first(where: { !isRemark($0) }) else { return nil }
    return (first.trimmed, Columns.delimiter(first) != nil)
  }

  private static func entry(
    _ line: Substring, number: Int, _ columns: Columns?, folder: String
  ) throws(Fault) -> StudyEntry {
    guard let columns else {
      let path = line.trimmed
      var entry = StudyEntry(id: path, path: place(path, in: folder), line: number)
      entry.name = path
      return entry
    }
    let cells = CSV.cells(line, delimiter: columns.delimiter)
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
      // Where semicolons separate the cells, the comma is that of a number.
      let decimal = columns.delimiter == "," ? text : text.replacing(",", with: ".")
      guard let height = Double(decimal), (0.5...2.6).contains(height) else {
        throw Fault(line: number, reason: "height '\(text)' is not in metres, from 0.5 to 2.6, such as 1.72")
      }
      entry.height = height
    }
    entry.isWalk = try isWalk(cell(columns.walking), number)
    // A file is beside the manifest; a name has no folder.
    entry.profile = cell(columns.profile).map { $0.contains("/") ? place($0, in: folder) : $0 }
    return entry
  }

  private static func zone(_ text: String?, _ line: Int) throws(Fault) -> ZonePlan? {
    guard let text else { return nil }
    if let plan = ZonePlan(text) { return plan }
    throw Fault(
      line: line,
      reason: "time zone '\(text)' is not known; give a name such as Europe/Berlin or an offset such as +02:00")
  }

  private static func isWalk(_ text: String?, _ line: Int) throws(Fault) -> Bool? {
    switch text?.lowercased() {
    case nil: nil
    case "yes", "true", "1": true
    case "no", "false", "0": false
    case let other?: throw Fault(line: line, reason: "walking '\(other)' is neither yes nor no")
    }
  }

  private static func place(_ path: String, in folder: String) -> String { path.hasPrefix("/") ? path : folder + path }

  private struct Columns {
    var delimiter: Character
    var path: Int
    var id: Int?
    var zone: Int?
    var recorderZone: Int?
    var height: Int?
    var walking: Int?
    var profile: Int?
    /// The names, as written, of the columns without a meaning.
    var unused: [String] = []

    private static let paths = ["path", "file", "filename"]
    private static let ids = ["id", "participant", "subject"]
    private static let zones = ["timezone", "time_zone", "tz"]
    private static let recorderZones = ["recorder_timezone", "recorder_time_zone", "device_timezone"]
    private static let heights = ["height", "height_m"]
    private static let walks = ["walking"]
    private static let profiles = ["profile"]

    /// What separates the names in a line; `nil` if it does not name a column of paths.
    static func delimiter(_ line: Substring) -> Character? {
      let candidates: [Character] = [",", ";", "\t"]
      return candidates.first { candidate in
        names(CSV.cells(line, delimiter: candidate)).contains { paths.contains($0) }
      }
    }

    /// Names as they are compared.
    private static func names(_ cells: [String]) -> [String] {
      cells.map { $0.trimmed.lowercased().replacing(" ", with: "_") }
    }

    /// - Throws: a ``Fault`` if a column is there twice, or seems to be meant for something that it would not change.
    init(_ line: Substring, _ delimiter: Character, number: Int) throws(Fault) {
      let written = CSV.cells(line, delimiter: delimiter).map(\.trimmed)
      let names = Self.names(written)
      self.delimiter = delimiter
      path = names.firstIndex { Self.paths.contains($0) } ?? 0
      id = names.firstIndex { Self.ids.contains($0) }
      zone = names.firstIndex { Self.zones.contains($0) }
      recorderZone = names.firstIndex { Self.recorderZones.contains($0) }
      height = names.firstIndex { Self.heights.contains($0) }
      walking = names.firstIndex { Self.walks.contains($0) }
      profile = names.firstIndex { Self.profiles.contains($0) }
      let found: [Int?] = [path, id, zone, recorderZone, height, walking, profile]
      let used = found.compactMap { $0 }
      var absent: [[String]] = []
      if id == nil { absent.append(Self.ids) }
      if zone == nil { absent.append(Self.zones) }
      if recorderZone == nil { absent.append(Self.recorderZones) }
      if height == nil { absent.append(Self.heights) }
      if walking == nil { absent.append(Self.walks) }
      if profile == nil { absent.append(Self.profiles) }
      for (index, name) in names.enumerated() where !name.isEmpty && !used.contains(index) {
        if used.contains(where: { names[$0] == name }) {
          throw Fault(line: number, reason: "has two columns '\(written[index])'; remove or rename one of them")
        }
        if let obstacle = Self.obstacle(name, absent) {
          throw Fault(line: number, reason: "column '\(written[index])' \(obstacle)")
        }
        unused.append(written[index])
      }
    }

    /// Why a column cannot be ignored; `nil` if it can.
    /// - Parameter absent: the names of what the manifest does not state.
    private static func obstacle(_ name: String, _ absent: [[String]]) -> String? {
      for known in absent {
        let isHeight = known == heights
        // In another unit, or with the unit in parentheses.
        if isHeight, name.hasPrefix("height") { return "is not known; name it 'height', and state heights in metres" }
        // A weight is another column, not a misspelled height.
        if isHeight, name.hasPrefix("weight") { continue }
        if let meant = known.first(where: { resembles(name, $0) }) {
          return "is not known; did you mean '\(meant)'? Correct the name, or choose another one"
        }
      }
      return nil
    }

    private static func resembles(_ name: String, _ known: String) -> Bool {
      // A short name is like many others.
      known.count > 4 && editDistance(name, known) <= (known.count < 8 ? 1 : 2)
    }
  }

  /// Every `count`-th entry, beginning with entry `index`.
  /// - Parameter index: from 1 to `count`.
  package func shard(_ index: Int, of count: Int) -> [StudyEntry] {
    entries.indices.filter { $0 % count == index - 1 }.map { entries[$0] }
  }
}
