import Foundation
import Platform

/// The time zone in which the user's days begin.
package enum UserTimeZone {
  /// The machine's current zone. Foundation keeps the first one, but a service may run across a change of zone.
  package static func present(localtime: String = "/etc/localtime") -> TimeZone {
    present(ProcessInfo.processInfo.environment["TZ"], localtime: localtime, now: Date(), offset: machineOffset)
  }

  /// What is to be said about the machine's zone; `nil` if days are those of its clocks.
  package static var doubt: String? {
    remark(on: ProcessInfo.processInfo.environment["TZ"], now: Date(), offset: machineOffset)
  }

  /// The zone of a variable `TZ`. Foundation knows no rules such as `JST-9` and takes `GMT+2` for two hours ahead; the
  /// machine's clocks are those of the C library.
  /// - Parameter offset: the C library's offset at a moment, in seconds.
  static func present(
    _ variable: String?, localtime: String = "/etc/localtime", now: Date, offset: (Date) -> Int
  ) -> TimeZone {
    if variable == nil, let zone = linked(localtime) { return zone }
    let zone = variable.flatMap(named) ?? .current
    if seasons(now).allSatisfy({ zone.secondsFromGMT(for: $0) == offset($0) }) { return zone }
    // Its present offset gives the present day.
    return TimeZone(secondsFromGMT: offset(now)) ?? zone
  }

  /// What is to be said about a variable `TZ`.
  static func remark(
    on variable: String?, localtime: String = "/etc/localtime", now: Date, offset: (Date) -> Int
  ) -> String? {
    let remedy = "set TZ to a name such as Europe/Berlin, or state the time zone"
    // The C library takes what it does not find for UTC. Foundation also knows abbreviations such as PST, and zones without a file.
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: localtime)
    if seasons(now).allSatisfy({ offset($0) == 0 }), let name = variable ?? zoneName(target), !name.contains("/etc/"),
      named(name).map({ zone in !seasons(now).allSatisfy { zone.secondsFromGMT(for: $0) == 0 } }) ?? isName(name)
    {
      let cause = variable == nil ? "\(localtime) is a link to" : "TZ is"
      return "\(cause) '\(name)', a time zone without a file: days are those of UTC; install tzdata, or \(remedy)"
    }
    let zone = present(variable, localtime: localtime, now: now, offset: offset)
    guard seasons(now).contains(where: { zone.secondsFromGMT(for: $0) != offset($0) }) else { return nil }
    let cause = variable.map { "TZ is '\($0)'" } ?? "\(localtime) is not a link to a time zone"
    return
      "\(cause): when its clocks change is not known, so days of the other half of the year begin at another hour; "
      + remedy
  }

  /// The zone of a name, or of a path into the zone files, as the C library reads them.
  private static func named(_ variable: String) -> TimeZone? {
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if name.isEmpty { return .gmt }
    return name.hasPrefix("/") ? linked(name) : TimeZone(identifier: name)
  }

  /// Whether a variable is a name. In a rule, an offset follows the letters of the zone.
  private static func isName(_ variable: String) -> Bool {
    let letters = variable.prefix { !$0.isNumber }
    return letters.endIndex == variable.endIndex || letters.contains("/")
  }

  /// Moments of all seasons, the first one now.
  private static func seasons(_ now: Date) -> [Date] { (0..<4).map { now + Double($0) * 91 * 86_400 } }

  private static func machineOffset(_ date: Date) -> Int {
    var moment = time_t(date.timeIntervalSince1970)
    var parts = unsafe tm()
    unsafe localtime_r(&moment, &parts)
    return unsafe Int(parts.tm_gmtoff)
  }

  private static func linked(_ path: String) -> TimeZone? {
    zoneName(resolvedPath(path)).flatMap { TimeZone(identifier: $0) }
  }

  private static func zoneName(_ path: String?) -> String? {
    guard let parts = path?.split(separator: "/zoneinfo/", maxSplits: 1), parts.count == 2 else { return nil }
    return String(parts[1])
  }
}

extension TimeZone {
  /// A name such as `Europe/Berlin`, or an offset such as `+02:00`; `nil` for any other text.
  package init?(named text: String) {
    guard
      let zone = TimeZone(identifier: text) ?? UTCOffset.seconds(text).flatMap({ TimeZone(secondsFromGMT: $0) })
    else { return nil }
    self = zone
  }
}
