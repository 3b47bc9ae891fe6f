import FoundationEssentials

/// The time of a room is a `Duration` since 2001-01-01 UTC: it is exact, so that events are due at their instant
/// without rounding errors.
extension Duration {
  /// The same instant as a date, or its number in JSON.
  var date: Date { Date(timeIntervalSinceReferenceDate: seconds) }

  var seconds: Double { self / .seconds(1) }
}
