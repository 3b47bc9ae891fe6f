import Pedometry
import Synchronization

/// A queue for the data of a pedometer's handlers, which are called on any thread, until the owner of the chase
/// collects it.
///
/// The only part of a chase that several threads use. It keeps everything in the order of delivery: a sensor that
/// counts a few times a second does not fill the memory, and dropping an update would make the chase depend on how often
/// the owner collects.
final class PedometerMailbox: Sendable {
  /// The data of a pedometer.
  enum Content: Sendable {
    case data(any PedometerData)
    case dataError(any Error)
    case eventError(any Error)
  }

  /// The data, and its session.
  typealias Letter = (session: Int, content: Content)

  private let letters = Mutex<[Letter]>([])
  private let wake: (@Sendable () -> Void)?

  /// Creates an empty mailbox.
  /// - Parameter wake: called on the pedometer's thread after each delivery, so that the owner need not poll.
  init(wake: (@Sendable () -> Void)?) { self.wake = wake }

  func deliver(_ content: Content, session: Int) {
    letters.withLock { $0.append((session, content)) }
    wake?()
  }

  /// Takes all letters; by the owner.
  func collect() -> [Letter] {
    letters.withLock { waiting in
      defer { waiting.removeAll() }
      return waiting
    }
  }
}
