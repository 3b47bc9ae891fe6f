import TestSupport
import Testing

/// What is wrong with a process before its first line runs.
@Suite("The start of a process", .timeLimit(.minutes(30)), .ownThreads)
struct ProcessStartTests {
  private func shell(_ script: String, in folder: TemporaryDirectory, _ program: String) throws -> Transcript {
    let path = try Executable.pathOfBuilt(program)
    return try Executable(path: "/bin/sh").inFolder(folder.path).run(
      ["-c", script.replacing("PROGRAM", with: path)], input: .text(WrittenWalk.minute().text))
  }

  @Test(
    "with a closed stream nothing is written into another file",
    arguments: [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
  func closedStreams(_ closing: String) throws {
    let folder = try TemporaryDirectory()
    let source = closing.contains("<") ? "synthetic:duration=10" : "-"
    _ = try shell("exec PROGRAM record \(source) -o walk.csv \(closing)", in: folder, "pedometer")
    let lines = try TemporaryDirectory.text(of: folder.path + "/walk.csv").split(separator: "\n")
    #expect(lines.count > 500 && !lines.contains { $0.hasPrefix("pedometer:") })
    #expect(folder.contents == ["walk.csv"])
  }

  @Test(
    "a closed standard output is an error with a remedy",
    arguments: ["count -", "live -", "record - -o -", "board"])
  func closedOutput(_ command: String) throws {
    let transcript = try shell("exec PROGRAM \(command) >&-", in: TemporaryDirectory(), "pedometer")
    #expect(transcript.ending == .exit(74))
    #expect(transcript.errors.contains("bad file descriptor"), "\(transcript.errors)")
  }

  @Test(
    "arguments do not depend on /proc", .enabled(if: SmallDisk.isPossible, "needs a mount namespace"),
    arguments: [("pedometer", "count --nonsense", 64), ("pedometer", "--version", 0)] as [(String, String, Int32)])
  func withoutProc(_ program: String, _ arguments: String, _ code: Int32) throws {
    let script = "exec unshare -m /bin/sh -c 'mount -t tmpfs none /proc && exec PROGRAM \(arguments)'"
    let transcript = try shell(script, in: TemporaryDirectory(), program)
    #expect(transcript.ending == .exit(code), "\(transcript)")
    #expect(code != 0 || !transcript.output.isEmpty)
  }
}
