import Dispatch
import Platform

/// The end of a command that writes files but is not live, by a signal.
package enum EarlyEnd {
  /// From now on a signal that ends the process first removes its unfinished files, or gives those with samples that
  /// cannot be read again a name. The process then ends by the signal, so that a shell sees why.
  ///
  /// Handlers do not depend on which threads there are already. The thread ends with the process.
  /// - Parameter remark: a sentence for the case that nothing is kept.
  package static func settlesFiles(otherwise remark: String? = nil) {
    WakePipe.shared.listen(for: WakePipe.ending)
    DispatchQueue(label: "pedometer.early-end").async {
      while true {
        guard let number = WakePipe.shared.wait().signals.first else { continue }
        Drafts.endProcess { kept in
          StandardOutput.complain(kept: kept)
          if kept.isEmpty, let remark { StandardOutput.complain(remark) }
          end(by: number)
        }
      }
    }
  }

  private static func end(by number: Int32) -> Never {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    signal(number, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    kill(getpid(), number)
    // Not reached: the signal is deadly and no longer blocked.
    exit(128 + number)
  }
}
