import TestSupport
import Testing

@testable import Platform

@Suite("Paths that are not UTF-8", .timeLimit(.minutes(10)))
struct RawPathTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Creates an empty file or a folder with a name of bytes.
  private func make(_ name: [UInt8], isFolder: Bool = false) {
    let path = folder.path.utf8.map { CChar(bitPattern: $0) } + [0x2F] + name.map { CChar(bitPattern: $0) } + [0]
    if isFolder {
      unsafe mkdir(path, 0o700)
    } else {
      close(unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }
  }

  private func isThere(_ name: String) -> Bool {
    unsafe RawPath.call(folder.path + "/" + name) { unsafe access($0, F_OK) } == 0
  }

  private static let cafe = Array("caf".utf8) + [0xE9]

  @Test("a file is found by what a string shows of its name")
  func shown() {
    make(Self.cafe)
    make([0xFC], isFolder: true)
    #expect(isThere("caf\u{FFFD}") && isThere("\u{FFFD}"))
    #expect(!isThere("caf\u{FFFD}x") && !isThere("\u{FFFD}\u{FFFD}") && !isThere("cafe"))
  }

  @Test("of two files that a string shows alike none is taken, and one with the real character is")
  func ambiguous() {
    make(Self.cafe)
    make(Array("caf".utf8) + [0xE8])
    #expect(!isThere("caf\u{FFFD}"))
    make(Array("caf\u{FFFD}".utf8))
    #expect(isThere("caf\u{FFFD}"))
  }
}
