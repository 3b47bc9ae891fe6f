import Glibc
import Synchronization

/// Wakes a thread that waits in `poll(2)`, from other threads and for signals.
///
/// A signal handler may do very little, but it may write a byte to a pipe. There is one pipe for the whole process,
/// because a handler has no parameter for it; it is never closed.
/// Only commands use this global; they pass its `wake` to the code that they call.
package final class WakePipe: Sendable {
  /// The calls since the last collection.
  package struct Calls {
    /// The signals, in order.
    package var signals: [Int32] = []
    /// Whether any of them should end the program.
    package var wantsEnd: Bool { signals.contains { WakePipe.ending.contains($0) } }
  }

  /// Signals that end a live command cleanly.
  package static let ending = [SIGINT, SIGTERM, SIGHUP]
  /// The other signals for the owner of a terminal: a change of its size, stopping and continuing.
  package static let ofTerminal = [SIGWINCH, stop, goOn]
  /// The program should be stopped for a while, as with the shell's `kill -TSTP`.
  package static let stop = SIGTSTP
  /// The program continues after being stopped.
  package static let goOn = SIGCONT

  package static let shared = WakePipe()

  private static let writingEnd = Atomic<Int32>(-1)

  /// Becomes readable after a call.
  package let descriptor: Int32

  private init() {
    var ends: [Int32] = [-1, -1]
    // Without a free descriptor there are no wake-ups; `poll` ignores a negative one and its timer still works.
    _ = unsafe pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    descriptor = ends[0]
    Self.writingEnd.store(ends[1], ordering: .releasing)
  }

  /// Turns these signals into calls from now on. A signal that was ignored from the start, as SIGHUP under `nohup`, stays
  /// ignored.
  /// - Parameter heard: signals that are heard nevertheless: a shell without job control ignores SIGINT for what it
  ///   starts in the background, where `kill -INT` should still end a live command.
  package func listen(for signals: [Int32], evenIfIgnored heard: [Int32] = []) {
    for number in signals {
      var former = sigaction()
      unsafe sigaction(number, nil, &former)
      var now = sigaction()
      let isIgnored =
        unsafe former.__sigaction_handler.sa_handler.map({ unsafe unsafeBitCast($0, to: Int.self) }) == 1
      if isIgnored, !heard.contains(number) { continue }
      unsafe now.__sigaction_handler.sa_handler = { WakePipe.write(UInt8(truncatingIfNeeded: $0)) }
      now.sa_flags = SA_RESTART
      unsafe sigaction(number, &now, nil)
    }
  }

  /// Stops this process and those that were started with it, like Ctrl-Z; returns when they continue. Without a shell
  /// that could continue them, the kernel does nothing.
  package func stopProcess() {
    signal(Self.stop, SIG_DFL)
    kill(0, Self.stop)
    listen(for: [Self.stop])
  }

  /// Wakes the waiting thread; from any thread.
  package func wake() { Self.write(0) }

  package func wait() -> Calls {
    _ = Poll.wait(for: [descriptor], atMost: nil)
    return collect()
  }

  /// Takes the calls since the last collection.
  package func collect() -> Calls {
    var calls = Calls()
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = unsafe read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return calls }
      calls.signals += bytes[..<count].filter { $0 > 0 }.map(Int32.init)
    }
  }

  /// Async-signal-safe. If the pipe is full, a wake-up is pending already.
  private static func write(_ byte: UInt8) {
    let before = errno
    var byte = byte
    _ = unsafe Glibc.write(writingEnd.load(ordering: .acquiring), &byte, 1)
    errno = before
  }
}
