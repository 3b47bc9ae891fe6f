import CSystemBus
import Foundation
import Logging
import Platform
import ServiceCore
import ServiceLifecycle
import ServiceSettings

/// Shows notifications on the user's desktop.
package struct NotificationService: Service {
  let rules: NotificationRules
  let clock: ServiceClock
  /// The current figures.
  let figures: @Sendable () async -> PublishedFigures
  /// The minute of the user's day.
  let minute: @Sendable (Date) -> Int
  /// Shows a notification; throws a reason.
  let show: @Sendable (NotificationRules.Notification) async throws -> Void
  let logger: Logger

  /// The time between two looks at the figures.
  static let interval = Duration.seconds(10)

  package init(
    rules: NotificationRules, clock: ServiceClock, figures: @escaping @Sendable () async -> PublishedFigures,
    minute: @escaping @Sendable (Date) -> Int,
    show: @escaping @Sendable (NotificationRules.Notification) async throws -> Void, logger: Logger
  ) {
    (self.rules, self.clock, self.figures) = (rules, clock, figures)
    (self.minute, self.show, self.logger) = (minute, show, logger)
  }

  package func run() async throws {
    await cancelWhenGracefulShutdown {
      var rules = rules
      var told: String?
      while !Task.isCancelled {
        let now = clock.now()
        for notification in rules.take(await figures(), at: now, minute: minute(now)) {
          do {
            try await show(notification)
            told = nil
          } catch {
            if told.changes(to: "\(error)") {
              logger.warning("notifications: '\(notification.title)' could not be shown: \(error)")
            }
          }
        }
        try? await clock.sleep(Self.interval)
      }
    }
  }
}

/// Notifications through the session bus.
package enum DesktopNotification {
  /// Why a notification was not shown.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private static let remedy = "run the service in the user's session: systemctl --user enable --now pedometerd"

  /// Why no notification can be shown, and the remedy; `nil` if there is a session bus.
  package static func obstacle(_ environment: [String: String]) -> String? {
    if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return nil }
    if let folder = environment["XDG_RUNTIME_DIR"], unsafe access(folder + "/bus", F_OK) == 0 { return nil }
    return "there is no session bus; \(remedy)"
  }

  /// Shows a notification. Blocks for up to five seconds.
  /// - Parameter address: of a bus; `nil`: the session bus.
  package static func show(_ notification: NotificationRules.Notification, at address: String? = nil) throws {
    // Desktops may read the text as markup.
    let text = notification.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    var problem = [CChar](repeating: 0, count: 512)
    let status =
      if let address {
        unsafe bus_notify(address, notification.title, text, &problem, problem.count)
      } else {
        unsafe bus_notify(nil, notification.title, text, &problem, problem.count)
      }
    guard status < 0 else { return }
    let words = String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    throw Failure(
      description: "\(words.isEmpty ? systemText(-status) : words); \(remedy)")
  }
}

extension NotificationRules {
  /// The hours in which an hour without a step is reported by default.
  static let usualHours = 9 * 60..<18 * 60

  /// Reads the settings; `nil` without notifications.
  package init?(_ given: GivenSettings) throws(ConfigurationError) {
    var occasions: Set<Occasion> = []
    for text in given[.notify] {
      guard let occasion = Occasion(rawValue: text.text) else {
        throw ConfigurationError("'\(text.text)' is not an occasion; write goal, idle or sensor", at: text.place)
      }
      occasions.insert(occasion)
    }
    var hours = Self.usualHours
    if let text = given[.notifyHours].first {
      let ends = text.text.split(separator: "-", omittingEmptySubsequences: false).map { Self.minute($0) }
      guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else {
        throw ConfigurationError(
          "'\(text.text)' are not hours of a day; write HH:MM-HH:MM, such as 09:00-18:00", at: text.place)
      }
      hours = start..<end
    }
    if occasions.isEmpty { return nil }
    self.init(occasions: occasions, hours: hours)
  }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0...24).contains(hour),
      (0..<60).contains(minute), hour < 24 || minute == 0
    else { return nil }
    return hour * 60 + minute
  }
}
