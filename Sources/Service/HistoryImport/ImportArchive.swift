import Foundation
import Platform
import Recordings

/// The files of an archive or a folder that can be imported, such as Apple Health's `export.zip`, Health Connect's export or the account
/// of Google Takeout.
struct ImportArchive {
  typealias Read = (_ path: String) throws -> ImportedFile

  private let path: String
  private let read: Read
  private var whole = ImportedFile()
  private var taken = 0
  private var others = 0
  private var firstReason: String?

  private init(_ path: String, _ read: @escaping Read) { (self.path, self.read) = (path, read) }

  /// The contents of all known files in an archive, as those of one file.
  /// - Throws: ``ImportFailure``.
  static func read(_ path: String, cost: ImportCost, _ read: @escaping Read) throws -> ImportedFile {
    let folder = try UnpackingFolder()
    var files = Self(path, read)
    var isSingle = false
    do {
      let archive = try ArchiveStream(path: path)
      while let name = try archive.next()?.name {
        guard mayBeImported(name) else { continue }
        let unpacked = folder.path(for: name)
        isSingle = archive.isBare
        try copy(archive, of: path, to: unpacked, cost)
        defer { unsafe unlink(unpacked) }
        try files.take(unpacked, shown: isSingle ? path : name)
      }
      if let damage = archive.damage { files.whole.notices.append(damage) }
    } catch let error as RecordingError { throw ImportFailure(.damaged, "\(error)") }
    return try files.all("archive", isSingle: isSingle)
  }

  /// The contents of all known files in a folder and those below it.
  /// - Throws: ``ImportFailure``.
  static func readFolder(_ path: String, _ read: @escaping Read) throws -> ImportedFile {
    var files = Self(path, read)
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    guard names.count <= InputLimits.entries else {
      throw ImportFailure(
        .damaged, "\(path) has more than \(InputLimits.entries) files; give the folder of the export in it")
    }
    for name in names.sorted() where mayBeImported(name) || name.lowercased().hasSuffix(".zip") {
      try files.take("\(path)/\(name)", shown: name)
    }
    return try files.all("folder", isSingle: false)
  }

  private mutating func take(_ file: String, shown: String) throws {
    do {
      try whole.add(try read(file), of: path)
      taken += 1
    } catch let failure as ImportFailure {
      // There are files of other kinds as well.
      others += 1
      firstReason = firstReason ?? failure.description.replacing(file, with: shown)
    }
  }

  private func all(_ kind: String, isSingle: Bool) throws -> ImportedFile {
    var whole = whole
    guard taken > 0 else {
      if isSingle, let firstReason { throw ImportFailure(.damaged, firstReason) }
      throw ImportFailure(
        .damaged,
        "\(path) is \(kind == "archive" ? "an" : "a") \(kind) without a file that can be imported"
          + (firstReason.map { ": \($0)" } ?? ""))
    }
    if let firstReason {
      whole.notices.append(
        (others == 1 ? "one file of the \(kind) was left out: " : "\(others) files of the \(kind) were left out; ")
          + firstReason)
    }
    return whole
  }

  private static func copy(_ archive: ArchiveStream, of path: String, to unpacked: String, _ cost: ImportCost) throws {
    let descriptor = unsafe open(unpacked, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ImportFailure(.unreadable, "\(path) cannot be unpacked: \(systemText(errno))") }
    defer { close(descriptor) }
    let code = try archive.copy(to: descriptor) { try cost.check(path) }
    guard code == 0 else {
      throw ImportFailure(
        .unreadable, "\(path) cannot be unpacked: \(systemText(code)); set TMPDIR to a folder with more space")
    }
  }

  /// Whether a name is that of a file with steps. Apple Health's second file has the same data for physicians, and an account of
  /// Fitbit has thousands of files with heart rates and others, each with the date of its first day.
  static func mayBeImported(_ name: String) -> Bool {
    let name = name.lowercased()
    let parts = name.split(separator: "/")
    guard let file = parts.last, parts.first != "__macosx", !file.hasPrefix("."), !file.contains("_cda.") else {
      return false
    }
    if name.contains(/fitbit|google health|global export data|physical activity|user-site-export/),
      let measure = file.wholeMatch(of: /(.+)[-_]\d{4}-\d\d-\d\d\.(json|csv)/)?.1
    {
      return measure == "steps" || measure == "sleep"
    }
    return file == "data"
      || ["xml", "db", "sqlite", "sqlite3", "json", "jsonl", "csv", "tsv", "txt", "fit"].contains {
        file.hasSuffix("." + $0)
      }
  }
}
