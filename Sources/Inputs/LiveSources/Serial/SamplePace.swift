import Accelerometry

/// Whether samples came as they were measured, or were kept and came at once.
struct SamplePace {
  /// When the source began, in nanoseconds since boot.
  let start: Int64
  private var first: Int64?
  private var latest: Int64 = 0
  /// A shorter time with samples may pass in starting a program.
  private static let least: Int64 = 10_000_000_000

  init(start: Int64) { self.start = start }

  /// Takes samples with the source's own times.
  mutating func take(_ samples: [AccelerationSample]) {
    first = first ?? samples.first?.nanoseconds
    latest = samples.last?.nanoseconds ?? latest
  }

  /// Whether the time of the samples has passed since the start; clocks may be wrong by a fifth.
  func isLive(at now: Int64) -> Bool {
    let (span, isOver) = latest.subtractingReportingOverflow(first ?? latest)
    return !isOver && span >= Self.least && now &- start >= span / 5 * 4
  }
}
