import Synchronization

/// What a pointer of the caller refers to, which one thread may use at a time.
protocol Lendable: AnyObject {
  /// What the header calls it, and the function that makes it.
  static var name: String { get }
  static var maker: String { get }
  var lease: Lease { get }
}

/// Whether a call is going on.
final class Lease: Sendable {
  private let isTaken = Atomic<Bool>(false)

  /// - Returns: `false` if another call is going on.
  func begin() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

  func end() { isTaken.store(false, ordering: .releasing) }
}
