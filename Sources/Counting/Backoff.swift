/// How long to wait before the next try: twice as long each time, up to a limit.
package struct Backoff: Sendable, Hashable {
  private let first: Duration
  private let longest: Duration
  private let isPrompt: Bool
  private var following: Duration?

  /// Waits `first`, and never longer than `longest`.
  /// - Parameter isPrompt: whether there is one try at once before the first wait.
  package init(first: Duration = .seconds(1), longest: Duration = .seconds(60), isPrompt: Bool = false) {
    self.first = first
    self.longest = longest
    self.isPrompt = isPrompt
  }

  /// The time to wait now.
  package mutating func next() -> Duration {
    guard let present = following else {
      following = isPrompt ? first : min(first * 2, longest)
      return isPrompt ? .zero : first
    }
    following = min(present * 2, longest)
    return present
  }

  /// It went well for a while.
  package mutating func reset() { following = nil }
}
