import Foundation
import JSONLines

/// One table of all recordings of a study, from the records of any number of runs, in the order of the manifest.
///
/// The same records give the same bytes, however the work was divided. Times, hosts and the results' own folders are not
/// in the tables.
package struct Collation: Sendable {
  /// One record an entry; `nil` where there is none, or only one of another version or other parameters.
  package let records: [(entry: StudyEntry, record: StudyRecord?)]
  private let folder: StudyFolder

  /// Reads the records.
  package init(_ manifest: StudyManifest, in folder: StudyFolder) {
    self.folder = folder
    records = manifest.entries.map { ($0, folder.record(of: $0)) }
  }

  /// Entries without a result that another run may have: no record, or a fault that may pass.
  package var missing: [StudyEntry] {
    records.filter { $0.record.map { $0.exitCode == Int(StudyFault.temporary.rawValue) } ?? true }.map(\.entry)
  }

  /// Entries that have a record of a fault that does not pass by itself.
  package var failures: [(entry: StudyEntry, record: StudyRecord)] {
    records.compactMap { entry, record in
      guard let record, record.exitCode != 0, record.exitCode != Int(StudyFault.temporary.rawValue) else { return nil }
      return (entry, record)
    }
  }

  /// Entries with a result.
  package var results: [(entry: StudyEntry, record: StudyRecord)] {
    records.compactMap { entry, record in record.flatMap { $0.exitCode == 0 ? (entry, $0) : nil } }
  }

  /// Whether results of several versions, or with several sets of parameters, stand beside one another.
  package var isMixed: Bool {
    Set(results.map { "\($0.record.source.version) \($0.record.source.parameters)" }).count > 1
  }

  /// The columns of ``table``.
  static let columns = [
    "start", "end", "duration", "steps", "distanceTravelled", "days", "validDays", "stepsPerValidDay", "wearHours",
    "wearHoursPerValidDay", "bouts", "walkingMinutes", "walkingMinutesPerValidDay", "peak1Cadence", "peak30Cadence",
    "enmo", "mad", "samples", "samplingFrequency", "format", "maker", "model", "serial", "range", "gaps", "gapDuration",
    "damagedParts", "calibrationErrorBefore", "calibrationErrorAfter", "warnings",
  ]

  /// One line an entry, also of those without a result.
  package var table: String {
    var text = "id,path,exitCode,message," + Self.columns.joined(separator: ",") + ",version,parameters,sha256\n"
    for (entry, record) in records {
      var cells = [CSV.quoted(entry.id), CSV.quoted(entry.path)]
      cells.append(record.map { String($0.exitCode) } ?? "")
      cells.append(CSV.quoted(record?.message ?? (record == nil ? "not analysed yet" : "")))
      cells += Self.columns.map { CSV.quoted(record?.values[$0]?.cell ?? "") }
      cells += [record?.source.version, record?.source.parameters, record?.source.sha256].map { CSV.quoted($0 ?? "") }
      text += cells.joined(separator: ",") + "\n"
    }
    return text
  }

  /// All days of all recordings with a result.
  package var daysTable: String {
    var text = "id," + StudyResult.daysHeading
    for (entry, _) in results {
      let days = FileManager.default.contents(atPath: folder.folder(of: entry) + "/days.csv") ?? Data()
      let lines = String(decoding: days, as: UTF8.self).split(separator: "\n")
      for line in lines.drop(while: { $0.hasPrefix("#") }).dropFirst() {
        text += CSV.quoted(entry.id) + "," + line + "\n"
      }
    }
    return text
  }

  /// A manifest of what is missing, with what the whole one says of it.
  package var missingManifest: String {
    let rows = missing.map { entry in
      [
        entry.id, entry.path, entry.zones?.text ?? "", entry.recorderZone?.text ?? "",
        entry.height.flatMap { Decimals.text($0, 3) } ?? "",
      ].map(CSV.quoted).joined(separator: ",") + "\n"
    }
    return "id,path,timezone,recorder_timezone,height\n" + rows.joined()
  }

  /// Writes `participants.csv`, `days.csv` and `missing.csv`.
  package func write() throws(SystemFailure) {
    try folder.make(folder.path)
    try TextFile.write(table, to: folder.path + "/participants.csv")
    try TextFile.write(daysTable, to: folder.path + "/days.csv")
    try TextFile.write(missingManifest, to: folder.path + "/missing.csv")
  }
}
