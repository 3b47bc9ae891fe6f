import Dispatch
import Synchronization

/// The places of a queue, for which threads wait until it is opened.
final class IntakeQueue: Sendable {
  // It begins at 0, because a semaphore may not be released with less than it began with.
  private let places = DispatchSemaphore(value: 0)
  private let isOpen = Atomic(false)

  init(most: Int) { for _ in 0..<most { places.signal() } }

  /// Takes a place; blocks until one is free.
  func enter() {
    if isOpen.load(ordering: .acquiring) { return }
    places.wait()
    // The next thread that waits does not wait for a place either.
    if isOpen.load(ordering: .acquiring) { places.signal() }
  }

  /// Frees a place.
  func leave() { places.signal() }

  /// Lets everybody in from now on.
  func open() {
    isOpen.store(true, ordering: .releasing)
    places.signal()
  }
}
