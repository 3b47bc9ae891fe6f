import Foundation
import Platform
import ServiceCore

/// Files that arrive in parts, because a connection sends only short bodies. They are in hidden folders beside the history until
/// they are imported, given up, or the service ends.
struct ImportUploads {
  private struct Upload {
    var folder: String
    var size = 0
    var touched = ContinuousClock.now
  }

  private let parent: String
  private var uploads: [String: Upload] = [:]

  private static let prefix = ".import-"
  /// Bytes of a file.
  private static let largest = 8 << 30
  /// Files at a time; the one that was given up longest ago makes room.
  private static let most = 4

  /// - Parameter folder: of the history.
  init(folder: String) {
    parent = folder
    // Of a service that was killed.
    for name in Platform.names(inFolder: folder) ?? [] where name.hasPrefix(Self.prefix) {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  /// Removes what was given up.
  mutating func removeAll() {
    for upload in uploads.values { try? FileManager.default.removeItem(atPath: upload.folder) }
    uploads = [:]
  }

  /// Adds a part.
  /// - Returns: the bytes so far.
  mutating func add(_ bytes: [UInt8], at offset: Int, to identifier: String) throws -> Int {
    var upload = try uploads[identifier] ?? begin(identifier)
    guard offset == upload.size else {
      throw ServiceRefusal(status: 409, reason: "the next part begins at \(upload.size), not at \(offset)")
    }
    guard upload.size + bytes.count <= Self.largest else {
      try remove(identifier)
      throw ServiceRefusal(
        status: 413, reason: "the file is larger than \(Self.largest >> 30) GB; unpack it and send its parts")
    }
    let descriptor = unsafe open(upload.folder + "/data", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.full(errno) }
    defer { close(descriptor) }
    let failure = writeWhole(bytes, to: descriptor)
    guard failure == 0 else {
      try remove(identifier)
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
      throw ServiceRefusal(status: 404, reason: "unknown upload; send the file again from its beginning")
    }
    defer { try? remove(identifier) }
    let path = upload.folder + "/" + name
    guard unsafe rename(upload.folder + "/data", path) == 0 else { throw Self.full(errno) }
    return try body(path)
  }

  private mutating func begin(_ identifier: String) throws -> Upload {
    while uploads.count >= Self.most, let oldest = uploads.min(by: { $0.value.touched < $1.value.touched }) {
      try remove(oldest.key)
    }
    var template = Array("\(parent)/\(Self.prefix)XXXXXX\0".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw Self.full(errno) }
    let upload = unsafe Upload(folder: String(cString: made))
    uploads[identifier] = upload
    return upload
  }

  private mutating func remove(_ identifier: String) throws {
    guard let upload = uploads.removeValue(forKey: identifier) else { return }
    try FileManager.default.removeItem(atPath: upload.folder)
  }

  private static func full(_ code: Int32) -> ServiceRefusal {
    ServiceRefusal(
      status: 507, reason: "the file cannot be kept (\(systemText(code))); make room, or import it with a command")
  }
}
