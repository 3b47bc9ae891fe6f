import ArgumentParser
import Foundation
import LiveSources
import PedometerCommands
import Platform
import Recordings
import Studies
import Terminals

enum StudySources {
  /// File name extensions of recordings, without those of compression. Files that are named need none of them. Logs and
  /// data of other programs are often beside recordings, so `.log`, `.dat` and `.sql` are not among them.
  private static let endings: Set<String> = [
    "csv", "tsv", "tab", "txt", "jsonl", "ndjson", "json", "cwa", "gt3x", "bin", "mtx", "iio", "zip", "7z", "tar",
    "tgz",
    "tbz", "tbz2", "txz", "tzst",
  ]

  /// Reads manifests, and lists folders.
  /// - Throws: an exit code, after a message.
  static func manifest(_ sources: [String], output: String) throws -> StudyManifest {
    do {
      if sources.count == 1, let text = try manifestText(sources[0]) {
        let cut = sources[0].lastIndex(of: "/").map { String(sources[0][...$0]) } ?? ""
        let manifest = try StudyManifest(parsing: text, folder: cut)
        tell(unused: manifest.unusedColumns, of: sources[0])
        return manifest
      }
      return try StudyManifest(
        try sources.flatMap { try files($0, without: output) }.map { StudyEntry(id: name($0), path: $0) })
    } catch let fault as StudyManifest.Fault {
      throw ExitStatus.badData.failure("\(sources.joined(separator: " ")): \(fault)")
    }
  }

  private static func tell(unused columns: [String], of manifest: String) {
    if columns.isEmpty { return }
    let names = columns.map { "'\($0)'" }.joined(separator: ", ")
    let sentence = columns.count == 1 ? "column \(names) is not used" : "columns \(names) are not used"
    remark("\(manifest): \(sentence)")
  }

  /// The text of a manifest; `nil` if the file is a recording or a folder.
  private static func manifestText(_ path: String) throws -> String? {
    guard !isFolder(path) else { return nil }
    guard let file = FileHandle(forReadingAtPath: path), let beginning = try? file.read(upToCount: 1 << 16) ?? Data()
    else {
      // A recording that cannot be read becomes a failure of the study.
      guard isManifestName(path) else { return nil }
      let isForbidden = unsafe access(path, F_OK) == 0 && access(path, R_OK) != 0
      throw (isForbidden ? ExitStatus.permission : .noInput).failure(
        "cannot read \(path); "
          + (isForbidden ? "ask its owner for read permission" : "check the name of the manifest or recording"))
    }
    // A CSV recording has no column of paths, and its lines contain numbers. It may be larger than memory.
    guard !beginning.isEmpty || isManifestName(path), !beginning.contains(0),
      looksLikeManifest(String(decoding: beginning, as: UTF8.self), path)
    else { return nil }
    guard let rest = try? file.readToEnd() ?? Data() else {
      throw ExitStatus.io.failure("cannot read all of the manifest \(path); try again")
    }
    return String(decoding: beginning + rest, as: UTF8.self)
  }

  private static func isManifestName(_ path: String) -> Bool {
    ["txt", "csv", "list", "manifest"].contains { path.hasSuffix("." + $0) }
  }

  private static func looksLikeManifest(_ text: String, _ path: String) -> Bool {
    guard let (first, namesColumns) = StudyManifest.beginning(of: text) else { return true }
    if namesColumns { return true }
    guard !first.contains(","), first.contains(where: \.isLetter) else { return false }
    if isManifestName(path) { return first.contains(".") || first.contains("/") }
    // Under any other name it may be a recording that begins with a title.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return unsafe RawPath.call(first.hasPrefix("/") ? first : folder + first) { unsafe access($0, F_OK) } == 0
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe RawPath.call(path) { unsafe stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The recordings of a folder and its subfolders, or the file itself.
  private static func files(_ path: String, without output: String) throws -> [String] {
    guard isFolder(path) else { return [path] }
    let names = (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).sorted()
      .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
    let paths = names.filter(isRecordingName)
    let results = absolute(output) + "/"
    if paths.isEmpty {
      throw ExitStatus.noInput.failure("\(path) contains no recordings (\(endings.sorted().joined(separator: ", ")))")
    }
    // Results in the same folder are tables, too.
    let base = path.hasSuffix("/") ? path : path + "/"
    func isResult(_ name: String) -> Bool { absolute(base + name).hasPrefix(results) }
    tell(
      leftOut: names.filter { !isRecordingName($0) && isRegularFile(base + $0) && !isResult($0) },
      of: path)
    return paths.filter { !isResult($0) }.map { base + $0 }
  }

  private static func tell(leftOut names: [String], of folder: String) {
    guard let first = names.first else { return }
    let sentence =
      names.count == 1
      ? "\(first) was left out: its name does not end like that of a recording"
      : "\(names.count) files were left out, first \(first): their names do not end like those of recordings"
    complain("\(folder): \(sentence); to analyse such a file, name it or list it in a manifest")
  }

  /// The absolute path, without a slash at its end.
  static func absolute(_ path: String) -> String {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private static func isRecordingName(_ path: String) -> Bool {
    var parts = path.lowercased().split(separator: ".").map(String.init)
    if let last = parts.last, ["gz", "bz2", "xz", "zst"].contains(last) { parts.removeLast() }
    return parts.count > 1 && endings.contains(parts.last ?? "")
  }

  private static func name(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }
}
