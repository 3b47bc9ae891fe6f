import Glibc
import Synchronization

/// What wakes a thread that waits in `poll(2)`: other threads, and signals.
///
/// A signal's handler may do next to nothing, but it may write a byte to a pipe. One pipe for the whole process,
/// because a handler cannot be told which; it stays open for good.
final class WakePipe: Sendable {
  /// What has come in.
  struct Calls {
    /// Signals, in the order they came.
    var signals: [Int32] = []
    /// Whether any of them asks the program to end.
    var wantsEnd: Bool { signals.contains { WakePipe.ending.contains($0) } }
  }

  /// Signals that end a live command cleanly.
  static let ending = [SIGINT, SIGTERM, SIGHUP]
  /// The other signals that a terminal's owner hears of: its size, and to be stopped and continued.
  static let ofTerminal = [SIGWINCH, stop, goOn]
  /// Somebody wants the program to be stopped for a while, as the shell's `kill -TSTP` does.
  static let stop = SIGTSTP
  /// The program was stopped and goes on.
  static let goOn = SIGCONT

  /// The one of this process.
  static let shared = WakePipe()

  /// The writing end, where the handler finds it.
  private static let writingEnd = Atomic<Int32>(-1)

  /// Becomes readable when somebody called.
  let descriptor: Int32

  private init() {
    var ends: [Int32] = [-1, -1]
    // Without a free descriptor nobody can be woken; `poll` passes over a negative one and its timer still works.
    _ = unsafe pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    descriptor = ends[0]
    Self.writingEnd.store(ends[1], ordering: .releasing)
  }

  /// From now on these signals are calls. One that was ignored from the start, as under `nohup`, stays ignored.
  func listen(for signals: [Int32]) {
    for number in signals {
      var former = sigaction()
      unsafe sigaction(number, nil, &former)
      var now = sigaction()
      if unsafe former.__sigaction_handler.sa_handler.map({ unsafe unsafeBitCast($0, to: Int.self) }) == 1 { continue }
      unsafe now.__sigaction_handler.sa_handler = { WakePipe.write(UInt8(truncatingIfNeeded: $0)) }
      now.sa_flags = SA_RESTART
      unsafe sigaction(number, &now, nil)
    }
  }

  /// Stops this process and those that were started together with it, as Ctrl-Z does; returns when they go on. Where no
  /// shell could let them go on the kernel does nothing.
  func stopProcess() {
    signal(Self.stop, SIG_DFL)
    kill(0, Self.stop)
    listen(for: [Self.stop])
  }

  /// Wakes the one who waits; from any thread.
  func wake() { Self.write(0) }

  /// Takes what has come in.
  func collect() -> Calls {
    var calls = Calls()
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = unsafe read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return calls }
      calls.signals += bytes[..<count].filter { $0 > 0 }.map(Int32.init)
    }
  }

  /// Async-signal-safe. When the pipe is full somebody has called already.
  private static func write(_ byte: UInt8) {
    let before = errno
    var byte = byte
    _ = unsafe Glibc.write(writingEnd.load(ordering: .acquiring), &byte, 1)
    errno = before
  }
}
