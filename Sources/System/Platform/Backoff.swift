/// Exponential back-off: how long to wait before the next attempt, twice as long each time, up to a limit.
package struct Backoff: Sendable, Hashable {
  private let first: Duration
  private let longest: Duration
  private let isPrompt: Bool
  private var following: Duration?

  /// The first wait is `first`; later ones double up to `longest`.
  /// - Parameter isPrompt: whether there is one attempt at once before the first wait.
  package init(first: Duration = .seconds(1), longest: Duration = .seconds(60), isPrompt: Bool = false) {
    (self.first, self.longest, self.isPrompt) = (first, longest, isPrompt)
  }

  package mutating func next() -> Duration {
    guard let present = following else {
      following = isPrompt ? first : min(first * 2, longest)
      return isPrompt ? .zero : min(first, longest)
    }
    following = min(present * 2, longest)
    return present
  }

  /// Starts again with the first wait, after a success.
  package mutating func reset() { following = nil }
}
