import Glibc
import Synchronization

/// A program that runs, and its three pipes. One thread serves them all, so that neither side waits for the other.
///
/// A program that is still running when this goes away is killed.
public final class RunningExecutable {
  /// Why a program could not be run.
  public enum Failure: Error {
    case cannotStart([String], errno: Int32)
    case pipe(errno: Int32)
    /// Nothing was read, written or ended for a minute.
    case hangs([String], output: String, errors: String)
  }

  /// A program that does nothing for so long, in milliseconds, hangs; only a failing test ever waits for it.
  private static let patience: Int32 = 60_000

  /// `pipe2(2)` is hidden from Swift, so a pipe is inheritable for a moment; no other program may start in it.
  static let starting = Mutex(())

  private let command: [String]
  private let process: pid_t
  private var ending: Transcript.Ending?
  private var input: Pipe?
  private var output: Pipe?
  private var errors: Pipe?
  private var outputBytes: [UInt8] = []
  private var errorBytes: [UInt8] = []
  private var outputLimit = Int.max

  /// The end of a pipe that the test holds.
  private final class Pipe: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  init(
    _ command: [String], input: Executable.Input, output: Executable.Output, environment: [String: String]
  ) throws {
    self.command = command
    // Writing to a program that has ended is an answer here, not a reason to die.
    signal(SIGPIPE, SIG_IGN)
    if case .closedAfter(let bytes) = output { outputLimit = bytes }
    let started = try Self.starting.withLock { _ in
      try Self.start(command, input: input, output: output, environment: environment)
    }
    process = started.process
    self.input = started.input
    self.output = outputLimit > 0 ? started.output : nil
    errors = started.errors
  }

  private struct Started: Sendable {
    var process: pid_t
    var input: Pipe?
    var output: Pipe?
    var errors: Pipe?
  }

  private static func start(
    _ command: [String], input: Executable.Input, output: Executable.Output, environment: [String: String]
  ) throws -> Started {
    var started = Started(process: 0)
    var spawn = Spawn()
    switch input {
    case .nothing: spawn.open("/dev/null", O_RDONLY, as: 0)
    case .file(let file): spawn.open(file, O_RDONLY, as: 0)
    case .bytes, .text, .pieces:
      let (reading, writing) = try pipe()
      spawn.give(reading, as: 0)
      _ = fcntl(writing, F_SETFL, O_NONBLOCK)
      started.input = Pipe(writing)
    }
    if case .file(let file) = output {
      spawn.open(file, O_WRONLY | O_CREAT | O_TRUNC, as: 1)
    } else {
      started.output = Pipe(try spawn.givePipe(as: 1))
    }
    started.errors = Pipe(try spawn.givePipe(as: 2))
    started.process = try spawn.start(command, environment: environment)
    return started
  }

  deinit {
    if ending == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  /// The reading and the writing end of a pipe that no other program inherits, as long as ``starting`` is held.
  static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw Failure.pipe(errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Writes to its standard input, and keeps what it says meanwhile.
  /// - Returns: whether it still reads.
  @discardableResult
  public func send(_ bytes: [UInt8]) throws -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty, input != nil { try serve(&rest) }
    return input != nil
  }

  /// Ends its standard input.
  public func closeInput() { input = nil }

  /// The first so many lines that it says on standard output, as soon as they are there; fewer when it ends before.
  public func outputLines(_ count: Int) throws -> [Substring] {
    var nothing: ArraySlice<UInt8> = []
    while output != nil, outputBytes.count(where: { $0 == 0x0A }) < count { try serve(&nothing) }
    let lines = String(decoding: outputBytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return Array(lines.dropLast().prefix(count))
  }

  /// Sends it a signal.
  public func send(signal number: Int32) { kill(process, number) }

  /// The most memory that it ever had resident, in bytes.
  ///
  /// The kernel's account of this address space, asked while it lives: the `ru_maxrss` of an ended child also knows the
  /// memory of the tests that started it.
  public func peakResidentBytes() throws -> Int? {
    let status = try TemporaryDirectory.text(of: "/proc/\(process)/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// Sends it a signal.
  public func interrupt(by number: Int32) { kill(process, number) }

  /// Waits until it has ended itself, while its standard input stays open, and tells everything.
  public func finishWithOpenInput() throws -> Transcript {
    let kept = input
    defer { withExtendedLifetime(kept) {} }
    return try finish()
  }

  /// Ends its standard input, waits until it has ended itself, and tells everything.
  public func finish() throws -> Transcript {
    input = nil
    var nothing: ArraySlice<UInt8> = []
    while output != nil || errors != nil { try serve(&nothing) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    let ending: Transcript.Ending = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    self.ending = ending
    return Transcript(
      output: String(decoding: outputBytes, as: UTF8.self), errors: String(decoding: errorBytes, as: UTF8.self),
      ending: ending)
  }

  /// Waits until a pipe is ready, and reads or writes what it takes.
  private func serve(_ rest: inout ArraySlice<UInt8>) throws {
    // A negative descriptor is passed over.
    var requests = [
      pollfd(fd: rest.isEmpty ? -1 : input?.descriptor ?? -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: output?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let ready = unsafe poll(&requests, 3, Self.patience)
    if ready < 0, errno == EINTR { return }
    guard ready > 0 else {
      throw Failure.hangs(
        command, output: String(decoding: outputBytes, as: UTF8.self),
        errors: String(decoding: errorBytes, as: UTF8.self))
    }
    if requests[0].revents != 0, !write(&rest) { input = nil }
    if requests[1].revents != 0, !read(output, into: &outputBytes) || outputBytes.count >= outputLimit { output = nil }
    if requests[2].revents != 0, !read(errors, into: &errorBytes) { errors = nil }
  }

  private func write(_ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let input else { return false }
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(input.descriptor, $0.baseAddress, $0.count) }
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    rest = rest.dropFirst(count)
    return true
  }

  private func read(_ pipe: Pipe?, into bytes: inout [UInt8]) -> Bool {
    guard let pipe else { return false }
    var some = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe some.withUnsafeMutableBytes { unsafe Glibc.read(pipe.descriptor, $0.baseAddress, $0.count) }
    if count < 0 { return errno == EINTR }
    bytes += some[..<count]
    return count > 0
  }
}
