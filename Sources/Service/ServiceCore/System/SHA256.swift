import Ccrypto
import Platform

/// The checksum that OpenSSL computes.
package enum SHA256 {
  /// The checksum of some bytes, in 64 hexadecimal digits.
  package static func digits(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var size: UInt32 = 0
    let isDone = unsafe EVP_Digest(bytes, bytes.count, &digest, &size, EVP_sha256(), nil)
    precondition(isDone == 1 && size == 32, "OpenSSL has no SHA-256")
    return digest.map { $0.padded(2, radix: 16) }.joined()
  }
}
