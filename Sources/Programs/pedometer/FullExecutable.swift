import PedometerCommands
import Platform

/// `pedometer-full`: the same command line with an HTTP client for TLS and the history's database.
///
/// Those are three quarters of it, and a small board that counts all day need not keep them in memory. It is an
/// external command as in git: it replaces this process, with the same arguments and streams, before this process has
/// read or written anything. A file that fails the handshake is not run.
enum FullExecutable {
  static let commands: Set<String> = ["history", "export", "study", "status", "import"]

  /// Why it cannot be run.
  enum Failure: Error, CustomStringConvertible {
    case missing(path: String, reason: String)
    case foreign(path: String)
    case otherVersion(path: String, version: String)

    var description: String {
      let remedy = "run 'make release && sudo make install'"
      return switch self {
      case .missing(let path, let reason): "cannot run \(path) (\(reason)); \(remedy)"
      case .foreign(let path): "\(path) is a different program; remove it and \(remedy)"
      case .otherVersion(let path, let version):
        "\(path) has version \(version), not \(PedometerCommand.configuration.version); \(remedy)"
      }
    }
  }

  /// The longest time for the handshake, in milliseconds: a busy machine may take many seconds to start a program.
  private static let timeout: Int32 = 60_000

  /// Replaces this process with it.
  static func run() throws(Failure) -> Never {
    let candidates = Self.candidates
    guard let path = candidates.first(where: { unsafe access($0, X_OK) == 0 }) ?? candidates.first else {
      throw .missing(path: "pedometer-full", reason: "/proc/self/exe cannot be read")
    }
    try shakeHands(with: path)
    _ = unsafe execv(path, CommandLine.unsafeArgv)
    throw .missing(path: path, reason: systemText(errno))
  }

  /// Checks that the file is `pedometer-full` of this version.
  private static func shakeHands(with path: String) throws(Failure) {
    let reply = try ask(path)
    if reply == Handshake.reply { return }
    let words = reply.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, words[0] == "pedometer-full", reply.utf8.count < 64,
      words[1].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") })
    else { throw .foreign(path: path) }
    throw .otherVersion(path: path, version: String(words[1]))
  }

  /// The output of the file for the handshake.
  private static func ask(_ path: String) throws(Failure) -> String {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .missing(path: path, reason: systemText(errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { _ = Platform.close(ends[0]) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var process: pid_t = 0
    let code = unsafe path.withCString { path in
      unsafe Handshake.argument.withCString { argument in
        let arguments: [UnsafeMutablePointer<CChar>?] = unsafe [.init(mutating: path), .init(mutating: argument), nil]
        return unsafe posix_spawn(&process, path, &actions, nil, arguments, environ)
      }
    }
    _ = Platform.close(ends[1])
    guard code == 0 else { throw .missing(path: path, reason: systemText(code)) }
    let reply = read(ends[0])
    // A file that prints something else, or keeps running, is not awaited.
    kill(process, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return reply
  }

  /// The bytes of a pipe until its end, or until they are too many or too late to be the reply.
  private static func read(_ end: Int32) -> String {
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while reply.count < 256 {
      var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&request, 1, timeout)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      let length = unsafe Platform.read(end, &buffer, buffer.count)
      guard length > 0 else { break }
      reply += buffer[..<length]
    }
    return String(decoding: reply, as: UTF8.self)
  }

  /// Its possible locations: the installation folder, and next to this executable, for builds.
  private static var candidates: [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { return [] }
    let path = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    let beside = "\(folder)/pedometer-full"
    return folder.hasSuffix("/bin") ? ["\(folder.dropLast(4))/libexec/pedometer/pedometer-full", beside] : [beside]
  }
}
