import Foundation
import TestSupport
import Testing

@testable import Analytics

/// The user's consent.
@Suite("AnalyticsSettings", .timeLimit(.minutes(30)))
struct AnalyticsSettingsTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("without a question to the user: off, no access, and no file")
  func off() throws {
    let path = directory.path + "/analytics.json"
    let settings = try AnalyticsSettings.load(from: path)
    #expect(!settings.isOn && settings.access() == nil)
    #expect(directory.contents == [])
  }

  @Test("saved settings can be loaded, by their owner alone")
  func kept() throws {
    let path = directory.path + "/analytics.json"
    let settings = AnalyticsSettings(isOn: true, url: "http://localhost:1", tokenFile: "/t")
    try settings.save(to: path)
    #expect(try AnalyticsSettings.load(from: path) == settings)
    #expect(directory.contents == ["analytics.json"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test("another file is named in the error, and is not consent")
  func unreadable() throws {
    let path = try directory.write(Array("on: yes".utf8), to: "analytics.json")
    #expect(throws: AnalyticsSettings.Failure.unreadable(path: path)) { try AnalyticsSettings.load(from: path) }
    try directory.write(Array("{}".utf8), to: "analytics.json")
    #expect(try AnalyticsSettings.load(from: path) == AnalyticsSettings())
  }

  @Test("settings that cannot be written give the reason")
  func notWritten() {
    let failure = #expect(throws: AnalyticsSettings.Failure.self) {
      try AnalyticsSettings(isOn: true).save(to: "/proc/no/such/analytics.json")
    }
    #expect("\(failure as Any)".contains("/proc/no/such/analytics.json"))
    // No permission is missing, but the folder.
    #expect(failure?.description.hasSuffix("; set XDG_CONFIG_HOME to a folder that can be written") == true)
  }

  @Test(
    "the token is the first line of its file, without blanks",
    arguments: [("secret\n", "secret"), (" secret \r\nmore\n", "secret"), ("", nil), ("\nx", nil), ("sécret", nil)])
  func token(_ text: String, _ token: String?) throws {
    let path = try directory.write(Array(text.utf8), to: "token")
    var settings = AnalyticsSettings(isOn: true, url: "http://localhost:1", tokenFile: path)
    #expect(settings.token() == token)
    #expect(settings.access()?.token == token)
    settings.isOn = false
    #expect(settings.access() == nil)
  }

  @Test("without an address or a token file there is no access")
  func incomplete() throws {
    let path = try directory.write(Array("secret".utf8), to: "token")
    #expect(AnalyticsSettings(isOn: true, url: "nowhere", tokenFile: path).access() == nil)
    #expect(AnalyticsSettings(isOn: true, url: nil, tokenFile: path).access() == nil)
    #expect(AnalyticsSettings(isOn: true, url: "http://localhost:1", tokenFile: path + "x").access() == nil)
  }

  @Test("the folders are those of the XDG specification; relative ones are ignored")
  func places() {
    let home = AnalyticsPlaces { ["HOME": "/h", "XDG_STATE_HOME": "state"][$0] }
    #expect(home?.settings == "/h/.config/pedometer/analytics.json")
    #expect(home?.spool == "/h/.local/state/pedometer/analytics")
    let given = AnalyticsPlaces { ["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"][$0] }
    #expect(given == AnalyticsPlaces(settings: "/c/pedometer/analytics.json", spool: "/s/pedometer/analytics"))
    #expect(AnalyticsPlaces { _ in nil } == nil)
  }
}
