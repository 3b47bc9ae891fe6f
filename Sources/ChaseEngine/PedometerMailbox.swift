import Pedometry
import Synchronization

/// Where a pedometer's handlers, on whatever thread they are called, leave what they have to say, until the owner of
/// the chase comes for it.
///
/// The only thing of a chase that more than one thread touches. It keeps everything in the order of delivery: a sensor
/// that counts a few times a second fills no memory, and dropping a sample would make the chase depend on how often
/// the owner comes.
final class PedometerMailbox: Sendable {
  /// What a pedometer may say.
  enum Content: Sendable {
    case data(any PedometerData)
    case dataError(any Error)
    case eventError(any Error)
  }

  /// What it said, and in which session.
  struct Letter: Sendable {
    let session: Int
    let content: Content
  }

  private let letters = Mutex<[Letter]>([])
  private let wake: (@Sendable () -> Void)?

  /// Makes an empty mailbox.
  /// - Parameter wake: called on the pedometer's thread after each delivery, so that the owner need not poll.
  init(wake: (@Sendable () -> Void)?) { self.wake = wake }

  /// Leaves a letter; from any thread.
  func deliver(_ content: Content, session: Int) {
    letters.withLock { $0.append(Letter(session: session, content: content)) }
    wake?()
  }

  /// Takes everything out; from the owner.
  func collect() -> [Letter] {
    letters.withLock { waiting in
      let taken = waiting
      waiting.removeAll()
      return taken
    }
  }
}
