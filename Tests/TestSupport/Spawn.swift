import Glibc

/// The attributes for `posix_spawn(3)`.
@safe
struct Spawn: ~Copyable {
  private var actions = unsafe posix_spawn_file_actions_t()
  private var attributes = posix_spawnattr_t()
  /// Ends of pipes that only the program needs.
  private var given: [Int32] = []

  private static let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
  /// `POSIX_SPAWN_SETSID`, which Swift hides.
  private static let newSession: Int16 = 0x80

  init() {
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    // The program gets the default signal dispositions, as from a shell.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGTSTP] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    // Dispatch blocks signals on the test's thread, and a program would inherit that.
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Self.flags)
  }

  deinit {
    for descriptor in given { close(descriptor) }
    var (actions, attributes) = unsafe (actions, attributes)
    unsafe posix_spawn_file_actions_destroy(&actions)
    unsafe posix_spawnattr_destroy(&attributes)
  }

  /// Starts it in a new session: the first terminal that it opens becomes its controlling one.
  mutating func beginSession() {
    unsafe posix_spawnattr_setflags(&attributes, Self.flags | Self.newSession)
  }

  mutating func open(_ path: String, _ flags: Int32, as descriptor: Int32) {
    unsafe posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o644)
  }

  mutating func give(_ end: Int32, as descriptor: Int32) {
    given.append(end)
    unsafe posix_spawn_file_actions_adddup2(&actions, end, descriptor)
  }

  /// Gives it the writing end of a new pipe.
  /// - Returns: the reading end.
  mutating func givePipe(as descriptor: Int32) throws -> Int32 {
    let (reading, writing) = try RunningExecutable.pipe()
    give(writing, as: descriptor)
    return reading
  }

  mutating func start(_ command: [String], environment: [String: String]) throws -> pid_t {
    var process: pid_t = 0
    let status = try unsafe Self.withCStrings(command) { argv in
      try unsafe Self.withCStrings(Self.environment(with: environment)) { envp in
        unsafe posix_spawn(&process, command[0], &actions, &attributes, argv, envp)
      }
    }
    for descriptor in given { close(descriptor) }
    given = []
    guard status == 0 else { throw RunningExecutable.Failure.cannotStart(command, errno: status) }
    return process
  }

  /// The tests' environment with replacements; without its measures, so that distances are in metres on every machine.
  private static func environment(with given: [String: String]) throws -> [String] {
    let changes = ["LC_ALL": "", "LC_MEASUREMENT": "C"].merging(given) { $1 }
    let own = try TemporaryDirectory.text(of: "/proc/self/environ").split(separator: "\0").map(String.init)
    return own.filter { entry in !changes.keys.contains { entry.hasPrefix($0 + "=") } }
      + changes.map { "\($0)=\($1)" }
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
  ) throws -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe copies.indices { unsafe free(copies[index]) }
    }
    return try unsafe body(copies)
  }
}
