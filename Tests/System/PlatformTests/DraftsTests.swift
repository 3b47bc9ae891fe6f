import Platform
import TestSupport
import Testing

@Suite("Drafts of killed processes", .timeLimit(.minutes(30))) struct DraftsTests {
  @Test(
    "the name that a draft would have become",
    arguments: [
      (".walk.csv.1a2b3c.part", "walk.csv"), (".walk.csv.gz.1a2b3c.part", "walk.csv.gz"), (".a.0.part", "a"),
      (".part", nil), ("..0.part", nil), (".walk.csv.no-number.part", nil), ("walk.csv.1a.part", nil),
      (".walk.csv.1a.csv", nil),
    ] as [(String, String?)])
  func original(_ name: String, _ original: String?) {
    #expect(Drafts.original(of: name) == original)
  }

  @Test("only those with content that no process writes are abandoned")
  func abandoned() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/walk.csv"
    let draft = try FileReplacement.makeDraft(beside: path, permissions: 0o600)
    let byte: [UInt8] = [0x61]
    #expect(unsafe write(draft.descriptor, byte, 1) == 1)
    #expect(Drafts.abandoned(beside: path).isEmpty)
    // As at the end of its process.
    close(draft.descriptor)
    try folder.write([], to: ".empty.csv.1a.part")
    try folder.write([1], to: ".other")
    #expect(Drafts.abandoned(beside: path) == [draft.path])
    FileReplacement.discard(draft)
    #expect(folder.contents == [".empty.csv.1a.part", ".other"])
  }

  @Test("an incomplete file replaces nothing")
  func kept() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write([1], to: "walk.csv")
    let keeper = Drafts.Keeper(target: path, replaces: true)
    let draft = try FileReplacement.makeDraft(beside: path, permissions: 0o600, keeper: keeper)
    #expect(FileReplacement.keep(draft, keeper) == folder.path + "/walk.part.csv")
    close(draft.descriptor)
    #expect(folder.contents == ["walk.csv", "walk.part.csv"])
  }
}
