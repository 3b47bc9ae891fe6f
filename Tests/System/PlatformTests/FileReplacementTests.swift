import Platform
import TestSupport
import Testing

@Suite("Atomic file replacement", .timeLimit(.minutes(30))) final class FileReplacementTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("a file is created, and replaced, with the requested permissions, without leftovers in the folder")
  func replace() throws {
    let path = folder.path + "/goal"
    for text in ["8000\n", "", String(repeating: "long ", count: 100_000)] {
      try FileReplacement.replace(path, with: Array(text.utf8), permissions: 0o600)
      #expect(try TemporaryDirectory.text(of: path) == text)
      #expect(mode(path) == 0o600)
      #expect(folder.contents == ["goal"])
    }
  }

  @Test(
    "with a missing folder or a folder's name, the failed step is reported and no file is left")
  func failures() throws {
    let missing = #expect(throws: FileReplacement.Failure.self) {
      try FileReplacement.replace(folder.path + "/no/goal", with: [1], permissions: 0o600)
    }
    #expect(missing == FileReplacement.Failure(errno: ENOENT, .create))
    let made = unsafe mkdir(folder.path + "/goal", 0o700)
    #expect(made == 0)
    let taken = #expect(throws: FileReplacement.Failure.self) {
      try FileReplacement.replace(folder.path + "/goal", with: [1], permissions: 0o600)
    }
    #expect(taken?.step == .rename)
    #expect(folder.contents == ["goal"])
  }

  @Test("a link is replaced, and its target is kept")
  func link() throws {
    let (file, link) = (folder.path + "/file", folder.path + "/link")
    try FileReplacement.replace(file, with: [0x61], permissions: 0o644)
    let made = unsafe symlink("file", link)
    #expect(made == 0)
    try FileReplacement.replace(link, with: [0x62], permissions: 0o644)
    #expect(try TemporaryDirectory.text(of: file) == "a" && TemporaryDirectory.text(of: link) == "b")
  }

  @Test("a draft is gone with its descriptor, and a part is visible and stays; both become the file")
  func drafts() throws {
    let path = folder.path + "/walk.csv"
    let draft = try FileReplacement.makeDraft(beside: path, permissions: 0o600)
    #expect(folder.contents.allSatisfy { $0.hasPrefix(".") })
    try FileReplacement.commit(draft, to: path)
    close(draft.descriptor)
    #expect(folder.contents == ["walk.csv"] && mode(path) == 0o600)
    let parts = try [1, 2].map { _ in try FileReplacement.makePart(of: path, permissions: 0o600) }
    #expect(folder.contents == ["walk.csv", "walk.part-2.csv", "walk.part.csv"])
    try FileReplacement.commit(parts[0], to: path)
    FileReplacement.discard(parts[1])
    for part in parts { close(part.descriptor) }
    #expect(folder.contents == ["walk.csv"])
  }

  @Test("an unused name is in the same folder and keeps the extensions")
  func unusedName() throws {
    let path = folder.path + "/walk.csv.gz"
    #expect(FileReplacement.unusedName(like: path, marked: "part") == folder.path + "/walk.part.csv.gz")
    try FileReplacement.replace(folder.path + "/walk.part.csv.gz", with: [], permissions: 0o600)
    #expect(FileReplacement.unusedName(like: path, marked: "part") == folder.path + "/walk.part-2.csv.gz")
    #expect(unsafe symlink("nothing", folder.path + "/walk.part-2.csv.gz") == 0)
    #expect(FileReplacement.unusedName(like: path, marked: "part") == folder.path + "/walk.part-3.csv.gz")
    #expect(FileReplacement.unusedName(like: folder.path + "/.walk", marked: "part") == folder.path + "/.walk.part")
  }

  @Test("error numbers have the C library's texts, unknown ones too, from any thread")
  func texts() async {
    #expect(systemText(ENOENT) == "No such file or directory")
    #expect(!systemText(99_999).isEmpty)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { systemText(number % 2 == 0 ? ENOENT : EACCES).hasPrefix(number % 2 == 0 ? "No such" : "Perm") }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test("a path without links is resolved; a missing one is not")
  func resolved() throws {
    let made = unsafe symlink("/", folder.path + "/root")
    #expect(made == 0)
    #expect(resolvedPath(folder.path + "/root/.") == "/")
    #expect(resolvedPath(folder.path + "/nothing") == nil)
  }
}
