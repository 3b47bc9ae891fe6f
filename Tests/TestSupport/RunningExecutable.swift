import Glibc
import Synchronization

/// A running program and its three pipes. One thread serves them all, so that neither side blocks the other.
///
/// A program that is still running when this is released is killed.
public final class RunningExecutable {
  /// Why a program could not be run.
  public enum Failure: Error {
    case cannotStart([String], errno: Int32)
    case pipe(errno: Int32)
    /// It neither read, wrote nor ended within ``Hang/limit``.
    case hangs([String], output: String, errors: String)
  }

  /// Swift hides `pipe2(2)`, so a pipe is inheritable for a moment in which no other program may start.
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

  /// The test's end of a pipe.
  private final class Pipe: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  init(
    _ command: [String], input: Executable.Input, output: Executable.Output, environment: [String: String]
  ) throws {
    self.command = command
    // Writing to a program that has ended is an error here, not a signal.
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

  /// Both ends of a pipe that no other program inherits while ``starting`` is held.
  static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw Failure.pipe(errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Writes to its standard input, and records its output meanwhile.
  /// - Returns: whether it still reads.
  @discardableResult
  public func send(_ bytes: [UInt8]) throws -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty, input != nil { try serve(&rest) }
    return input != nil
  }

  /// Closes its standard input.
  public func closeInput() { input = nil }

  /// The first lines of its standard output, as soon as they are there; fewer if it ends before.
  public func outputLines(_ count: Int) throws -> [Substring] {
    var nothing: ArraySlice<UInt8> = []
    while output != nil, outputBytes.count(where: { $0 == 0x0A }) < count { try serve(&nothing) }
    let lines = String(decoding: outputBytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return Array(lines.dropLast().prefix(count))
  }

  /// Waits until its standard error contains some words.
  /// - Returns: whether it did before its end.
  public func complains(with words: String) throws -> Bool {
    var nothing: ArraySlice<UInt8> = []
    while errors != nil, !String(decoding: errorBytes, as: UTF8.self).contains(words) { try serve(&nothing) }
    return String(decoding: errorBytes, as: UTF8.self).contains(words)
  }

  /// Sends it a signal.
  public func send(signal number: Int32) { kill(process, number) }

  /// The maximum resident memory so far, in bytes.
  ///
  /// Read from the kernel's account of this address space: the `ru_maxrss` of an ended child includes the memory of the
  /// tests that started it.
  public func peakResidentBytes() throws -> Int? {
    let status = try TemporaryDirectory.text(of: "/proc/\(process)/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// Sends it a signal.
  public func interrupt(by number: Int32) { kill(process, number) }

  /// Waits until it has ended, with standard input open, and returns the transcript.
  public func finishWithOpenInput() throws -> Transcript {
    let kept = input
    defer { withExtendedLifetime(kept) {} }
    return try finish()
  }

  /// Closes its standard input, waits until it has ended, and returns the transcript.
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

  /// Waits until a pipe is ready, and reads or writes as much as possible.
  private func serve(_ rest: inout ArraySlice<UInt8>) throws {
    // Negative descriptors are ignored.
    var requests = [
      pollfd(fd: rest.isEmpty ? -1 : input?.descriptor ?? -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: output?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let ready = unsafe poll(&requests, 3, Hang.milliseconds)
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
