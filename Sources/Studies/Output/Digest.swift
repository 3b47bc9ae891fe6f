import Ccrypto
import Platform

/// SHA-256 of a file, by OpenSSL.
enum Digest {
  /// - Returns: 64 hexadecimal digits.
  /// - Throws: a ``SystemFailure``.
  static func sha256(ofFile path: String) throws(SystemFailure) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw SystemFailure(errno: errno, path: path) }
    defer { close(descriptor) }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Platform.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw SystemFailure(errno: errno, path: path) }
      if count == 0 { break }
      unsafe EVP_DigestUpdate(context, buffer, count)
    }
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe EVP_DigestFinal_ex(context, &digest, nil)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// A system call on a file failed.
package struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of errno(3).
  package var errno: Int32
  package var path: String
  package var description: String { "\(path): \(systemText(errno))" }
}
