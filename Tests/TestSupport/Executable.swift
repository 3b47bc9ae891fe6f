import Glibc

/// Runs a program like a user: with arguments and standard input, and records its output.
///
///     let transcript = try Executable.built("pedometer").run(["count", "-"], input: .text("t,x,y,z\n"))
///     #expect(transcript.exitCode == 65)
public struct Executable: Sendable {
  /// Standard input.
  public enum Input {
    /// Empty.
    case nothing
    /// These bytes through a pipe.
    case bytes([UInt8])
    /// This text through a pipe.
    case text(String)
    /// The file itself.
    case file(String)
    /// The chunks of a generator, through a pipe; `nil` ends it, and so does a reader that closes the pipe.
    case pieces(() -> [UInt8]?)
  }

  /// How a test reads standard output.
  public enum Output: Sendable {
    /// All of it.
    case kept
    /// This many bytes; then the pipe is closed.
    case closedAfter(bytes: Int)
    /// Redirected to this file or device.
    case file(String)
  }

  /// The program's file and its leading arguments, which may be another program to start.
  let command: [String]

  /// The program's own file.
  public var path: String { command.last ?? "" }

  /// A program at any path.
  public init(path: String) { command = [path] }

  private init(command: [String]) { self.command = command }

  /// The program with this name that was built with the running tests.
  /// - Throws: ``Missing``.
  public static func built(_ name: String) throws -> Executable { Executable(path: try pathOfBuilt(name)) }

  /// The path of that program, for a program that starts it.
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

  /// A program that does not exist.
  public struct Missing: Error, CustomStringConvertible {
    public let path: String
    public var description: String {
      "\(path) is not there or cannot be run; build it first: swift build --build-tests"
    }
  }

  /// The same program for a user with file permissions: root drops the capability to override them.
  public var boundByPermissions: Executable {
    if geteuid() != 0 { return self }
    return Executable(
      command: ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] + command)
  }

  /// The same program in this working folder.
  public func inFolder(_ path: String) -> Executable {
    // Swift hides `posix_spawn_file_actions_addchdir_np(3)`.
    Executable(command: ["/usr/bin/env", "-C", path] + command)
  }

  /// Runs it to its end.
  /// - Throws: ``RunningExecutable/Failure`` if it cannot be started, or if it hangs.
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

  /// Starts it with a pipe on standard input that stays open, for interaction.
  public func start(_ arguments: [String], environment: [String: String] = [:]) throws -> RunningExecutable {
    try RunningExecutable(command + arguments, input: .bytes([]), output: .kept, environment: environment)
  }
}

/// The output of a program, and its exit status.
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

  /// Its exit code; `nil` if it was ended by a signal.
  public var exitCode: Int32? {
    if case .exit(let code) = ending { code } else { nil }
  }

  /// The lines of standard output, without line breaks.
  public var outputLines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
  /// The lines of standard error, without line breaks.
  public var errorLines: [Substring] { errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
}
