import Foundation
import Glibc
import ServiceSettings
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceMessaging

@Suite("MQTT settings", .timeLimit(.minutes(30)), .ownThreads)
struct MQTTSettingsTests {
  private static func made(
    _ yaml: String, environment: [String: String] = [:]
  ) throws(ConfigurationError) -> MQTTSettings? {
    try ServiceConfiguration(ConfigurationFile.parse(yaml, path: "p.yaml"), environment: environment).mqtt
  }

  private static func error(_ yaml: String) -> String {
    do throws(ConfigurationError) {
      return "accepted: \(String(describing: try made(yaml)))"
    } catch {
      return "\(error)"
    }
  }

  @Test("without mqtt nothing is published")
  func off() throws {
    #expect(try Self.made("goal: 8000") == nil)
  }

  @Test(
    "the URL gives encryption, host and the usual port",
    arguments: [
      ("mqtts://broker.example", "broker.example", 8883, true),
      ("mqtt://broker.example/", "broker.example", 1883, false),
      ("mqtt://192.0.2.7:1884", "192.0.2.7", 1884, false), ("mqtts://[2001:db8::1]:9", "2001:db8::1", 9, true),
    ])
  func url(_ text: String, _ host: String, _ port: Int, _ isEncrypted: Bool) throws {
    let settings = try #require(try Self.made("mqtt: {url: \"\(text)\"}"))
    #expect(settings.host == host && settings.port == port && settings.isEncrypted == isEncrypted)
    #expect(settings.discovery == "homeassistant" && settings.name == "Pedometer" && settings.subscriptions.isEmpty)
  }

  @Test("all keys are read, in the spelling of the file or in capitals, and the password without its line break")
  func keys() throws {
    let folder = try TemporaryDirectory()
    let secret = try folder.write(Array("s3cret word\n".utf8), to: "password")
    try #require(unsafe chmod(secret, 0o600) == 0)
    let settings = try #require(
      try Self.made(
        """
        mqtt:
          url: mqtt://localhost
          discovery: off
          username: ann
          passwordFile: \(secret)
          name: Ann's "steps" ✓
          topic: home/ann
          subscribe: [phones/+/samples, steps/#]
        """))
    #expect(settings.discovery == nil && settings.user == "ann" && settings.password == "s3cret word")
    #expect(settings.name == "Ann's \"steps\" ✓" && settings.topic == "home/ann")
    #expect(settings.subscriptions == ["phones/+/samples", "steps/#"])
    #expect(!settings.exposesPassword)
    let far = try #require(
      try Self.made("mqtt: {url: mqtt://broker.example, username: ann, password-file: \(secret)}"))
    #expect(far.exposesPassword)
  }

  @Test("the service manager's credential is the password")
  func credential() throws {
    let folder = try TemporaryDirectory()
    let secret = try folder.write(Array("s3cret".utf8), to: "pedometerd.mqtt-password")
    try #require(unsafe chmod(secret, 0o400) == 0)
    let settings = try Self.made(
      "mqtt: {url: mqtt://localhost, username: ann}", environment: ["CREDENTIALS_DIRECTORY": folder.path])
    #expect(settings?.password == "s3cret")
  }

  @Test(
    "an invalid setting is refused with its line and its key",
    arguments: [
      ("mqtt: {discovery: off}", "p.yaml:1: mqtt.url is missing"),
      ("mqtt: mqtts://x", "p.yaml:1: 'mqtt' takes lines of 'key: value'"),
      ("goal: 1\nmqtt:\n  urll: mqtt://x", "p.yaml:3: unknown key 'mqtt.urll'; did you mean 'url'?"),
      ("mqtt.url: mqtt://x", "p.yaml:1: unknown key 'mqtt.url'"),
      ("mqt: {}", "unknown key 'mqt'; did you mean 'mqtt'?"),
      ("mqtt: {url: [a, b]}", "p.yaml:1: 'mqtt.url' takes one value"),
      ("mqtt: {url: \"http://x\"}", "p.yaml:1: mqtt.url 'http://x' is not the address of a broker"),
      ("mqtt: {url: mqtt://x/topic}", "mqtt.url 'mqtt://x/topic' is not the address"),
      ("mqtt: {url: \"mqtt://x:0\"}", "mqtt.url"), ("mqtt: {url: \"mqtt://x:65536\"}", "mqtt.url"),
      ("mqtt: {url: \"mqtt://ann:pw@x\"}", "mqtt.url contains a user or a password; use mqtt.username"),
      ("mqtt: {url: mqtt://x, password-file: /p}", "mqtt.password-file"),
      (
        "mqtt: {url: mqtt://x, username: a, password-file: /nowhere/p}",
        "mqtt.password-file /nowhere/p cannot be opened"
      ),
      ("mqtt: {url: mqtt://x, ca-file: /p}", "mqtt.ca-file needs TLS"),
      ("mqtt: {url: mqtts://x, ca-file: /nowhere/p}", "mqtt.ca-file: /nowhere/p cannot be read as certificates"),
      ("mqtt: {url: mqtt://x, topic: a/#}", "mqtt.topic 'a/#' is not a topic"),
      ("mqtt: {url: mqtt://x, topic: a//b}", "mqtt.topic"), ("mqtt: {url: mqtt://x, topic: /a}", "mqtt.topic"),
      ("mqtt: {url: mqtt://x, topic: $SYS}", "mqtt.topic"),
      ("mqtt: {url: mqtt://x, discovery: ha+}", "mqtt.discovery 'ha+' is not a topic"),
      ("mqtt: {url: mqtt://x, subscribe: \"a/#/b\"}", "mqtt.subscribe 'a/#/b' is not a topic"),
      ("mqtt: {url: mqtt://x, subscribe: [ok, \"a+\"]}", "mqtt.subscribe 'a+'"),
      ("mqtt: {url: mqtt://x, name: \"\"}", "mqtt.name"),
    ])
  func invalid(_ yaml: String, _ message: String) {
    #expect(Self.error(yaml).contains(message), "\(Self.error(yaml))")
  }

  @Test("pedometerd refuses an invalid mapping with exit code 78")
  func exitCode() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(Array("mqtt: {url: nonsense}\n".utf8), to: "p.yaml")
    let transcript = try Executable.built("pedometerd").run(["--config", file, "--check-config"])
    #expect(transcript.exitCode == 78)
    #expect(transcript.errors.hasPrefix("pedometerd: \(file):1: mqtt.url 'nonsense' is not the address of a broker"))
  }
}
