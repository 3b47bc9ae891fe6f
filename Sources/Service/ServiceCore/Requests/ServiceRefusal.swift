import Platform

/// The refusal of a valid request: one sentence and the status.
package struct ServiceRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// 400, 404, 409, 503 …
  package var status: Int
  /// The reason, and the remedy.
  package var reason: String

  package init(_ status: Int, _ reason: String) { (self.status, self.reason) = (status, reason) }

  package var description: String { reason }
}

/// A client asks too often.
package struct PaceRefusal: Error, Sendable, Hashable {
  package var wait: Duration
  /// What there is too much of.
  package var excess: String

  package init(wait: Duration, excess: String = "too many requests") { (self.wait, self.excess) = (wait, excess) }

  /// Whole seconds, as the header `Retry-After` has them.
  package var seconds: Int { max(1, Int(bounded: (wait / .seconds(1)).rounded(.up))) }

  package var refusal: ServiceRefusal { ServiceRefusal(429, "\(excess); wait \(seconds) s") }
}
