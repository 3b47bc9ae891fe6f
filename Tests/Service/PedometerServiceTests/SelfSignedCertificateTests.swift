import Foundation
import Glibc
import NIOSSL
import ServiceSettings
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("The self-signed certificate", .timeLimit(.minutes(30)), .ownThreads)
struct SelfSignedCertificateTests {
  private static let names = OwnNames(hosts: ["walker", "walker.local"], addresses: ["192.0.2.7", "127.0.0.1", "::1"])
  static var hasOpenSSL: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/openssl") }
  }

  @Test("it is created once, kept across restarts, and names the machine", .enabled(if: hasOpenSSL))
  func kept() throws {
    let folder = try TemporaryDirectory()
    let first = try SelfSignedCertificate(in: folder.path, names: Self.names)
    for path in [first.chain, first.key] {
      var status = stat()
      try #require(unsafe stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
    #expect(first.notice?.contains("walker.local") == true)
    let bytes = first.fingerprint.split(separator: ":")
    #expect(bytes.count == 32 && bytes.allSatisfy { $0.count == 2 && UInt8($0, radix: 16) != nil })
    let certificate = try #require(try NIOSSLCertificate.fromPEMFile(first.chain).first)
    let days = (Double(certificate.notValidAfter) - Date().timeIntervalSince1970) / 86_400
    #expect((395...398).contains(days))
    let second = try SelfSignedCertificate(in: folder.path, names: Self.names)
    #expect(second.fingerprint == first.fingerprint && second.notice == nil)
    var moved = Self.names
    moved.addresses.append("192.0.2.8")
    let third = try SelfSignedCertificate(in: folder.path, names: moved)
    #expect(third.fingerprint == first.fingerprint && third.notice == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "tls-certificate.pem", "tls-key.pem",
      ])
  }

  @Test("a certificate that expires soon, or has a damaged key, is replaced", .enabled(if: hasOpenSSL))
  func replaced() throws {
    let folder = try TemporaryDirectory()
    let first = try SelfSignedCertificate(in: folder.path, names: Self.names)
    let late = Date() + 384 * 86_400
    let second = try SelfSignedCertificate(in: folder.path, names: Self.names, now: late)
    #expect(second.fingerprint != first.fingerprint)
    _ = try folder.write(Array("nothing".utf8), to: "tls-key.pem")
    let third = try SelfSignedCertificate(in: folder.path, names: Self.names)
    #expect(third.fingerprint != second.fingerprint)
  }

  @Test("without openssl the message names the package to install, and the alternative")
  func absent() throws {
    let folder = try TemporaryDirectory()
    let error = #expect(throws: ConfigurationError.self) {
      _ = try SelfSignedCertificate(in: folder.path, names: Self.names, environment: ["PATH": "/nowhere"])
    }
    #expect(error?.description.contains("install the package openssl") == true)
  }

  @Test(
    "the address for phones is accessible from other machines",
    arguments: [
      ("0.0.0.0", [], true, "https://192.0.2.7:8443/phone"), ("127.0.0.1", [], false, "http://127.0.0.1:8443/phone"),
      ("0.0.0.0", ["steps.example.org"], true, "https://steps.example.org:8443/phone"),
      ("127.0.0.1", ["steps.example.org"], false, "https://steps.example.org/phone"),
      ("198.51.100.4", [], true, "https://198.51.100.4:8443/phone"), ("::", [], false, "http://192.0.2.7:8443/phone"),
    ] as [(String, [String], Bool, String)])
  func address(_ host: String, _ hostNames: [String], _ isSecure: Bool, _ url: String) {
    let listening = [ListenAddress(host: host, port: 8443)]
    #expect(Self.names.url("/phone", at: listening, hostNames: hostNames, isSecure: isSecure) == url)
  }
}
