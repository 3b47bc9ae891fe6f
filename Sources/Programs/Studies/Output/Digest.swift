import Ccrypto
import Platform

/// The SHA-256 of a file, computed by OpenSSL.
///
/// It can follow a reader of the same file: the data is still in the page cache, so each byte is read from the disk once.
@safe final class Digest {
  private let path: String
  private let size: Int
  private let descriptor: Int32
  private let context: OpaquePointer?
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  private var done = 0
  private var failure: FileFailure?

  /// Opens a file.
  /// - Parameter size: the size in bytes, needed to follow a reader.
  /// - Throws: a ``FileFailure``.
  init(ofFile path: String, size: Int = 0) throws(FileFailure) {
    descriptor = unsafe RawPath.call(path) { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    if descriptor < 0 { throw FileFailure(errno: errno, path: path) }
    (self.path, self.size) = (path, size)
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    unsafe context = unsafe EVP_MD_CTX_new()
    unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
    close(descriptor)
  }

  /// Hashes the fraction of the file that a reader has read, 0 to 1.
  func follow(_ fraction: Double?) {
    let end = Int((fraction ?? 0) * Double(size))
    while done + buffer.count <= end, takeBuffer() {}
  }

  /// Hashes the rest.
  /// - Returns: 64 hexadecimal digits.
  /// - Throws: a ``FileFailure``.
  func finish() throws(FileFailure) -> String {
    while takeBuffer() {}
    if let failure { throw failure }
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe EVP_DigestFinal_ex(context, &digest, nil)
    return digest.map { $0.padded(2, radix: 16) }.joined()
  }

  /// - Returns: whether there may be more.
  private func takeBuffer() -> Bool {
    if failure != nil { return false }
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe Platform.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0 {
      if errno == EINTR { return true }
      failure = FileFailure(errno: errno, path: path)
      return false
    }
    done += count
    unsafe EVP_DigestUpdate(context, buffer, count)
    return count > 0
  }

  /// Hashes a whole file.
  /// - Throws: a ``FileFailure``.
  static func sha256(ofFile path: String) throws(FileFailure) -> String { try Digest(ofFile: path).finish() }
}

/// A failed system call on a file.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The errno(3) value.
  package var errno: Int32
  package var path: String
  package var description: String { "\(path): \(systemText(errno))" }
}
