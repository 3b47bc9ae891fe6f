import Foundation
import Platform

/// What distinguishes a file from the one that had its name before. The time of the last change of its permissions belongs to it,
/// because a file that could not be read may then be readable.
struct FileStamp: Codable, Sendable, Hashable {
  private let number: UInt64
  private let size: Int64
  private let times: [Int]

  /// `nil` unless it is a file with content; links are not followed.
  init?(path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
    (number, size) = (UInt64(status.st_ino), Int64(status.st_size))
    times = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}

struct FolderScan {
  struct File: Hashable {
    var name: String
    var stamp: FileStamp
  }

  struct Result {
    /// New or changed, and the same as at the look before.
    var ready: [File] = []
    /// All names; `nil` if the folder cannot be read.
    var names: Set<String>?
    /// Why it cannot be read; 0 if it can, or is not there.
    var errno: Int32 = 0
  }

  /// The stamps of the look before.
  private var seen: [String: FileStamp] = [:]

  /// Blocks: it asks for the state of each file.
  /// - Parameter known: the stamps of files that need no further look.
  mutating func look(at folder: String, known: [String: FileStamp]) -> Result {
    guard let all = Platform.names(inFolder: folder) else { return Result(errno: errno == ENOENT ? 0 : errno) }
    let names = all.filter(Self.isOfInterest)
    var result = Result(names: Set(names))
    var stamps: [String: FileStamp] = [:]
    for name in names {
      guard let stamp = FileStamp(path: folder + "/" + name), stamp != known[name] else { continue }
      stamps[name] = stamp
      if seen[name] == stamp { result.ready.append(File(name: name, stamp: stamp)) }
    }
    seen = stamps
    return result
  }

  /// Hidden files, drafts of browsers and other programs, and what SQLite has beside a database, are not.
  private static func isOfInterest(_ name: String) -> Bool {
    let endings = [".part", ".partial", ".tmp", ".crdownload", "~", "-wal", "-shm", "-journal"]
    return !name.hasPrefix(".") && !endings.contains { name.lowercased().hasSuffix($0) }
  }
}
