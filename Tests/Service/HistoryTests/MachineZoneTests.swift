import Foundation
import TestSupport
import Testing

@testable import History

@Suite("The machine's time zone", .timeLimit(.minutes(30)))
struct MachineZoneTests {
  /// 2026-11-28T12:00:00Z.
  private static let now = Date(timeIntervalSince1970: 1_795_867_200)

  /// The offsets of a zone, as the C library states them.
  private static func clock(_ name: String) throws -> (Date) -> Int {
    let zone = try #require(TimeZone(identifier: name))
    return { zone.secondsFromGMT(for: $0) }
  }

  @Test(
    "a rule without clock changes has the offset of the machine's clocks",
    arguments: [("JST-9", 9), ("GMT+2", -2), ("EST5", -5)])
  func rule(variable: String, hours: Int) {
    let offset = { (_: Date) in hours * 3600 }
    #expect(UserTimeZone.present(variable, now: Self.now, offset: offset).secondsFromGMT(for: Self.now) == hours * 3600)
    #expect(UserTimeZone.remark(on: variable, now: Self.now, offset: offset) == nil)
  }

  @Test("a rule with clock changes has the present offset, and that is said")
  func changes() throws {
    let (variable, offset) = ("CET-1CEST,M3.5.0,M10.5.0/3", try Self.clock("Europe/Berlin"))
    #expect(UserTimeZone.present(variable, now: Self.now, offset: offset).secondsFromGMT(for: Self.now) == 3600)
    let summer = Self.now + 200 * 86_400
    #expect(UserTimeZone.present(variable, now: summer, offset: offset).secondsFromGMT(for: summer) == 7200)
    let remark = try #require(UserTimeZone.remark(on: variable, now: Self.now, offset: offset))
    #expect(remark.contains(variable) && remark.contains("set TZ to a name such as Europe/Berlin"))
  }

  @Test("a name is taken as it is, also behind a colon", arguments: ["Europe/Berlin", ":Europe/Berlin"])
  func name(_ variable: String) throws {
    let offset = try Self.clock("Europe/Berlin")
    #expect(UserTimeZone.present(variable, now: Self.now, offset: offset).identifier == "Europe/Berlin")
    #expect(UserTimeZone.remark(on: variable, now: Self.now, offset: offset) == nil)
  }

  @Test("a zone whose file is missing is UTC, and that is said", arguments: ["Europe/Berlin", ":Europe/London", "PST"])
  func missing(_ variable: String) throws {
    let offset = { (_: Date) in 0 }
    #expect(UserTimeZone.present(variable, now: Self.now, offset: offset).secondsFromGMT(for: Self.now) == 0)
    let remark = try #require(UserTimeZone.remark(on: variable, now: Self.now, offset: offset))
    #expect(remark.hasPrefix("TZ is '\(variable)', a time zone without a file: days are those of UTC; install tzdata,"))
  }

  @Test("a link to a zone file that is missing is UTC, and that is said; no link is UTC")
  func dangling() throws {
    let folder = try TemporaryDirectory()
    func remark(on name: String) throws -> String? {
      let path = folder.path + "/" + name.replacing("/", with: "-")
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: folder.path + "/zoneinfo/" + name)
      return UserTimeZone.remark(on: nil, localtime: path, now: Self.now) { _ in 0 }
    }
    #expect(
      try remark(on: "Asia/Kathmandu")?.contains("a link to 'Asia/Kathmandu', a time zone without a file") == true)
    #expect(try remark(on: "Etc/UTC") == nil)
    #expect(UserTimeZone.remark(on: nil, localtime: folder.path + "/none", now: Self.now) { _ in 0 } == nil)
  }

  @Test("a word that is no zone is UTC, and that is said; an empty one is UTC")
  func word() throws {
    let offset = { (_: Date) in 0 }
    let remark = try #require(UserTimeZone.remark(on: "Bad/Zone", now: Self.now, offset: offset))
    #expect(remark.contains("'Bad/Zone', a time zone without a file"))
    #expect(UserTimeZone.remark(on: "Bad/Zone9", now: Self.now, offset: offset)?.contains("without a file") == true)
    for variable in ["Bad/Zone", "", "UTC0"] {
      #expect(UserTimeZone.present(variable, now: Self.now, offset: offset).secondsFromGMT(for: Self.now) == 0)
      if variable != "Bad/Zone" { #expect(UserTimeZone.remark(on: variable, now: Self.now, offset: offset) == nil) }
    }
  }

  @Test(
    "a zone is a name or an offset",
    arguments: [
      ("Asia/Kathmandu", 20_700), ("+02:00", 7200), ("-0530", -19_800), ("GMT+2", 7200), ("UTC", 0), ("Z", 0),
      ("Vienna", nil), ("+02:60", nil), ("+25:00", nil),
    ] as [(String, Int?)])
  func named(text: String, offset: Int?) {
    #expect(TimeZone(named: text)?.secondsFromGMT(for: Self.now) == offset)
  }
}
