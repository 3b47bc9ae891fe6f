import Counting
import StepDetection
import TestSupport
import Testing

@testable import Pedometers

@Suite("Profiles of learned walks", .timeLimit(.minutes(30)))
struct ProfileFolderTests {
  private let parent: TemporaryDirectory
  private let folder: ProfileFolder

  init() throws {
    parent = try TemporaryDirectory()
    folder = ProfileFolder(path: parent.path + "/a/b")
  }

  private func profile(_ value: Float = 0.25, count: Int = 48) throws -> ProfileText {
    let row = (0..<count).map { value + Float($0) / 7 }
    return ProfileText(try #require(WalkProfile(examples: [row, row.reversed()])), steps: 107, walked: 58.6)
  }

  @Test("a profile is read as it was written, by its name or its file", arguments: [20, 48])
  func roundTrip(count: Int) throws {
    let written = try profile(count: count)
    let file = try folder.write(written, as: "anna-wrist")
    #expect(file == folder.path + "/anna-wrist.csv")
    #expect(try ProfileFolder.read("anna-wrist", from: folder) == written)
    #expect(try ProfileFolder.read(file, from: nil) == written)
    #expect(written.profile.lacksGravity == (count == 20))
  }

  @Test("profiles are listed by name, replaced and forgotten; other files are none")
  func names() throws {
    #expect(folder.names.isEmpty)
    for name in ["b", "a"] { _ = try folder.write(try profile(), as: name) }
    _ = try folder.write(try profile(0.5), as: "b")
    try parent.write([0x78], to: "a/b/notes.txt")
    try parent.write([0x78], to: "a/b/.hidden.csv")
    #expect(folder.names == ["a", "b"])
    #expect(try ProfileFolder.read("b", from: folder) == (try profile(0.5)))
    try folder.forget("b")
    #expect(folder.names == ["a"])
    let fault = #expect(throws: ProfileFolder.Failure.self) { try folder.forget("b") }
    #expect(fault?.kind == .noInput)
    #expect(throws: ProfileFolder.Failure.self) { try folder.forget("../a") }
  }

  @Test("a name that is not there is answered with those that are, and with how to learn one")
  func unknown() throws {
    let first = #expect(throws: ProfileFolder.Failure.self) { try ProfileFolder.read("x", from: folder) }
    #expect(first?.kind == .noInput && first?.description == "there is no profile 'x'; 'pedometer learn' makes one")
    _ = try folder.write(try profile(), as: "anna")
    let second = #expect(throws: ProfileFolder.Failure.self) { try ProfileFolder.read("x", from: folder) }
    #expect(second?.description == "there is no profile 'x'; there are: anna")
  }

  @Test("what is no profile, or has other features, is refused")
  func otherContent() throws {
    let text = try profile().text
    for other in [
      "", "t,x,y,z\n1,2,3,4\n", text.replacing("profile 1", with: "profile 2"),
      text.replacing("tilt rate", with: "tilting"),
      text.replacing("# steps", with: "# step"), text + "1,2,3\n", text.replacing("0.25", with: "nan"),
    ] {
      let path = try parent.write(Array(other.utf8), to: "other.csv")
      let fault = #expect(throws: ProfileFolder.Failure.self) { try ProfileFolder.read(path, from: nil) }
      #expect(fault?.kind == .badData && fault?.description.contains("learn it again") == true)
    }
    let absent = #expect(throws: ProfileFolder.Failure.self) { try ProfileFolder.read("no/such.csv", from: nil) }
    #expect(absent?.kind == .noInput)
  }

  @Test("the folder is XDG_CONFIG_HOME's, or else the home folder's; relative ones are ignored")
  func place() {
    func path(_ values: [String: String]) -> String? { ProfileFolder { values[$0] }?.path }
    #expect(path(["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/pedometer/profiles")
    #expect(path(["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/pedometer/profiles")
    #expect(path(["HOME": "h"]) == nil)
  }

  @Test(
    "names have letters, digits, dots, underscores and hyphens",
    arguments: [
      ("anna-wrist_2.b", true), ("A", true), ("", false), (".a", false), ("-a", false), ("a/b", false), ("a b", false),
      ("ä", false), (String(repeating: "a", count: 65), false),
    ])
  func validNames(name: String, isValid: Bool) { #expect(ProfileFolder.isName(name) == isValid) }
}
