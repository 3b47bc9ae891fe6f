/// Starts to measure the elapsed time with any clock.
/// - Returns: the time since then, at each call.
func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
