import HistoryImport
import Platform
import ServiceCore

/// Files that arrive in parts, because a connection sends only short bodies. They are in folders beside the history until they are
/// imported, given up, or the service ends.
struct ImportUploads {
  private struct Upload {
    let folder: UnpackingFolder
    var size = 0
    var touched = ContinuousClock.now
  }

  private let parent: String
  private var uploads: [String: Upload] = [:]

  /// Bytes of a file.
  private static let largest = 8 << 30
  /// Files at a time; the one that was given up longest ago makes room.
  private static let most = 4

  /// - Parameter folder: of the history.
  init(folder: String) {
    parent = folder
    UnpackingFolder.removeAbandoned(in: folder)
  }

  /// Adds a part.
  /// - Returns: the bytes so far.
  mutating func add(_ bytes: [UInt8], at offset: Int, to identifier: String) throws -> Int {
    var upload = try uploads[identifier] ?? begin(identifier)
    guard offset == upload.size else {
      throw ServiceRefusal(409, "the next part begins at \(upload.size), not at \(offset)")
    }
    guard upload.size + bytes.count <= Self.largest else {
      uploads[identifier] = nil
      throw ServiceRefusal(413, "the file is larger than \(Self.largest >> 30) GB; unpack it and send its parts")
    }
    let descriptor = unsafe open(upload.folder.path + "/data", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.full(errno) }
    defer { close(descriptor) }
    let failure = writeWhole(bytes, to: descriptor)
    guard failure == 0 else {
      uploads[identifier] = nil
      throw Self.full(failure)
    }
    upload.size += bytes.count
    upload.touched = .now
    uploads[identifier] = upload
    return upload.size
  }

  /// Calls `body` with the path of a file that is complete, and removes it.
  /// - Parameter name: the name that messages give it.
  mutating func take<Result>(
    _ identifier: String, called name: String, _ body: (_ path: String) throws -> Result
  ) throws -> Result {
    guard let upload = uploads[identifier] else {
      throw ServiceRefusal(404, "unknown upload; send the file again from its beginning")
    }
    defer { uploads[identifier] = nil }
    let path = upload.folder.path + "/" + name
    guard unsafe rename(upload.folder.path + "/data", path) == 0 else { throw Self.full(errno) }
    return try body(path)
  }

  private mutating func begin(_ identifier: String) throws -> Upload {
    while uploads.count >= Self.most, let oldest = uploads.min(by: { $0.value.touched < $1.value.touched }) {
      uploads[oldest.key] = nil
    }
    guard let folder = try? UnpackingFolder(in: parent) else { throw Self.full(errno) }
    let upload = Upload(folder: folder)
    uploads[identifier] = upload
    return upload
  }

  private static func full(_ code: Int32) -> ServiceRefusal {
    ServiceRefusal(507, "the file cannot be kept (\(systemText(code))); make room, or import it with a command")
  }
}
