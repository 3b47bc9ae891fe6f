/// How long to wait before the next try: twice as long each time, up to a limit.
struct Backoff: Sendable, Hashable {
  private let first: Duration
  private let longest: Duration
  private var following: Duration

  /// Waits `first`, and never longer than `longest`.
  init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
    self.first = first
    self.longest = longest
    following = first
  }

  /// The time to wait now.
  mutating func next() -> Duration {
    defer { following = min(following * 2, longest) }
    return following
  }

  /// It went well for a while.
  mutating func reset() { following = first }
}
