import HistoryImport
import Platform
import ServiceCore
import Synchronization

/// Files that arrive in parts, because a connection sends only short bodies. They are in folders beside the history until they are
/// imported, given up, or the service ends. One after the other is imported, outside the cooperative pool.
final class ImportUploads: Sendable {
  private struct Upload {
    let folder: UnpackingFolder
    var size = 0
    var touched = ContinuousClock.now
  }

  private let parent: String
  private let lane = WorkLane("imports", longestQueue: 16)
  private let uploads = Mutex<[String: Upload]>([:])

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
  func add(_ bytes: [UInt8], at offset: Int, to identifier: String) async throws -> Int {
    try await lane.run {
      try self.uploads.withLock { uploads in
        var upload = try uploads[identifier] ?? self.begin(identifier, &uploads)
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
    }
  }

  /// Calls `body` with the path of a file that is complete, and removes it.
  /// - Parameter name: the name that messages give it.
  func take<Result: Sendable>(
    _ identifier: String, called name: String, _ body: @escaping @Sendable (_ path: String) throws -> Result
  ) async throws -> Result {
    try await lane.run {
      guard let upload = self.uploads.withLock({ $0.removeValue(forKey: identifier) }) else {
        throw ServiceRefusal(404, "unknown upload; send the file again from its beginning")
      }
      let path = upload.folder.path + "/" + name
      guard unsafe rename(upload.folder.path + "/data", path) == 0 else { throw Self.full(errno) }
      return try withExtendedLifetime(upload) { try body(path) }
    }
  }

  private func begin(_ identifier: String, _ uploads: inout [String: Upload]) throws -> Upload {
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
