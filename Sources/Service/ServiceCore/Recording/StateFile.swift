import Foundation
import Platform

/// A private JSON file of the state folder, which the service and the command `pedometerd` both change.
package struct StateFile<Content: Codable & Sendable>: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// The content; `nil` if there is no file.
  package func read() throws(StateFileError) -> Content? {
    guard let bytes = try SmallFile.bytes(of: path) else { return nil }
    do { return try JSONDecoder().decode(Content.self, from: Data(bytes)) } catch {
      throw StateFileError(path: path, errno: EBADMSG)
    }
  }

  /// Replaces the content; it is durable when this returns.
  package func write(_ content: Content) throws(StateFileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let bytes: Data
    do { bytes = try encoder.encode(content) } catch { throw StateFileError(path: path, errno: EINVAL) }
    try SmallFile.write(Array(bytes) + [0x0A], to: path, permissions: 0o600)
  }

  /// Changes with every replacement of the file.
  package var stamp: StateStamp? { StateStamp(path: path) }
}

/// What distinguishes a file from the one that had its name before.
package struct StateStamp: Sendable, Hashable {
  private let file: FileNumber
  private let seconds: Int
  private let nanoseconds: Int
  private let size: Int

  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (file, size) = (FileNumber(status), Int(status.st_size))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
