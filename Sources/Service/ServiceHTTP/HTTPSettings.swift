import NIOSSL
import Platform
import ServiceCore
import ServiceSettings

/// The settings of the service's HTTP side.
package struct HTTPSettings: Sendable {
  package var addresses: [ListenAddress] = [.loopback]
  /// The clients' token; without one, only this machine has access.
  package var token: ServiceToken?
  /// The certificate chain and its key, both PEM files; with them, the service uses TLS only.
  package var certificate: (chain: String, key: String)?
  /// Additional host names that clients may use, such as `steps.example.org`.
  package var hostNames: [String] = []
  package var limits = ServiceLimits()
  /// The version in /health and the API document.
  package var version = "0.0.0"

  package init() {}

  /// Whether other machines can reach any address.
  package var isOpen: Bool { !addresses.allSatisfy(\.isLoopback) }

  /// Throws if the service must not start with these settings.
  package func validate() throws(ConfigurationError) {
    if addresses.isEmpty { throw ConfigurationError("no address to listen on; give one, such as 127.0.0.1:8080") }
    guard token == nil, let open = addresses.first(where: { !$0.isLoopback }) else { return }
    throw ConfigurationError(
      "\(open) is accessible from other machines, but no token is set; add --token-file FILE, or listen on 127.0.0.1 only"
    )
  }

  /// What to do if other users of this machine may read the private key: they can then read all traffic. `nil` if
  /// they may not. A group may be meant to read it, such as Debian's `ssl-cert`.
  var keyWarning: String? {
    guard let key = certificate?.key else { return nil }
    var status = stat()
    guard unsafe stat(key, &status) == 0, status.st_mode & 0o004 != 0 else { return nil }
    // Without its owner's right, this process could not read the key after the change.
    let owner = status.st_uid == geteuid() || geteuid() == 0 ? "" : "chown \(geteuid()) \(key); "
    return "other users of this machine may read the private key \(key); run: \(owner)chmod 600 \(key)"
  }

  /// The configuration for NIOSSL; `nil` without a certificate.
  package func tlsConfiguration() throws(ConfigurationError) -> TLSConfiguration? {
    guard let certificate else { return nil }
    let chain: [NIOSSLCertificateSource]
    do {
      chain = try NIOSSLCertificate.fromPEMFile(certificate.chain).map { .certificate($0) }
    } catch { throw Self.unusable(certificate.chain, "it contains no certificate") }
    do {
      let key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      _ = try NIOSSLContext(configuration: configuration)
      return configuration
    } catch { throw Self.unusable(certificate.key, "it does not contain the certificate's key") }
  }

  static func unusable(_ path: String, _ reason: String) -> ConfigurationError {
    ConfigurationError("\(path) cannot be used for TLS (\(reason)); give a PEM file")
  }
}
