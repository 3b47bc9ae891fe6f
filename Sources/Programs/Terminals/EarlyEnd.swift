import Dispatch
import Platform

/// The end by a signal of a command that writes files but is not live.
package enum EarlyEnd {
  /// From now on a signal that ends the process first says what there is. The process then ends by the signal, so that a
  /// shell sees why.
  ///
  /// Handlers do not depend on which threads there are already. The thread ends with the process.
  package static func says(_ sentence: String) {
    WakePipe.shared.listen(for: WakePipe.ending)
    DispatchQueue(label: "pedometer.early-end").async {
      while true {
        guard let number = WakePipe.shared.wait().signals.first else { continue }
        complain(sentence)
        end(by: number)
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
