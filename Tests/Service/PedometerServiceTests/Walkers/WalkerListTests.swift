import Foundation
import Glibc
import ServiceCore
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceWalkers

@Suite("The list of walkers", .timeLimit(.minutes(30)))
struct WalkerListTests {
  private func withBook(_ body: (WalkerBook, String) throws -> Void) throws {
    let folder = try TemporaryDirectory()
    try body(WalkerBook(folder: folder.path + "/state"), folder.path + "/state")
    try? FileManager.default.removeItem(atPath: folder.path + "/state")
  }

  @Test("the digest of a token is its SHA-256")
  func digest() {
    #expect(
      WalkerToken.digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(WalkerToken.digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(WalkerToken.isSame("abc", "abc"))
    for other in ["", "ab", "abd", "xbc", "abcd"] { #expect(!WalkerToken.isSame("abc", other)) }
  }

  @Test("the file belongs to its owner alone, and contains no token")
  func secrets() throws {
    try withBook { book, folder in
      let (ann, token) = try book.add("Ann", team: "Red")
      let path = folder + "/walkers.json"
      var status = stat()
      try #require(unsafe stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      let text = try TemporaryDirectory.text(of: path)
      #expect(text.contains("Ann") && !text.contains(token) && text.contains(WalkerToken.digest(token)))
      #expect(token.utf8.count == 48 && ann.team == "Red")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["walkers.json", "walkers.lock"])
    }
  }

  @Test("a token is its walker's, another one is nobody's")
  func tokens() throws {
    try withBook { book, _ in
      let (ann, annToken) = try book.add("Ann", team: nil)
      let (ben, benToken) = try book.add("Ben", team: nil)
      let list = try book.list()
      #expect(list.walker(showing: annToken) == ann && list.walker(showing: benToken) == ben)
      for wrong in ["", "x", String(annToken.dropLast()), annToken + "0", annToken.uppercased(), ann.digest ?? ""] {
        #expect(list.walker(showing: wrong) == nil, "\(wrong)")
      }
      #expect(annToken != benToken && ann.id != ben.id)
    }
  }

  @Test("a new token replaces the former one")
  func renewal() throws {
    try withBook { book, _ in
      let (_, first) = try book.add("Ann", team: nil)
      let (ann, second) = try book.renewToken(of: "ann")
      let list = try book.list()
      #expect(list.walker(showing: first) == nil && list.walker(showing: second) == ann)
    }
  }

  @Test("a change by another process is noticed at the next use, also after a restart")
  func otherProcess() throws {
    try withBook { book, folder in
      let (_, token) = try book.add("Ann", team: nil)
      #expect(try book.list().walkers.count == 1)
      let other = WalkerBook(folder: folder)
      _ = try other.add("Ben", team: "Blue")
      #expect(try book.list().walkers.map(\.name) == ["Ann", "Ben"])
      try other.remove("Ann", keepingHistory: true)
      #expect(try book.list().walker(showing: token) == nil)
    }
  }

  @Test("a file that cannot be read gives access to nobody")
  func damage() throws {
    try withBook { book, folder in
      _ = try book.add("Ann", team: nil)
      try Data("{".utf8).write(to: URL(filePath: folder + "/walkers.json"))
      #expect(throws: StateFileError(path: folder + "/walkers.json", errno: EBADMSG)) { try book.list() }
      #expect(throws: StateFileError.self) { try book.add("Ben", team: nil) }
    }
  }

  @Test("a list whose identifiers lead elsewhere is damaged", arguments: ["../../x", "owner", "", "0123456789ABCDEF"])
  func foreignIdentifiers(_ id: String) throws {
    try withBook { book, folder in
      let (ann, token) = try book.add("Ann", team: nil)
      let path = folder + "/walkers.json"
      let text = try TemporaryDirectory.text(of: path).replacing(ann.id, with: id)
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(throws: StateFileError.self) { try book.list().walker(showing: token) }
      #expect(throws: StateFileError.self) { try book.remove("Ann", keepingHistory: false) }
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("a removal deletes the history or keeps it, as the owner says; a kept one gets a new token")
  func removal() throws {
    try withBook { book, folder in
      let (ann, token) = try book.add("Ann", team: nil)
      let (ben, _) = try book.add("Ben", team: nil)
      for walker in [ann, ben] {
        try FileManager.default.createDirectory(
          atPath: book.folder(of: walker.id), withIntermediateDirectories: true)
      }
      try book.remove("Ann", keepingHistory: true)
      try book.remove("Ben", keepingHistory: false)
      #expect(FileManager.default.fileExists(atPath: folder + "/walkers/\(ann.id)"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/walkers/\(ben.id)"))
      #expect(try book.list().walkers.map(\.name) == ["Ann"])
      #expect(throws: PeopleError.removed("Ann")) { try book.add("ANN", team: nil) }
      let (restored, other) = try book.renewToken(of: "Ann")
      #expect(restored.id == ann.id && other != token)
      // A namesake does not get the history of a deleted walker.
      #expect(try book.add("Ben", team: nil).walker.id != ben.id)
    }
  }

  @Test(
    "hostile names are refused",
    arguments: [
      "", "  ", "Ann\nBen", "\u{1B}[31mAnn", "A\u{202E}nn", "An\u{200B}n", "An\u{200D}n", "Ann\0",
      String(repeating: "a", count: 41), "e" + String(repeating: "\u{301}", count: 400),
    ])
  func hostile(_ name: String) throws {
    var list = WalkerList()
    #expect(throws: PeopleError.self) { try list.add(name, team: nil) }
    #expect(throws: PeopleError.self) { try list.add("Ann", team: name) }
    #expect(throws: PeopleError.self) { try list.setOwner(name: name, team: nil) }
    #expect(list.walkers.isEmpty && list.owner.name == "Owner")
  }

  @Test("names of any script are accepted", arguments: ["Ann", "Łukasz", "王芳", "عمر", "👩🏽‍🦽", "../../etc", "<b>"])
  func scripts(_ name: String) throws {
    var list = WalkerList()
    let (walker, _) = try list.add(" \(name) ", team: nil)
    #expect(walker.name == name.precomposedStringWithCanonicalMapping)
    // Names are not file names.
    #expect(walker.id.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 } && walker.id.count == 16)
  }

  @Test("names that look the same are taken, the owner's too", arguments: ["ann", "ANN ", "Ａｎｎ", "owner"])
  func taken(_ name: String) throws {
    var list = WalkerList()
    _ = try list.add("Ann", team: nil)
    #expect(throws: PeopleError.taken(name == "owner" ? "Owner" : "Ann")) { try list.add(name, team: nil) }
  }

  @Test("the owner gets a name and a team, and is neither removed nor given a token")
  func owner() throws {
    var list = WalkerList()
    _ = try list.add("Ann", team: nil)
    try list.setOwner(name: "Zoe", team: "Red")
    #expect(list.owner.name == "Zoe" && list.owner.team == "Red" && list.owner.isOwner)
    try list.setOwner(name: nil, team: "")
    #expect(list.owner.name == "Zoe" && list.owner.team == nil)
    #expect(throws: PeopleError.taken("Ann")) { try list.setOwner(name: "ann", team: nil) }
    #expect(try list.setTeam(of: "zoe", "Blue").isOwner && list.owner.team == "Blue")
    #expect(throws: PeopleError(.usage, "the team contains control characters or invisible ones; remove them")) {
      try list.setTeam(of: "Ann", "\u{202E}")
    }
    #expect(throws: PeopleError.owner) { try list.remove("Zoe", keepingHistory: false) }
    #expect(throws: PeopleError.owner) { try list.renewToken(of: "Zoe") }
    #expect(throws: PeopleError.noWalker("Cid")) { try list.remove("Cid", keepingHistory: false) }
  }

  @Test("the number of walkers is limited")
  func limit() throws {
    var list = WalkerList()
    for number in 0..<64 { _ = try list.add("walker \(number)", team: nil) }
    let full = PeopleError(
      .cannotCreate, "there are \(WalkerList.most) walkers already; remove one first, with --delete-history")
    #expect(throws: full) { try list.add("one more", team: nil) }
    _ = try list.remove("walker 3", keepingHistory: true)
    #expect(throws: full) { try list.add("one more", team: nil) }
    _ = try list.remove("walker 3", keepingHistory: false)
    _ = try list.add("one more", team: nil)
  }

  @Test("names and tokens survive a restart")
  func restart() throws {
    try withBook { book, folder in
      let (_, token) = try book.add("Ann", team: "Red")
      try book.setOwner(name: "Zoe", team: nil)
      let after = try WalkerBook(folder: folder).list()
      #expect(after.walker(showing: token)?.name == "Ann" && after.owner.name == "Zoe")
    }
  }
}
