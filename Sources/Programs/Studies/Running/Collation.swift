import Foundation
import JSONLines
import LiveSources
import Platform

/// One table of all recordings of a study, from the records of any number of runs, in the order of the manifest.
///
/// The same records give the same bytes, however the work was divided. The tables contain no times, hosts or folders of
/// results.
package struct Collation: Sendable {
  /// One record per entry; `nil` if it is missing, or if it is that of another file, time zone or height than the manifest
  /// has now.
  package let records: [(entry: StudyEntry, record: StudyRecord?)]
  private let folder: StudyFolder

  package init(_ manifest: StudyManifest, in folder: StudyFolder) {
    self.folder = folder
    records = manifest.entries.map { entry in
      let record = folder.record(of: entry)
      return (entry, record.flatMap { Self.isRecord($0.source, of: entry) ? $0 : nil })
    }
  }

  /// The folder of the results with a slash at its end, as a page in the same folder or in one above it links to it; `nil`
  /// from elsewhere.
  func relativePath(from page: String) -> String? {
    let results = Self.absolute(folder.path).split(separator: "/")
    let above = Self.absolute(page).split(separator: "/").dropLast()
    guard results.starts(with: above) else { return nil }
    return results.dropFirst(above.count).map { $0 + "/" }.joined()
  }

  /// Whether a record agrees with the manifest, which may have been corrected since. Zones that were given as options are
  /// not known here.
  private static func isRecord(_ source: Provenance, of entry: StudyEntry) -> Bool {
    let known = " \(source.entry) "
    guard Provenance.words(entry).allSatisfy({ known.contains(" \($0) ") }) else { return false }
    return source.path == entry.name || absolute(source.path) == absolute(entry.path)
  }

  /// Reads all records in a folder of results, in the order of their names. Recordings without a record are not
  /// included.
  package init(allIn folder: StudyFolder) {
    self.folder = folder
    records = (names(inFolder: folder.path) ?? []).compactMap { name in
      let path = folder.path + "/" + name
      guard let record = StudyRecord(folder: path) else {
        // A participant whose record is damaged still counts.
        return StudyRecord.isThere(path) ? (StudyEntry(id: name, path: name), nil) : nil
      }
      // A copied folder is not another participant.
      guard OutputName.of(record.id) == name else { return nil }
      return (StudyEntry(id: record.id, path: record.id), record)
    }
  }

  /// Entries without a result that another run may provide: no record, or a temporary error.
  package var missing: [StudyEntry] {
    records.filter { $0.record.map { $0.exitCode == Int(ExitStatus.busy.rawValue) } ?? true }.map(\.entry)
  }

  /// Entries with a permanent error.
  package var failures: [(entry: StudyEntry, record: StudyRecord)] {
    records.compactMap { entry, record in
      guard let record, record.exitCode != 0, record.exitCode != Int(ExitStatus.busy.rawValue) else { return nil }
      return (entry, record)
    }
  }

  package var results: [(entry: StudyEntry, record: StudyRecord)] {
    records.compactMap { entry, record in record.flatMap { $0.exitCode == 0 ? (entry, $0) : nil } }
  }

  /// Entries with a result and warnings about it.
  package var doubtful: [(entry: StudyEntry, warnings: [String])] {
    results.filter { !$0.record.warnings.isEmpty }.map { ($0.entry, $0.record.warnings) }
  }

  /// Whether there are results of several versions or sets of parameters.
  package var isMixed: Bool {
    Set(results.map { "\($0.record.source.version) \($0.record.source.parameters)" }).count > 1
  }

  static let columns = [
    "start", "end", "duration", "steps", "distanceTravelled", "days", "validDays", "stepsPerValidDay", "wearHours",
    "wearHoursPerValidDay", "bouts", "walkingMinutes", "walkingMinutesPerValidDay", "peak1Cadence", "peak30Cadence",
    "enmo", "mad", "samples", "samplingFrequency", "format", "maker", "model", "serial", "range", "gaps", "gapDuration",
    "damagedParts", "calibrationErrorBefore", "calibrationErrorAfter",
  ]

  private var columns: [String] {
    let peers = PeerFigures.cadenceNames + PeerFigures.timeNames
    return Self.columns + peers + (measuresGait ? GaitColumns.keys : []) + ["warnings"]
  }

  private var measuresGait: Bool { results.contains { $0.record.values["strides"] != nil } }

  /// One line per entry, including those without a result.
  package var table: String {
    let columns = columns
    var text = "id,path,exitCode,message," + columns.joined(separator: ",") + ",version,parameters,sha256\n"
    for (entry, record) in records {
      let message = record == nil ? "not analysed yet" : record?.message
      let first: [any LineValue] = [entry.id, entry.name, record?.exitCode, message]
      let last: [any LineValue] = [record?.source.version, record?.source.parameters, record?.source.sha256]
      text += CSV.row(first + columns.map { record?.values[$0]?.cell } + last)
    }
    return text
  }

  /// All days of all recordings with a result.
  package var daysTable: String {
    let heading = StudyResult.daysHeading + (measuresGait ? GaitColumns.heading : "")
    let columns = heading.split(separator: ",").map(String.init)
    let lines = results.flatMap { entry, _ in
      days(of: entry).map { day in
        ([CSV.quoted(entry.id)] + columns.map { day.cells[$0] ?? "" }).joined(separator: ",") + "\n"
      }
    }
    return "id," + heading + "\n" + lines.joined()
  }

  /// A line of a recording's `days.csv`.
  struct Day: Sendable, Hashable {
    /// By the names of their columns.
    var cells: [String: String]

    var isValid: Bool { cells["valid"] == "1" }
    var steps: Double { self["steps"] ?? 0 }
    /// `Wed 2026-05-06`; the number from 1 for an undated recording.
    var name: String {
      [String((cells["weekday"] ?? "").prefix(3)), cells["day"] ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    subscript(column: String) -> Double? { cells[column].flatMap(Double.init) }
  }

  func days(of entry: StudyEntry) -> [Day] {
    let days = FileManager.default.contents(atPath: folder.folder(of: entry) + "/days.csv") ?? Data()
    let lines = String(decoding: days, as: UTF8.self).split(separator: "\n").drop { $0.hasPrefix("#") }.map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    // Each file is read by its own heading: that of an earlier version has fewer columns.
    return lines.dropFirst().map { cells in
      Day(cells: Dictionary(zip(lines[0], cells)) { first, _ in first })
    }
  }

  /// A manifest of the missing recordings, with all columns of the original. Paths are absolute, because it is in a
  /// different folder.
  package var missingManifest: String {
    let rows = missing.map { entry in
      CSV.row([
        entry.id, Self.absolute(entry.path), entry.zones?.text, entry.recorderZone?.text, entry.height.decimals(3),
        entry.isWalk.map { $0 ? "yes" : "no" }, entry.profile.map { $0.contains("/") ? Self.absolute($0) : $0 },
      ])
    }
    return "id,path,timezone,recorder_timezone,height,walking,profile\n" + rows.joined()
  }

  private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

  /// Writes `participants.csv`, `days.csv` and `missing.csv`.
  package func write() throws(FileFailure) {
    try folder.make(folder.path)
    try ResultFile.write(table, to: folder.path + "/participants.csv")
    try ResultFile.write(daysTable, to: folder.path + "/days.csv")
    try ResultFile.write(missingManifest, to: folder.path + "/missing.csv")
  }
}
