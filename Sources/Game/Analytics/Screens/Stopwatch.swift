/// Measures the elapsed time with any clock.
struct Stopwatch: Sendable {
  /// The time since it was started.
  let elapsed: @Sendable () -> Duration

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }
}
