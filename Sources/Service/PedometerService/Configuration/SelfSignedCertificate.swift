import Foundation
import NIOSSL
import Platform
import ServiceCore
import ServiceHTTP
import ServiceSettings

/// A self-signed certificate that the service creates and keeps: browsers warn once, and then encrypt.
///
/// The openssl command creates it, because the service's libraries cannot generate keys without a second copy of BoringSSL.
struct SelfSignedCertificate: Sendable {
  /// The PEM files.
  let chain: String
  let key: String
  /// The SHA-256 of the certificate, as browsers show it.
  let fingerprint: String
  /// A message for the log, if any.
  let notice: String?

  /// Its validity in days; browsers accept no longer one.
  static let lifetime = 397
  /// It is replaced this many days before it expires.
  static let renewal = 14
  /// The names of the files in the state folder.
  static let (chainName, keyName) = ("tls-certificate.pem", "tls-key.pem")

  /// Loads the certificate of a folder. Creates one if there is none, or if it expires soon.
  /// - Parameters:
  ///   - folder: the state folder, which exists.
  ///   - now: the current time.
  ///   - environment: provides the `PATH` for finding `openssl`.
  init(
    in folder: String, names: OwnNames, now: Date = Date(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ConfigurationError) {
    let (chain, key) = ("\(folder)/\(Self.chainName)", "\(folder)/\(Self.keyName)")
    (self.chain, self.key) = (chain, key)
    if let kept = Self.certificate(chain, key), kept.end >= now + Double(Self.renewal) * 86_400 {
      (notice, fingerprint) = (nil, kept.fingerprint)
    } else {
      // Another one would change the fingerprint that the users' programs know.
      for path in [chain, key] where unsafe access(path, F_OK) == 0 && access(path, R_OK) != 0 {
        throw ConfigurationError("\(path) cannot be read (\(systemText(errno))); give it to the service's user")
      }
      guard let openssl = Self.openssl(environment) else {
        throw ConfigurationError(
          "tls-self-signed needs the command openssl; install the package openssl, or give tls-certificate and tls-key")
      }
      try Self.make(openssl, names, chain: chain, key: key)
      guard let made = Self.certificate(chain, key) else {
        throw ConfigurationError("openssl did not create a usable certificate; give tls-certificate and tls-key")
      }
      notice = "created a certificate for \((names.hosts + names.addresses).joined(separator: ", "))"
      fingerprint = made.fingerprint
    }
  }

  private static func openssl(_ environment: [String: String]) -> String? {
    (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/openssl" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The stored certificate; `nil` if it is missing or does not match its key.
  private static func certificate(_ chain: String, _ key: String) -> (end: Date, fingerprint: String)? {
    var settings = HTTPSettings()
    settings.certificate = (chain, key)
    guard (try? settings.tlsConfiguration()) != nil,
      let certificate = (try? NIOSSLCertificate.fromPEMFile(chain))?.first, let bytes = try? certificate.toDERBytes()
    else { return nil }
    let digits = SHA256.digits(of: bytes).uppercased()
    let pairs = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
    return (Date(timeIntervalSince1970: Double(certificate.notValidAfter)), pairs.joined(separator: ":"))
  }

  private static func make(
    _ openssl: String, _ names: OwnNames, chain: String, key: String
  ) throws(ConfigurationError) {
    let alternatives =
      (names.hosts + ["localhost"]).map { "DNS:\($0)" } + names.addresses.map { "IP:\($0)" }
    let extensions = [
      "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature", "extendedKeyUsage=serverAuth",
      "subjectAltName=\(alternatives.joined(separator: ","))",
    ]
    do {
      // The key comes through a pipe, so it is never readable by others, not even briefly.
      let (status, output) = try run(
        openssl,
        ["req", "-x509", "-config", "/dev/null", "-subj", "/CN=pedometerd"] + extensions.flatMap { ["-addext", $0] }
          + [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-sha256", "-nodes", "-days", "\(lifetime)",
          ])
      guard status == 0 else {
        throw ConfigurationError(
          "openssl cannot create a certificate: \(output.split(separator: "\n").last ?? "no reason given")")
      }
      guard let keyText = output.firstMatch(of: /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/)?.output,
        let chainText = output.firstMatch(of: /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/)?.output
      else { throw ConfigurationError("openssl did not create a certificate; give tls-certificate and tls-key") }
      try SmallFile.write(Array(keyText.utf8), to: key, permissions: 0o600)
      try SmallFile.write(Array(chainText.utf8), to: chain, permissions: 0o600)
    } catch let error as ConfigurationError {
      throw error
    } catch let failure as StateFileError {
      throw ConfigurationError("the certificate cannot be stored: \(failure)")
    } catch { throw ConfigurationError("openssl cannot be started: \(error)") }
  }

  private static func run(_ executable: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }
}
