import Foundation
import Glibc
import Platform
import Recordings

/// The files of an archive that can be imported, such as Apple Health's `export.zip`, Health Connect's export or Google Takeout.
struct ImportArchive {
  /// The contents of all known files in it, as those of one file.
  /// - Parameters:
  ///   - path: the archive.
  ///   - read: reads the files that were unpacked.
  /// - Throws: ``ImportFailure``.
  static func read(
    _ path: String, _ read: (_ path: String) throws -> ImportFile.Content, cost: ImportCost, now: Date
  ) throws -> ImportedFile {
    let folder = try UnpackingFolder()
    var whole = ImportedFile()
    var watches: [GarminMonitoring.Content] = []
    var (taken, others): (Int, [String]) = (0, [])
    var firstReason: String?
    var isSingle = false
    do {
      let archive = try ArchiveStream(path: path)
      while let name = try archive.next()?.name {
        guard mayBeImported(name) else { continue }
        let unpacked = folder.path(for: name)
        isSingle = archive.isBare
        let shown = isSingle ? path : name
        try copy(archive, of: path, to: unpacked, cost)
        defer { unsafe unlink(unpacked) }
        do {
          switch try read(unpacked) {
          case .file(let file): try whole.add(file, of: path)
          case .watch(let content): watches.append(content)
          }
          taken += 1
        } catch let failure as ImportFailure {
          // Archives have files of other kinds as well.
          others.append(name)
          firstReason = firstReason ?? failure.description.replacing(unpacked, with: shown)
        }
      }
      if let damage = archive.damage { whole.notices.append(damage) }
    } catch let error as RecordingError {
      throw ImportFailure(.damaged, "\(error)")
    }
    for file in GarminMonitoring.read(watches, now: now) { try whole.add(file, of: path) }
    guard taken > 0 else {
      if isSingle, let firstReason { throw ImportFailure(.damaged, firstReason) }
      throw ImportFailure(
        .damaged, "\(path) is an archive without a file that can be imported" + (firstReason.map { ": \($0)" } ?? ""))
    }
    if let firstReason {
      whole.notices.append(
        (others.count == 1
          ? "one file of the archive was left out: " : "\(others.count) files of the archive were left out; ")
          + firstReason)
    }
    return whole
  }

  private static func copy(
    _ archive: ArchiveStream, of path: String, to unpacked: String, _ cost: ImportCost
  ) throws {
    let descriptor = unsafe open(unpacked, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ImportFailure(.unreadable, "\(path) cannot be unpacked: \(systemText(errno))")
    }
    defer { close(descriptor) }
    let code = try archive.copy(to: descriptor) { try cost.check(path) }
    guard code == 0 else {
      throw ImportFailure(
        .unreadable, "\(path) cannot be unpacked: \(systemText(code)); set TMPDIR to a folder with more space")
    }
  }

  /// Whether a name is that of a file with steps. Apple Health's second file has the same data for physicians.
  static func mayBeImported(_ name: String) -> Bool {
    let parts = name.lowercased().split(separator: "/")
    guard let file = parts.last, parts.first != "__macosx", !file.hasPrefix("."), !file.contains("_cda.") else {
      return false
    }
    return file == "data"
      || ["xml", "db", "sqlite", "sqlite3", "json", "jsonl", "csv", "tsv", "txt", "fit"].contains {
        file.hasSuffix("." + $0)
      }
  }
}
