import ArgumentParser
import Foundation
import LiveSources
import PedometerCommands
import Platform
import Recordings
import Studies

/// What stands on the command line, as a manifest.
enum StudySources {
  /// Endings of recordings, without that of a compression.
  private static let endings: Set<String> = [
    "csv", "txt", "jsonl", "ndjson", "json", "cwa", "gt3x", "bin", "mtx", "zip",
  ]

  /// Reads manifests, and lists folders.
  /// - Throws: an exit code, after a message.
  static func manifest(_ sources: [String]) throws -> StudyManifest {
    do {
      if sources.count == 1, let text = try manifestText(sources[0]) {
        let cut = sources[0].lastIndex(of: "/").map { String(sources[0][...$0]) } ?? ""
        return try StudyManifest(parsing: text, folder: cut)
      }
      return try StudyManifest(try sources.flatMap(files).map { StudyEntry(id: name($0), path: $0) })
    } catch let fault as StudyManifest.Fault {
      StandardOutput.complain("pedometer: \(sources.joined(separator: " ")): \(fault)")
      throw ExitStatus.badData.exitCode
    }
  }

  /// The text of a manifest; `nil` when the file is a recording or a folder.
  private static func manifestText(_ path: String) throws -> String? {
    guard !isFolder(path), isManifestName(path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      StandardOutput.complain("pedometer: cannot read the manifest \(path); check its name and permissions")
      throw ExitStatus.noInput.exitCode
    }
    let text = String(decoding: data.prefix(1 << 26), as: UTF8.self)
    // A recording in CSV has no column of paths, and numbers in its lines.
    return looksLikeManifest(text) ? text : nil
  }

  private static func isManifestName(_ path: String) -> Bool {
    ["txt", "csv", "list", "manifest"].contains { path.hasSuffix("." + $0) }
  }

  private static func looksLikeManifest(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline).lazy.filter { !$0.hasPrefix("#") }
    guard let first = lines.first else { return true }
    let names = first.lowercased().split(separator: ",").map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
    if names.contains("path") || names.contains("file") || names.contains("filename") { return true }
    return !first.contains(",") && first.contains { $0.isLetter } && (first.contains(".") || first.contains("/"))
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// A folder's recordings with those of the folders in it, or the file itself.
  private static func files(_ path: String) throws -> [String] {
    guard isFolder(path) else { return [path] }
    let paths = (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).filter(isRecordingName)
    if paths.isEmpty {
      StandardOutput.complain("pedometer: \(path) holds no recordings (\(endings.sorted().joined(separator: ", ")))")
      throw ExitStatus.noInput.exitCode
    }
    return paths.sorted().map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
  }

  private static func isRecordingName(_ path: String) -> Bool {
    var parts = path.lowercased().split(separator: ".").map(String.init)
    if let last = parts.last, ["gz", "bz2", "xz", "zst"].contains(last) { parts.removeLast() }
    return parts.count > 1 && endings.contains(parts.last ?? "")
      && !path.split(separator: "/").contains { $0.hasPrefix(".") }
  }

  private static func name(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }
}
