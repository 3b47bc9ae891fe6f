import Foundation
import TestSupport
import Testing

@testable import ServiceCore

@Suite("Settings of a walker", .timeLimit(.minutes(30)))
struct SettingsFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static func made(height: Double? = nil, stepLength: Double? = nil, dayStart: String? = nil) -> WalkSettings {
    var settings = WalkSettings()
    (settings.height, settings.stepLength, settings.dayStart) = (height, stepLength, dayStart)
    return settings
  }

  @Test("those of the options hold until others are set, which outlive a restart with other options")
  func precedence() throws {
    let usual = Self.made(height: 1.7, dayStart: "03:00")
    let file = try SettingsFile(folder: folder.path, usual: usual)
    #expect(file.present == usual && usual.start == .seconds(3 * 3600))
    let own = Self.made(stepLength: 0.8)
    try file.set(own)
    for file in [file, try SettingsFile(folder: folder.path, usual: Self.made(height: 1.5))] {
      #expect(file.present == own && file.present.model == .fixed(0.8) && file.present.start == .zero)
    }
  }

  @Test("commands know the settings of the service's options, until others are set")
  func noted() throws {
    #expect(try SettingsFile(folder: folder.path).present == WalkSettings())
    let path = folder.path + "/settings-usual.json"
    try SettingsFile(folder: folder.path, usual: WalkSettings()).note()
    #expect(!FileManager.default.fileExists(atPath: path), "there is nothing to note")
    let usual = Self.made(height: 1.7, dayStart: "03:00")
    for content in [nil, "damaged"] {
      if let content { try Data(content.utf8).write(to: URL(filePath: path)) }
      try SettingsFile(folder: folder.path, usual: usual).note()
      #expect(try SettingsFile(folder: folder.path).present == usual)
    }
    try SettingsFile(folder: folder.path).set(Self.made(dayStart: "05:00"))
    #expect(try SettingsFile(folder: folder.path).present == Self.made(dayStart: "05:00"))
    // A service without the options.
    let plain = try SettingsFile(folder: folder.path, usual: WalkSettings())
    plain.note()
    try FileManager.default.removeItem(atPath: folder.path + "/settings.json")
    #expect(try SettingsFile(folder: folder.path).present == WalkSettings())
  }

  @Test(
    "values that cannot be are refused with what can be, and change nothing",
    arguments: [
      (made(height: 180), "'height' is in metres, from 0.5 to 2.6"),
      (made(stepLength: 0), "'stepLength' is in metres, from 0.1 to 3.0"),
      (made(height: 1.8, stepLength: 0.7), "exclude each other"),
      (made(dayStart: "24:00"), "'dayStart' is a time of day as HH:MM"),
    ])
  func refusals(settings: WalkSettings, reason: String) throws {
    let file = try SettingsFile(folder: folder.path, usual: WalkSettings())
    let refusal = #expect(throws: ServiceRefusal.self) { try file.set(settings) }
    #expect(refusal?.status == 400 && refusal?.reason.contains(reason) == true)
    #expect(file.present == WalkSettings())
  }

  @Test("a file that is damaged is not replaced")
  func damage() throws {
    try Data("[".utf8).write(to: URL(filePath: folder.path + "/settings.json"))
    #expect(throws: StateFileError.self) { try SettingsFile(folder: folder.path, usual: WalkSettings()) }
  }
}
