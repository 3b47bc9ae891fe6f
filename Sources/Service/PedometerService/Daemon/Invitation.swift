import Foundation
import Logging
import ServiceHTTP
import ServiceSettings
import ServiceWalkers

/// Everything people need to open the page for phones: the certificate, and messages with the address.
struct Invitation: Sendable {
  /// The settings, including the created certificate.
  let settings: HTTPSettings
  private let names: OwnNames
  private let fingerprint: String?
  private let isWanted: Bool
  /// The host names of the configuration.
  private let given: [String]

  init(
    _ configuration: ServiceConfiguration, folder: String, environment: [String: String], logger: Logger
  ) throws(ConfigurationError) {
    var settings = configuration.http
    names = configuration.isSelfSigned || configuration.showsInvitation ? .machine : OwnNames(hosts: [], addresses: [])
    var fingerprint: String?
    if configuration.isSelfSigned {
      var named = names
      named.hosts = settings.hostNames + names.hosts.filter { !settings.hostNames.contains($0) }
      let certificate = try SelfSignedCertificate(in: folder, names: named, environment: environment)
      settings.certificate = (certificate.chain, certificate.key)
      fingerprint = certificate.fingerprint
      if let notice = certificate.notice { logger.notice("\(notice)") }
      // Clients may use the names in the certificate.
      settings.hostNames = named.hosts
    }
    (self.settings, self.fingerprint) = (settings, fingerprint)
    (isWanted, given) = (configuration.showsInvitation, configuration.http.hostNames)
  }

  /// Prints the address and the fingerprint: on standard output if the invitation is wanted, otherwise to the log.
  /// - Parameter walkers: where the code is kept that lets one phone in; only a terminal shows it.
  func tell(_ addresses: [ListenAddress], _ walkers: WalkerBook, _ logger: Logger) {
    let secure = settings.certificate != nil
    guard isWanted || fingerprint != nil,
      var url = names.url("/phone", at: addresses, hostNames: given + settings.fullHostNames, isSecure: secure)
    else { return }
    guard isWanted else {
      logger.notice("walk with a phone at \(url)")
      if let fingerprint { logger.notice("the certificate's SHA-256 is \(fingerprint)") }
      return
    }
    var text = ""
    if settings.isOpen || !given.isEmpty {
      if isatty(STDOUT_FILENO) == 1, let token = settings.token,
        let code = try? walkers.invite(id: Walker.ownerID, issuer: token.digest)
      {
        url += "#code=\(code)"
        text = "The code lets one phone in, within ten minutes.\n"
      }
      // Only for a terminal, because it has colours.
      text = OwnerTools.code(url) + "Walk with a phone: \(url)\n" + text
    } else {
      text = "A phone cannot reach this service, which only this computer can open; use --listen 0.0.0.0:8443\n"
    }
    if !url.hasPrefix("https") {
      text += "Browsers provide motion data only to pages served over HTTPS; use --tls-self-signed\n"
    }
    if let fingerprint { text += "SHA-256 of the certificate: \(fingerprint)\n" }
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
