import Glibc

/// A program that a test runs as a user would: with arguments, standard input, and everything it says kept.
///
///     let transcript = try Executable.built("pedometer").run(["count", "-"], input: .text("t,x,y,z\n"))
///     #expect(transcript.exitCode == 65)
public struct Executable: Sendable {
  /// What comes in on standard input.
  public enum Input {
    /// Nothing: it ends at once.
    case nothing
    /// These bytes through a pipe.
    case bytes([UInt8])
    /// This text through a pipe.
    case text(String)
    /// The file itself.
    case file(String)
    /// What a generator makes, piece by piece, through a pipe; `nil` ends it, and so does a reader that goes away.
    case pieces(() -> [UInt8]?)
  }

  /// Where a test reads what a program says on standard output.
  public enum Output: Sendable {
    /// All of it.
    case kept
    /// So many bytes; then the pipe is closed under the program.
    case closedAfter(bytes: Int)
    /// Nowhere: it goes to this file or device.
    case file(String)
  }

  /// The program's file and what always stands behind it: its arguments, or another program that it starts.
  let command: [String]

  /// The program's own file.
  public var path: String { command.last ?? "" }

  /// A program anywhere.
  public init(path: String) { command = [path] }

  private init(command: [String]) { self.command = command }

  /// The program of this name that was built together with the running tests and lies beside them.
  /// - Throws: ``Missing`` when it does not.
  public static func built(_ name: String) throws -> Executable { Executable(path: try pathOfBuilt(name)) }

  /// Where that program is, for another that starts it.
  /// - Throws: ``Missing``.
  public static func pathOfBuilt(_ name: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { throw Missing(path: "/proc/self/exe") }
    let tests = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let path = tests.prefix(upTo: tests.lastIndex(of: "/") ?? tests.startIndex) + "/" + name
    guard unsafe access(String(path), X_OK) == 0 else { throw Missing(path: String(path)) }
    return String(path)
  }

  /// A program that is not where it should be.
  public struct Missing: Error, CustomStringConvertible {
    public let path: String
    public var description: String {
      "\(path) is not there or cannot be run; build it first: swift build --build-tests"
    }
  }

  /// The same program for a user whom file permissions bind: root runs it without the right to pass over them.
  public var boundByPermissions: Executable {
    if geteuid() != 0 { return self }
    return Executable(
      command: ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] + command)
  }

  /// The same program, started in this folder.
  public func inFolder(_ path: String) -> Executable {
    // `posix_spawn_file_actions_addchdir_np(3)` is hidden from Swift.
    Executable(command: ["/usr/bin/env", "-C", path] + command)
  }

  /// Runs it to its end.
  /// - Throws: ``RunningExecutable/Failure`` when it cannot be started, or when a minute passes without a sign of life.
  public func run(
    _ arguments: [String], input: Input = .nothing, output: Output = .kept, environment: [String: String] = [:]
  ) throws -> Transcript {
    let running = try RunningExecutable(
      command + arguments, input: input, output: output, environment: environment)
    switch input {
    case .nothing, .file: break
    case .bytes(let bytes): try running.send(bytes)
    case .text(let text): try running.send(Array(text.utf8))
    case .pieces(let next):
      while let piece = next() {
        guard try running.send(piece) else { break }
      }
    }
    return try running.finish()
  }

  /// Starts it with a pipe on standard input that stays open, for a talk with it.
  public func start(_ arguments: [String], environment: [String: String] = [:]) throws -> RunningExecutable {
    try RunningExecutable(command + arguments, input: .bytes([]), output: .kept, environment: environment)
  }
}

/// All that a program said, and how it ended.
public struct Transcript: Sendable {
  /// How a program ended.
  public enum Ending: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errors: String
  /// How it ended.
  public let ending: Ending

  /// Its exit code; nothing when a signal ended it.
  public var exitCode: Int32? {
    if case .exit(let code) = ending { code } else { nil }
  }

  /// The lines of standard output, without their ends.
  public var outputLines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
  /// The lines of standard error, without their ends.
  public var errorLines: [Substring] { errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
}
