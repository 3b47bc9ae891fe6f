import Glibc
import TestSupport
import Testing

/// What is wrong with the process before its first line runs.
@Suite("The start of pedometerd", .timeLimit(.minutes(30)), .ownThreads)
struct DaemonStartTests {
  @Test(
    "without /proc the service does not start, and the reason is said",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"), arguments: [[], ["--listen", "127.0.0.1:0"]])
  func withoutProc(_ arguments: [String]) throws {
    let folder = try TemporaryDirectory()
    let command = ([try Executable.pathOfBuilt("pedometerd")] + arguments + ["--state", folder.path + "/state"])
      .joined(separator: " ")
    let transcript = try Executable(path: "/usr/bin/unshare").run(
      ["-m", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \(command)"])
    #expect(transcript.ending == .exit(71), "\(transcript)")
    #expect(transcript.errors.contains("mount -t proc proc /proc"))
    #expect(folder.contents == [])
  }

  private static let pages = [
    ["--help"], ["--version"], ["help", "walkers"], ["walkers", "--help"], ["--config", "/dev/null", "--check-config"],
  ]

  @Test("standard output on a full disk is an I/O error with its remedy", arguments: pages)
  func fullOutput(_ arguments: [String]) throws {
    let transcript = try Executable.built("pedometerd").run(arguments, output: .file("/dev/full"))
    #expect(transcript.ending == .exit(74), "\(transcript)")
    #expect(transcript.errors.contains("no space left on device; free some space"), "\(transcript.errors)")
  }

  @Test("a reader that closes standard output is a normal end without a message", arguments: pages)
  func closedReader(_ arguments: [String]) throws {
    let transcript = try Executable.built("pedometerd").run(arguments, output: .closedAfter(bytes: 0))
    #expect(transcript.ending == .exit(0) && transcript.errors.isEmpty, "\(transcript)")
  }

  @Test("a signal before the service is ready ends it as later; SIGHUP does not", arguments: [SIGTERM, SIGINT])
  func early(_ number: Int32) throws {
    let folder = try TemporaryDirectory()
    let configuration = folder.path + "/pedometerd.yaml"
    try #require(unsafe mkfifo(configuration, 0o600) == 0)
    let running = try Executable.built("pedometerd").start([
      "--config", configuration, "--state", folder.path + "/state",
    ])
    // Returns when the service reads its configuration, and lets it wait for the text.
    let writer = unsafe open(configuration, O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    running.send(signal: SIGHUP)
    running.send(signal: number)
    #expect(try running.finish().ending == .exit(0))
    #expect(folder.contents == ["pedometerd.yaml"])
  }
}
