import NIOSSL

/// The settings of the service's HTTP side.
struct ServiceSettings: Sendable {
  /// Where it listens.
  var addresses: [ListenAddress] = [.loopback]
  /// The secret that clients must show; without one, only this machine may ask.
  var token: ServiceToken?
  /// The certificate chain and its key, both PEM files; with them, only TLS is spoken.
  var certificate: (chain: String, key: String)?
  /// Names, besides this machine's own addresses, under which clients may ask, such as `steps.example.org`.
  var hostNames: [String] = []
  /// What clients may ask at most.
  var limits = ServiceLimits()
  /// What /health and the API's document say.
  var version = "0.0.0"

  /// Whether any address can be reached from other machines.
  var isOpen: Bool { !addresses.allSatisfy(\.isLoopback) }

  /// Throws why the service must not start so.
  func validate() throws(SettingsError) {
    if addresses.isEmpty { throw .noAddress }
    if token == nil, let open = addresses.first(where: { !$0.isLoopback }) { throw .openWithoutToken("\(open)") }
  }

  /// What NIOSSL needs; `nil` when no certificate is given.
  func tlsConfiguration() throws(SettingsError) -> TLSConfiguration? {
    guard let certificate else { return nil }
    let chain: [NIOSSLCertificateSource]
    do {
      chain = try NIOSSLCertificate.fromPEMFile(certificate.chain).map { .certificate($0) }
    } catch {
      throw .certificate(path: certificate.chain, reason: "it contains no certificate")
    }
    do {
      let key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      _ = try NIOSSLContext(configuration: configuration)
      return configuration
    } catch {
      throw .certificate(path: certificate.key, reason: "it does not contain the certificate's key")
    }
  }
}
