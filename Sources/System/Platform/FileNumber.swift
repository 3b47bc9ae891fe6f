import Glibc

package func isRegularFile(_ path: String) -> Bool {
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// The identity of a file, whatever its name.
package struct FileNumber: Sendable, Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// The identity of the file with a name; `nil` if there is none, with the reason in `errno`.
  package init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }

  package var text: String { "\(device):\(inode)" }
}
