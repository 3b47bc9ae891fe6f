import Ccrypto

/// The checksum that OpenSSL computes.
package enum SHA256 {
  /// The checksum of some bytes, in 64 hexadecimal digits.
  package static func digits(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var size: UInt32 = 0
    let isDone = unsafe EVP_Digest(bytes, bytes.count, &digest, &size, EVP_sha256(), nil)
    precondition(isDone == 1 && size == 32, "OpenSSL has no SHA-256")
    return digest.map(digits).joined()
  }

  /// A byte, in two hexadecimal digits.
  package static func digits(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
