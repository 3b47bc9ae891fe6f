import Foundation
import ServiceSettings
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("the service's settings", .timeLimit(.minutes(30)), .ownThreads)
struct HTTPSettingsTests {
  @Test(
    "without a token only this machine has access",
    arguments: [
      ("127.0.0.1:8080", true), ("localhost:0", true), ("[::1]:80", true), ("127.3.4.5:80", true),
      ("[0:0:0:0:0:0:0:1]:80", true), ("[::ffff:127.0.0.1]:80", true), ("[::ffff:10.0.0.1]:80", false),
      ("0.0.0.0:8080", false), ("[::]:8080", false), ("192.168.1.2:80", false), ("steps.example.org:80", false),
      ("127.0.0.1.example.org:80", false),
    ])
  func loopbackOnly(_ text: String, _ mayStart: Bool) throws {
    var settings = HTTPSettings()
    settings.addresses.append(try ListenAddress(text))
    if mayStart {
      try settings.validate()
    } else {
      let error = #expect(throws: ConfigurationError.self) { try settings.validate() }
      #expect(error?.description.contains("--token-file") == true && error?.description.contains(text) == true)
      #expect(throws: ConfigurationError.self) { try FakeService { $0 = settings } }
      settings.token = try ServiceToken(FakeService.secret)
      try settings.validate()
    }
  }

  @Test(
    "an invalid address is refused",
    arguments: ["", "8080", "localhost", "localhost:", ":80", "a:b:80", "::1:80", "localhost:65536", "a/b:80", "a b:1"])
  func badAddress(_ text: String) {
    let error = #expect(throws: ConfigurationError.self) { try ListenAddress(text, at: "--listen") }
    #expect(error?.description.hasPrefix("--listen: '\(text)' is not an address to listen on") == true)
  }

  @Test("an address is written as it is parsed", arguments: ["127.0.0.1:8080", "[::1]:0", "localhost:65535"])
  func address(_ text: String) throws { #expect(try "\(ListenAddress(text))" == text) }

  @Test("a token that is too short, or invalid in a header, is refused")
  func badToken() {
    for (text, reason) in [
      (" \n", "empty"), ("123456789012345\n", "only 15 characters"), ("1234567890 123456", "not allowed in a header"),
      ("1234567890ü123456", "not allowed in a header"),
    ] {
      let error = #expect(throws: ConfigurationError.self) { try ServiceToken(text) }
      #expect(error?.description.contains(reason) == true)
    }
  }

  @Test("a token is never printed")
  func printing() throws {
    let token = try ServiceToken(FakeService.secret + "\n")
    #expect(token.isEqual(to: FakeService.secret))
    var dumped = ""
    dump(token, to: &dumped)
    var settings = HTTPSettings()
    settings.token = token
    dump(settings, to: &dumped)
    for text in ["\(token)", String(reflecting: token), "\(settings)", dumped] {
      #expect(!text.contains(FakeService.secret) && !text.contains("97"))
    }
  }

  @Test(
    "a private key that every user may read is reported with the command that helps", arguments: [0o644, 0o640, 0o600])
  func openKey(_ mode: Int) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write([], to: "key.pem")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    var settings = HTTPSettings()
    settings.certificate = (path, path)
    let warning = settings.keyWarning
    guard mode == 0o644 else {
      #expect(warning == nil)
      return
    }
    let command = try #require(warning?.components(separatedBy: "; run: ").last)
    let outcome = try Executable(path: "/bin/sh").run(["-c", command])
    #expect(outcome.exitCode == 0 && settings.keyWarning == nil, "\(command): \(outcome.errors)")
  }

  @Test("an invalid certificate or key is named")
  func certificate() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array("nonsense".utf8), to: "nonsense.pem")
    for chain in [path, folder.path + "/missing.pem"] {
      var settings = HTTPSettings()
      settings.certificate = (chain, path)
      let error = #expect(throws: ConfigurationError.self) { _ = try settings.tlsConfiguration() }
      #expect(error?.description.hasPrefix(chain) == true)
    }
  }
}
