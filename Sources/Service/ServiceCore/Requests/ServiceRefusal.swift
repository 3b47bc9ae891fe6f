import Platform

/// The refusal of a valid request: one sentence and the status.
package struct ServiceRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// 400, 404, 409, 503 …
  package var status: Int
  /// The reason, and the remedy.
  package var reason: String
  /// The seconds after which a client that asks too often may ask again, as the header `Retry-After` has them.
  package var wait: Int?
  /// The methods of a path, as the header `Allow` has them.
  package var allowed: String?

  package init(_ status: Int, _ reason: String) { (self.status, self.reason) = (status, reason) }

  /// Refuses a client that asks too often.
  /// - Parameter excess: what there is too much of.
  package init(wait: Duration, excess: String = "too many requests") {
    let seconds = max(1, Int(bounded: (wait / .seconds(1)).rounded(.up)))
    self.init(429, "\(excess); wait \(seconds) s")
    self.wait = seconds
  }

  package var description: String { reason }
}
