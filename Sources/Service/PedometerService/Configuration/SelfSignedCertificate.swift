import Foundation
import Glibc
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
  /// The SHA-256 of the certificate, as browsers show it; `nil` if `openssl` is not available.
  let fingerprint: String?
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
    let openssl = Self.openssl(environment)
    var kept = Self.certificate(chain, key)
    if let certificate = kept, certificate.end < now + Double(Self.renewal) * 86_400 { kept = nil }
    if kept == nil {
      // Another one would change the fingerprint that the users' programs know.
      for path in [chain, key] where unsafe access(path, F_OK) == 0 && access(path, R_OK) != 0 {
        throw ConfigurationError("\(path) cannot be read (\(systemText(errno))); give it to the service's user")
      }
      guard let openssl else {
        throw ConfigurationError(
          "tls-self-signed needs the command openssl; install the package openssl, or give tls-certificate and tls-key")
      }
      try Self.make(openssl, names, chain: chain, key: key)
      guard Self.certificate(chain, key) != nil else {
        throw ConfigurationError("openssl did not create a usable certificate; give tls-certificate and tls-key")
      }
      notice = "created a certificate for \((names.hosts + names.addresses).joined(separator: ", "))"
    } else {
      let named = kept?.addresses ?? []
      let missing = names.addresses.filter { !Loopback.includes($0) && !named.contains($0) }
      notice =
        missing.isEmpty
        ? nil
        : "the certificate does not name \(missing.joined(separator: ", ")); remove \(chain) to get one that does"
    }
    fingerprint = openssl.flatMap { Self.fingerprint($0, chain) }
  }

  private static func openssl(_ environment: [String: String]) -> String? {
    (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/openssl" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The stored certificate; `nil` if it is missing or does not match its key.
  private static func certificate(_ chain: String, _ key: String) -> (end: Date, addresses: Set<String>)? {
    var settings = HTTPSettings()
    settings.certificate = (chain, key)
    guard (try? settings.tlsConfiguration()) != nil,
      let certificate = (try? NIOSSLCertificate.fromPEMFile(chain))?.first
    else { return nil }
    let addresses = certificate._subjectAlternativeNames().compactMap { name -> String? in
      name.nameType == .ipAddress ? text(ofAddress: Array(name.contents)) : nil
    }
    return (Date(timeIntervalSince1970: Double(certificate.notValidAfter)), Set(addresses))
  }

  private static func text(ofAddress bytes: [UInt8]) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard bytes.count == 4 || bytes.count == 16,
      unsafe inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil
    else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func make(
    _ openssl: String, _ names: OwnNames, chain: String, key: String
  ) throws(ConfigurationError) {
    let alternatives =
      (names.hosts + ["localhost"]).map { "DNS:\($0)" } + names.addresses.map { "IP:\($0)" }
    let settings = """
      [req]
      distinguished_name = name
      x509_extensions = extensions
      prompt = no
      [name]
      CN = pedometerd
      [extensions]
      basicConstraints = critical, CA:FALSE
      keyUsage = critical, digitalSignature
      extendedKeyUsage = serverAuth
      subjectAltName = \(alternatives.joined(separator: ", "))

      """
    do {
      // The key is never readable by others, not even briefly.
      let drafts = (key + ".new", chain + ".new", chain + ".cnf")
      defer { for path in [drafts.0, drafts.1, drafts.2] { unsafe unlink(path) } }
      try FileReplacement.replace(drafts.2, with: Array(settings.utf8), permissions: 0o600)
      try FileReplacement.replace(drafts.0, with: [], permissions: 0o600)
      let (status, output) = try run(
        openssl,
        [
          "req", "-x509", "-config", drafts.2, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-sha256",
          "-nodes", "-days", "\(lifetime)", "-keyout", drafts.0, "-out", drafts.1,
        ])
      guard status == 0, unsafe chmod(drafts.0, 0o600) == 0 else {
        throw ConfigurationError(
          "openssl cannot create a certificate: \(output.split(separator: "\n").last ?? "no reason given")")
      }
      guard let keyText = try SmallFile.text(of: drafts.0), let chainText = try SmallFile.text(of: drafts.1) else {
        throw ConfigurationError("openssl did not create a certificate; give tls-certificate and tls-key")
      }
      try SmallFile.write(Array(keyText.utf8), to: key, permissions: 0o600)
      try SmallFile.write(Array(chainText.utf8), to: chain, permissions: 0o600)
    } catch let error as ConfigurationError {
      throw error
    } catch let failure as StateFileError {
      throw ConfigurationError("the certificate cannot be stored: \(failure)")
    } catch let failure as FileReplacement.Failure {
      throw ConfigurationError("the certificate cannot be stored in \(chain): \(systemText(failure.errno))")
    } catch {
      throw ConfigurationError("openssl cannot be started: \(error)")
    }
  }

  private static func fingerprint(_ openssl: String, _ chain: String) -> String? {
    guard let (status, output) = try? run(openssl, ["x509", "-in", chain, "-noout", "-fingerprint", "-sha256"]),
      status == 0, let text = output.split(separator: "=").last
    else { return nil }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
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
