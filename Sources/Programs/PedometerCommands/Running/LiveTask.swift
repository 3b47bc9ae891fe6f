import LinuxSensors
import LiveSources
import Platform
import Synchronization
import Terminals

/// Runs a live command: its work on a task, its signals on the main thread, through the ``WakePipe``.
///
/// The first signal cancels the task, which then ends normally: with its totals, a complete file and restored sensors. The
/// third does not wait for that. Two may be one wish: `timeout` signals a command and then its process group, a logout sends
/// SIGTERM and SIGHUP, and a shell may pass on what the terminal has already sent.
enum LiveTask {
  /// Stops a live command, from within and at a signal.
  final class Stop: Sendable {
    private struct State {
      var task: Task<Void, Never>?
      var reason: String?
    }
    private let state = Mutex(State())

    var reason: String? { state.withLock { $0.reason } }

    func note(_ reason: String) { state.withLock { $0.reason = $0.reason ?? reason } }

    func callAsFunction(because reason: String) {
      note(reason)
      state.withLock { $0.task }?.cancel()
    }

    /// Stops this task, also if the wish came before it.
    fileprivate func attach(_ task: Task<Void, Never>) {
      let isCancelled = state.withLock { state in
        state.task = task
        return state.reason != nil
      }
      if isCancelled { task.cancel() }
    }
  }

  /// Runs the work to its end, and then ends the process.
  /// - Parameters:
  ///   - resumed: called when the process continues after it was stopped, as with Ctrl-Z and `fg`.
  ///   - work: gets a way to stop itself; returns the exit code, `nil` for 0.
  static func run(
    resumed: @escaping () -> Void = {}, _ work: @escaping @Sendable (Stop) async -> ExitStatus?
  ) -> Never {
    SensorSessions.saveMemory()
    WakePipe.shared.listen(for: WakePipe.ending + [WakePipe.goOn], evenIfIgnored: [SIGINT, SIGTERM, WakePipe.goOn])
    let stop = Stop()
    stop.attach(
      Task.detached {
        let status = await work(stop)
        SensorSessions.stopAll()
        exit(status?.rawValue ?? 0)
      })
    var wishes = 0
    while true {
      for number in WakePipe.shared.wait().signals {
        if number == WakePipe.goOn {
          resumed()
        } else if wishes == 2 {
          SensorSessions.stopAll()
          exit(128 + number)
        } else {
          wishes += 1
          stop(because: "interrupted")
        }
      }
    }
  }
}
