import Foundation
import Platform

/// The time zone in which the user's days begin.
package enum UserTimeZone {
  /// The machine's current zone. Foundation keeps the first one, but a service may run across a change of zone.
  package static func present(localtime: String = "/etc/localtime") -> TimeZone {
    if let name = ProcessInfo.processInfo.environment["TZ"], let zone = TimeZone(identifier: name) { return zone }
    return linked(localtime) ?? .current
  }

  /// The zone of a link into the zone files.
  private static func linked(_ path: String) -> TimeZone? {
    guard let parts = resolvedPath(path)?.split(separator: "/zoneinfo/", maxSplits: 1) else { return nil }
    return parts.count == 2 ? TimeZone(identifier: String(parts[1])) : nil
  }
}
