import Foundation
import JSONLines
import Platform
import Recordings

/// The folder of a study's results, with one folder per recording.
package struct StudyFolder: Sendable {
  package let path: String

  /// - Parameter path: the folder; it is created when something is written.
  package init(_ path: String) { self.path = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path }

  func folder(of entry: StudyEntry) -> String { path + "/" + entry.outputName }

  package func record(of entry: StudyEntry) -> StudyRecord? { StudyRecord(folder: folder(of: entry)) }

  /// Writes a recording's results, with the summary last.
  func write(
    _ result: StudyResult, of entry: StudyEntry, _ provenance: Provenance, _ parameters: StudyParameters
  ) throws(FileFailure) {
    let folder = folder(of: entry)
    try make(folder)
    let picture = WeekPicture.svg(result, title: entry.id, source: provenance.comment)
    try ResultFile.write(provenance.comment + result.minutesTable(parameters), to: folder + "/minutes.csv.gz")
    try ResultFile.write(provenance.comment + result.boutsTable, to: folder + "/bouts.csv")
    try ResultFile.write(provenance.comment + result.daysTable, to: folder + "/days.csv")
    try ResultFile.write(picture, to: folder + "/week.svg")
    try write(of: entry, exitCode: 0, nil, provenance) { result.add(to: &$0) }
  }

  /// Writes the reason why a recording has no result, and removes the files of an earlier result.
  func write(
    failure message: String, exitCode: Int32, of entry: StudyEntry, _ provenance: Provenance
  ) throws(FileFailure) {
    let folder = folder(of: entry)
    try make(folder)
    for name in ["minutes.csv.gz", "bouts.csv", "days.csv", "week.svg"] {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    try write(of: entry, exitCode: exitCode, message, provenance) { _ in }
  }

  private func write(
    of entry: StudyEntry, exitCode: Int32, _ message: String?, _ provenance: Provenance,
    _ add: (inout JSONLine) -> Void
  ) throws(FileFailure) {
    var line = JSONLine(["id": entry.id, "exitCode": Int(exitCode)])
    if let message { line.add("message", message) }
    add(&line)
    line.add("provenance", provenance.members)
    let folder = folder(of: entry)
    try ResultFile.write(line.line, to: folder + "/summary.json")
    // Those of an earlier run that was killed.
    for name in names(inFolder: folder) ?? [] where name.hasPrefix(".") && name.hasSuffix(".part") {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  package func make(_ folder: String) throws(FileFailure) {
    if unsafe mkdir(folder, 0o777) == 0 || errno == EEXIST { return }
    let number = errno
    guard number == ENOENT, let cut = folder.lastIndex(of: "/"), cut != folder.startIndex else {
      throw FileFailure(errno: number, path: folder)
    }
    try make(String(folder[..<cut]))
    if unsafe mkdir(folder, 0o777) != 0, errno != EEXIST { throw FileFailure(errno: errno, path: folder) }
  }
}

/// Text files that appear under their names when they are complete, compressed with gzip if the name ends in `.gz`.
package enum ResultFile {
  package static func write(_ text: String, to path: String) throws(FileFailure) {
    do throws(RecordingWriterError) {
      let file = try OutputFile(path: path)
      try file.write(Array(text.utf8))
      try file.finish()
    } catch { throw FileFailure(errno: number(of: error), path: path) }
  }

  private static func number(of error: RecordingWriterError) -> Int32 {
    if let errno = error.errno { return errno }
    return error.code == .brokenPipe ? EPIPE : error.code == .compression ? ENOMEM : EIO
  }
}
