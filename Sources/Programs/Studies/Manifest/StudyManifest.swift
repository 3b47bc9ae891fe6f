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
    var heading: Heading?
    var entries: [StudyEntry] = []
    var isFirst = true
    for (index, line) in Self.lines(text).enumerated() {
      if Self.isRemark(line) { continue }
      defer { isFirst = false }
      if isFirst, let delimiter = Heading.delimiter(line) {
        heading = try Heading(line, delimiter, number: index + 1)
        continue
      }
      entries.append(try Self.entry(line, number: index + 1, heading, folder: folder))
    }
    try self.init(entries)
    unusedColumns = heading?.unused ?? []
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
    return (first.trimmed, Heading.delimiter(first) != nil)
  }

  private static func entry(
    _ line: Substring, number: Int, _ heading: Heading?, folder: String
  ) throws(Fault) -> StudyEntry {
    guard let heading else {
      let path = line.trimmed
      var entry = StudyEntry(id: path, path: place(path, in: folder), line: number)
      entry.name = path
      return entry
    }
    let cells = CSV.cells(line, delimiter: heading.delimiter)
    func cell(_ column: Column) -> String? { heading.cell(column, of: cells) }
    guard let path = cell(.path) else { throw Fault(line: number, reason: "no path") }
    var entry = StudyEntry(id: cell(.id) ?? path, path: place(path, in: folder), line: number)
    entry.name = path
    entry.zones = try zone(cell(.zone), number)
    entry.recorderZone = try zone(cell(.recorderZone), number)
    if let text = cell(.height) {
      // Where semicolons separate the cells, the comma is that of a number.
      let decimal = heading.delimiter == "," ? text : text.replacing(",", with: ".")
      guard let height = Double(decimal), (0.5...2.6).contains(height) else {
        throw Fault(line: number, reason: "height '\(text)' is not in metres, from 0.5 to 2.6, such as 1.72")
      }
      entry.height = height
    }
    entry.isWalk = try isWalk(cell(.walking), number)
    // A file is beside the manifest; a name has no folder.
    entry.profile = cell(.profile).map { $0.contains("/") ? place($0, in: folder) : $0 }
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

  private enum Column: CaseIterable {
    case path, id, zone, recorderZone, height, walking, profile

    /// The names that it may have.
    var names: [String] {
      switch self {
      case .path: ["path", "file", "filename"]
      case .id: ["id", "participant", "subject"]
      case .zone: ["timezone", "time_zone", "tz"]
      case .recorderZone: ["recorder_timezone", "recorder_time_zone", "device_timezone"]
      case .height: ["height", "height_m"]
      case .walking: ["walking"]
      case .profile: ["profile"]
      }
    }

    /// Why a column with another name cannot be ignored where this one is absent; `nil` if it can.
    func obstacle(_ name: String) -> String? {
      if self == .height {
        // In another unit, or with the unit in parentheses.
        if name.hasPrefix("height") { return "is not known; name it 'height', and state heights in metres" }
        // A weight is another column, not a misspelled height.
        if name.hasPrefix("weight") { return nil }
      }
      // A short name is like many others.
      let meant = names.first { $0.count > 4 && editDistance(name, $0) <= ($0.count < 8 ? 1 : 2) }
      return meant.map { "is not known; did you mean '\($0)'? Correct the name, or choose another one" }
    }
  }

  private struct Heading {
    let delimiter: Character
    private var places: [Column: Int] = [:]
    /// The names, as written, of the columns without a meaning.
    private(set) var unused: [String] = []

    /// What separates the names in a line; `nil` if it does not name a column of paths.
    static func delimiter(_ line: Substring) -> Character? {
      let candidates: [Character] = [",", ";", "\t"]
      return candidates.first { candidate in
        names(CSV.cells(line, delimiter: candidate)).contains(where: Column.path.names.contains)
      }
    }

    /// Names as they are compared.
    private static func names(_ cells: [String]) -> [String] {
      cells.map { $0.trimmed.lowercased().replacing(" ", with: "_") }
    }

    /// - Throws: a ``Fault`` if a column is there twice, or seems to be meant for something that it would not change.
    init(_ line: Substring, _ delimiter: Character, number: Int) throws(Fault) {
      self.delimiter = delimiter
      let written = CSV.cells(line, delimiter: delimiter).map(\.trimmed)
      let names = Self.names(written)
      for column in Column.allCases { places[column] = names.firstIndex(where: column.names.contains) }
      let absent = Column.allCases.filter { places[$0] == nil }
      for (index, name) in names.enumerated() where !name.isEmpty && !places.values.contains(index) {
        if places.values.contains(where: { names[$0] == name }) {
          throw Fault(line: number, reason: "has two columns '\(written[index])'; remove or rename one of them")
        }
        if let obstacle = absent.lazy.compactMap({ $0.obstacle(name) }).first {
          throw Fault(line: number, reason: "column '\(written[index])' \(obstacle)")
        }
        unused.append(written[index])
      }
    }

    /// The cell of a column; `nil` if it is absent or empty.
    func cell(_ column: Column, of cells: [String]) -> String? {
      guard let place = places[column], place < cells.count else { return nil }
      let cell = cells[place].trimmed
      return cell.isEmpty ? nil : cell
    }
  }

  /// Every `count`-th entry, beginning with entry `index`.
  /// - Parameter index: from 1 to `count`.
  package func shard(_ index: Int, of count: Int) -> [StudyEntry] {
    entries.indices.filter { $0 % count == index - 1 }.map { entries[$0] }
  }
}
