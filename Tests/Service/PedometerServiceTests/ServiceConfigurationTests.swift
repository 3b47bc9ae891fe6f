import Accelerometry
import Foundation
import Glibc
import Pedometry
import ServiceSettings
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("Service configuration", .timeLimit(.minutes(30)))
struct ServiceConfigurationTests {
  private static func made(
    _ options: [SettingKey: [String]], environment: [String: String] = [:]
  ) throws(ConfigurationError) -> ServiceConfiguration {
    var given = GivenSettings()
    for (key, values) in options { given.give(key, option: values) }
    return try ServiceConfiguration(given, environment: environment)
  }

  @Test("by default: the best sensor, only this machine")
  func standard() throws {
    let configuration = try Self.made([:])
    #expect(configuration.sources.isEmpty && configuration.state == nil && configuration.goal == nil)
    #expect(configuration.http.addresses == [.loopback] && configuration.http.token == nil)
    #expect(configuration.reading == .thrifty && configuration.walk.start == .zero)
  }

  @Test("options take precedence over the file, key by key")
  func precedence() throws {
    let file = try ConfigurationFile.parse("goal: 1000\nday-start: 03:30\nsources: [walk.csv]", path: "p.yaml")
    var options = GivenSettings()
    options.give(.goal, option: ["2000"])
    let configuration = try ServiceConfiguration(options.over(file), environment: [:])
    #expect(configuration.goal == 2000)
    #expect(configuration.walk.start == .seconds(3 * 3600 + 1800))
    #expect(configuration.sources == [.file(path: "walk.csv")])
  }

  @Test("the user's settings for sources are used")
  func recordings() throws {
    let configuration = try Self.made([.units: ["raw=16384"], .rate: ["50"], .columns: ["t,ax,ay,az"]])
    #expect(configuration.recordings.unit == .raw(countsPerG: 16384))
    #expect(configuration.recordings.samplingFrequency?.hertz == 50)
    #expect(configuration.recordings.columns == ["t", "ax", "ay", "az"])
    #expect(try Self.made([.units: ["auto"]]).recordings.unit == nil)
  }

  @Test("the service manager's folders are the defaults")
  func manager() throws {
    let configuration = try Self.made([:], environment: ["STATE_DIRECTORY": "/var/lib/pedometer:/other"])
    #expect(configuration.state == "/var/lib/pedometer")
    #expect(try Self.made([.state: ["/mine"]], environment: ["STATE_DIRECTORY": "/x"]).state == "/mine")
  }

  @Test(
    "invalid values are refused with their location",
    arguments: [
      (
        SettingKey.units, "raw=0",
        "--units: 'raw=0' is not a unit; give auto, g, mg, m/s2 or raw=COUNTS, such as raw=16384"
      ),
      (.rate, "4", "--rate: '4' is out of range; give 5 to 100000 samples per second, such as 50"),
      (
        .columns, "t,x,x,z",
        "--columns: 't,x,x,z' does not name columns; give time, x, y and z, or x, y and z, by name or number, such as t,x,y,z"
      ),
      (.goal, "0", "--goal: '0' is not a goal; give a number of steps from 1 to 1000000, such as 8000"),
      (.goal, "many", "--goal: 'many' is not a goal; give a number of steps from 1 to 1000000, such as 8000"),
      (.timeZone, "Mars/Olympus", "--time-zone: 'Mars/Olympus' is not a time zone; give one such as Europe/Vienna"),
      (.dayStart, "24:00", "--day-start: '24:00' is not a time of day; write HH:MM, such as 04:00"),
      (.dayStart, "4", "--day-start: '4' is not a time of day; write HH:MM, such as 04:00"),
      (.height, "180", "--height: '180' is out of range; give metres from 0.5 to 2.6, such as 1.80"),
      (.stepLength, "0", "--step-length: '0' is out of range; give metres from 0.1 to 3.0, such as 0.72"),
      (
        .sources, "bar:baz",
        "--source: 'bar:baz' is no file; check the name: sources other than files begin with one of iio:, evdev:,"
      ),
      (.sources, "-", "--source: a service has no standard input; give a sensor, such as iio:device0"),
      (.sources, "synthetic:cadence=9", "--source: "),
      (.reading, "fast", "--reading: 'fast' is not a reading mode"),
      (.logLevel, "loud", "--log-level: 'loud' is not a log level; use one of trace"),
      (.tlsKey, "k.pem", "--tls-key: tls-key needs tls-certificate"),
      (.tlsSelfSigned, "yes", "--tls-self-signed: 'yes' is neither true nor false"),
      (.tlsCertificate, "c.pem", "--tls-certificate: tls-certificate needs tls-key"),
      (.listen, "8080", "--listen: '8080' is not an address"),
      (.listen, "0.0.0.0:8080", "--listen: 0.0.0.0:8080 is accessible from other machines, but no token is set"),
    ])
  func refused(_ key: SettingKey, _ text: String, _ message: String) {
    let error = #expect(throws: ConfigurationError.self) { try Self.made([key: [text]]) }
    #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("height and step length exclude each other")
  func conflict() {
    #expect(throws: ConfigurationError.self) { try Self.made([.height: ["1.8"], .stepLength: ["0.7"]]) }
  }

  // MARK: The token

  private static let secret = "0123456789abcdef0123"

  @Test("the token is read from a file that only its owner may read")
  func token() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array("\(Self.secret)\n".utf8), to: "token")
    unsafe chmod(path, 0o600)
    let configuration = try Self.made([.tokenFile: [path], .listen: ["0.0.0.0:8080"]])
    #expect(configuration.http.token?.isEqual(to: Self.secret) == true)
    unsafe chmod(path, 0o640)
    let error = #expect(throws: ConfigurationError.self) { try Self.made([.tokenFile: [path]]) }
    #expect(error?.description == "--token-file: others may read the token file \(path); run: chmod 600 \(path)")
  }

  @Test("the token of the service manager's credentials is found by name")
  func credential() throws {
    let folder = try TemporaryDirectory()
    #expect(try Self.made([:], environment: ["CREDENTIALS_DIRECTORY": folder.path]).http.token == nil)
    let path = try folder.write(Array(Self.secret.utf8), to: TokenFile.credential)
    unsafe chmod(path, 0o400)
    #expect(try Self.made([:], environment: ["CREDENTIALS_DIRECTORY": folder.path]).http.token != nil)
  }

  @Test("a short token, a folder and a missing file are refused, and the token is never printed")
  func badTokens() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array("short".utf8), to: "token")
    unsafe chmod(path, 0o600)
    for path in [path, folder.path, folder.path + "/none"] {
      let error = #expect(throws: ConfigurationError.self) { try Self.made([.tokenFile: [path]]) }
      #expect(error?.message.contains("short;") == false)
    }
  }
}
