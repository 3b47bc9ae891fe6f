import Dispatch
import Logging
import Platform

/// Ends the process some seconds after it was told to end, whatever a thread of it still waits for: a named pipe, a network folder, a
/// bus, a program, an import. What has been counted is stored first.
final class ShutdownDeadline {
  /// When what is left is stored, and when the process ends.
  private static let (sealing, ending) = (Duration.seconds(4), Duration.milliseconds(4800))

  /// A queue of its own has a thread even if all others are blocked.
  private let queue = DispatchQueue(label: "pedometer.service.deadline")
  private let sources: [any DispatchSourceSignal]

  /// Waits for SIGTERM and SIGINT.
  /// - Parameter seals: store what is left, each on a thread of its own.
  init(_ logger: Logger, seals: [@Sendable () -> Void]) {
    let queue = queue
    sources = [SIGTERM, SIGINT].map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
    for source in sources {
      source.setEventHandler {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.sealing.wholeMilliseconds)) {
          logger.warning(
            "something still waits (a file, a bus, a program or an import); the service stores its steps, and ends")
          for seal in seals { DispatchQueue(label: "pedometer.service.seal").async(execute: seal) }
        }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.ending.wholeMilliseconds)) { _exit(0) }
      }
      source.resume()
    }
  }

  deinit { for source in sources { source.cancel() } }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int { Int(bounded: self / .milliseconds(1)) }
}
