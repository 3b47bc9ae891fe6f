import TestSupport
import Testing

/// What is wrong with the process before its first line runs.
@Suite("The start of pedometerd", .timeLimit(.minutes(10)), .ownThreads)
struct DaemonStartTests {
  @Test(
    "without /proc the service still reads its arguments",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"), arguments: ["pedometerd", "pedometer-full"])
  func withoutProc(_ program: String) throws {
    let path = try Executable.pathOfBuilt(program)
    let transcript = try Executable(path: "/usr/bin/unshare").run(
      ["-m", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \(path) --nonsense"])
    #expect(transcript.ending == .exit(64), "\(transcript)")
    #expect(transcript.errors.contains("--nonsense"))
  }
}
