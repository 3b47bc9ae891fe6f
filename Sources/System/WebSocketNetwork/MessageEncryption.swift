import NIOCore
import NIOSSL
import Platform
import ServiceTransport

/// TLS for a connection to a WebSocket server or a broker, whose certificate is always verified.
package struct MessageEncryption: Sendable {
  private let context: NIOSSLContext
  /// The name to ask for and to verify; `nil` for an address, which is verified instead.
  private let name: String?
  /// Certificates of servers themselves: each is recognised as it is, whatever names it contains.
  private let known: [NIOSSLCertificate]

  /// - Parameter protocols: to tell the server (ALPN).
  /// - Throws: if the file with certificates cannot be read.
  package init(_ trust: MessageServer.Trust, host: String, protocols: [String] = ["http/1.1"]) throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.applicationProtocols = protocols
    var known: [NIOSSLCertificate] = []
    if case .file(let path) = trust {
      let certificates = try NIOSSLCertificate.fromPEMFile(path)
      if certificates.isEmpty { throw NIOSSLError.failedToLoadCertificate }
      // Those of authorities contain no names of hosts. A server's own need not be an authority, as BoringSSL
      // requires.
      if certificates.contains(where: { $0._subjectAlternativeNames().count > 0 }) { known = certificates }
      configuration.trustRoots = .certificates(certificates)
    }
    context = try NIOSSLContext(configuration: configuration)
    // Names in certificates have no dot at the end; RFC 6066 excludes addresses.
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    name = isAddress ? nil : host.hasSuffix(".") ? String(host.dropLast()) : host
    self.known = known
  }

  package func add(to channel: any Channel) throws {
    let known = known
    let handler =
      known.isEmpty
      ? try NIOSSLClientHandler(context: context, serverHostname: name)
      : try NIOSSLClientHandler(context: context, serverHostname: name) { chain, verdict in
        let isKnown = chain.first.map { known.contains($0) && Self.isValid($0) } ?? false
        verdict.succeed(isKnown ? .certificateVerified : .failed)
      }
    try channel.pipeline.syncOperations.addHandler(handler)
  }

  private static func isValid(_ certificate: NIOSSLCertificate) -> Bool {
    let now = Int(time(nil))
    return Int(certificate.notValidBefore) <= now && now <= Int(certificate.notValidAfter)
  }

  package static func isFailure(_ error: any Error) -> Bool { error is NIOSSLError || error is NIOSSLExtraError }

  /// Whether the server answers without TLS.
  package static func isPlain(_ error: any Error) -> Bool { "\(error)".contains("WRONG_VERSION_NUMBER") }

  package static func reason(_ error: any Error) -> String {
    if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
      return "its certificate is for another name"
    }
    let text = "\(error)"
    if text.contains("CERTIFICATE_VERIFY_FAILED") { return "its certificate is not trusted" }
    if isPlain(error) { return "the port has no TLS; write ws:// for a server without" }
    if case NIOSSLError.handshakeFailed? = error as? NIOSSLError { return "the handshake failed: \(text)" }
    return "the file contains no usable certificates"
  }
}
