import Foundation
import Platform

extension Duration {
  /// Whole microseconds.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}

extension Date {
  /// The limit is the year 5138, in both directions from 1970: later dates are clamped, so that no sum overflows.
  private static let farthest = 1e11

  /// Whole microseconds since 1970, rounded down.
  var microseconds: Int64 {
    let seconds = timeIntervalSince1970
    guard !seconds.isNaN else { return Int64(bounded: -Self.farthest * 1e6) }
    // The precision of a `Double` since the reference date is a tenth of a microsecond, hence rounded, not truncated.
    return Int64(bounded: min(max(seconds, -Self.farthest), Self.farthest) * 1e6)
  }

  init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1e6) }

  init(minute: Int64) { self.init(timeIntervalSince1970: Double(minute) * 60) }
}

extension Int64 {
  /// Microseconds in a minute.
  static let minute: Int64 = 60_000_000
  /// Minutes in an interval whose sums are stored: every current time zone differs from UTC by a multiple of it.
  static let quarter: Int64 = 15

  /// The quotient, rounded up.
  func ceiled(by divisor: Int64) -> Int64 { -(-self).floored(by: divisor) }
}
