import Glibc

/// A program in a terminal: a test types, and examines the screen.
///
///     let game = try Executable.built("pedometer").start(["chase", "--goal", "300"], inTerminalOf: (80, 24))
///     try game.wait { $0.lines.contains { $0.contains("[Start]") } }
///     try game.type(" ")
///
/// Nothing sleeps: ``wait(until:)`` reads the program's output until the screen is as expected. It looks at
/// every whole frame, also if a busy machine delivers several at once, and at no half-drawn one.
public final class PseudoTerminal {
  /// Why a test cannot continue.
  public enum Failure: Error, CustomStringConvertible {
    case noTerminal(errno: Int32)
    /// The screen was never as expected: the program has ended or hangs.
    case neverShown([String])

    public var description: String {
      switch self {
      case .noTerminal(let code): "there is no pseudo-terminal: errno \(code)"
      case .neverShown(let lines): "never shown; the screen was\n" + lines.joined(separator: "\n")
      }
    }
  }

  /// The screen.
  public private(set) var screen: ScreenModel
  /// The program, for signals.
  public let process: pid_t
  private var master: Int32
  private var ending: Transcript.Ending?
  /// Output after the frame on the screen.
  private var waiting: ArraySlice<UInt8> = []

  init(
    _ command: [String], size: (width: Int, height: Int), environment: [String: String], input: String?
  ) throws {
    screen = ScreenModel(width: size.width, height: size.height)
    (master, process) = try RunningExecutable.starting.withLock { _ in
      let (master, path) = try Self.open()
      Self.setSize(of: master, size)
      var spawn = Spawn()
      spawn.beginSession()
      spawn.open(path, O_RDWR, as: 1)
      spawn.open(input ?? path, input == nil ? O_RDWR : O_RDONLY, as: 0)
      spawn.open(path, O_RDWR, as: 2)
      return (master, try spawn.start(command, environment: environment))
    }
  }

  /// Calls `posix_openpt(3)` and related functions, which Swift hides.
  private static func open() throws -> (master: Int32, path: String) {
    let master = unsafe Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0 else { throw Failure.noTerminal(errno: errno) }
    var (unlocked, number): (Int32, UInt32) = (0, 0)
    let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    guard unsafe ioctl(master, setLock, &unlocked) == 0, unsafe ioctl(master, getNumber, &number) == 0 else {
      throw Failure.noTerminal(errno: errno)
    }
    return (master, "/dev/pts/\(number)")
  }

  deinit {
    if ending == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    if master >= 0 { close(master) }
  }

  /// Whether lines are edited and echoed, as a shell expects.
  public var isCooked: Bool {
    var settings = termios()
    unsafe tcgetattr(master, &settings)
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return settings.c_lflag & wanted == wanted && settings.c_oflag & tcflag_t(OPOST) != 0
  }

  /// Types keys.
  public func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = unsafe write(master, bytes, bytes.count)
  }

  /// Changes the window's size; the kernel sends SIGWINCH to the program.
  public func resize(width: Int, height: Int) {
    screen.resize(width: width, height: height)
    Self.setSize(of: master, (width, height))
  }

  /// Reads the program's output until the screen, after a whole frame, is as expected.
  /// - Returns: the lines of the screen.
  @discardableResult
  public func wait(until isShown: (ScreenModel) -> Bool) throws -> [String] {
    // A program that keeps drawing something else is never silent.
    let end = ContinuousClock.now + Hang.limit
    while screen.isDrawing || !isShown(screen) {
      guard try ContinuousClock.now < end && advance() else { throw Failure.neverShown(screen.lines) }
    }
    return screen.lines
  }

  /// Reads until a line contains this text.
  @discardableResult
  public func wait(for text: String) throws -> [String] {
    try wait { $0.lines.contains { $0.contains(text) } }
  }

  /// Waits until the program has ended.
  public func finish() throws -> Transcript.Ending {
    // Unread output prevents a program from ending; its end closes the terminal.
    while try advance() {}
    return awaitEnd()
  }

  /// Closes the terminal, like a lost connection: the kernel sends SIGHUP, and writing is an error. Waits until the
  /// program has ended.
  public func vanish() -> Transcript.Ending {
    close(master)
    master = -1
    return awaitEnd()
  }

  private func awaitEnd() -> Transcript.Ending {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    let ending: Transcript.Ending = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    self.ending = ending
    return ending
  }

  /// Draws the output to the end of the next frame, or as much as there is.
  /// - Returns: whether there was some; `false` if the program has ended.
  private func advance() throws -> Bool {
    guard try !waiting.isEmpty || read() else { return false }
    while let byte = waiting.popFirst() {
      let wasDrawing = screen.isDrawing
      screen.write(CollectionOfOne(byte))
      if wasDrawing, !screen.isDrawing { break }
    }
    return true
  }

  /// - Returns: whether there was data to read; `false` if the program has ended.
  private func read() throws -> Bool {
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, Hang.milliseconds) > 0 else { throw Failure.neverShown(screen.lines) }
    // Also if only the hang-up is reported: the program may have written its last lines and ended while poll(2) was between
    // its look at the data and its look at the other side. Reading says whether there is more.
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe Glibc.read(master, &bytes, bytes.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { return false }
    waiting = bytes[..<count]
    return true
  }

  private static func setSize(of terminal: Int32, _ size: (width: Int, height: Int)) {
    var size = winsize(
      ws_row: UInt16(size.height), ws_col: UInt16(size.width), ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}

extension Executable {
  /// Starts it in a new terminal.
  /// - Parameters:
  ///   - size: columns and rows.
  ///   - input: a file for its standard input; `nil`: the terminal.
  public func start(
    _ arguments: [String], inTerminalOf size: (width: Int, height: Int), environment: [String: String] = [:],
    input: String? = nil
  ) throws -> PseudoTerminal {
    let usual = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": ""]
    return try PseudoTerminal(
      command + arguments, size: size, environment: usual.merging(environment) { $1 }, input: input)
  }
}
