import FoundationEssentials

/// The reports of a race room; call its methods when the user does something. One owner, not `Sendable`.
///
/// A report contains no message, name or place, only that there was one.
public final class RoomReports: ReportSending {
  public var analytics: (any AnalyticsAPI)?

  private let environment: ReportEnvironment
  private let start: () -> Stopwatch
  private var joinedSince: Stopwatch?

  /// Creates the reports of a user who is not in a room.
  public init(in environment: ReportEnvironment, clock: any Clock<Duration> = SuspendingClock()) {
    self.environment = environment
    start = { Self.stopwatch(clock) }
  }

  private static func stopwatch(_ clock: some Clock<Duration>) -> Stopwatch { Stopwatch(clock) }

  /// The user joined a room. Leaving and joining because of a reconnection is the same stay: call this once.
  public func joined() {
    joinedSince = start()
    send(.roomJoined, .lifecycle)
  }

  /// The user left the room; its report contains the duration of the stay.
  public func left() {
    guard let stay = joinedSince?.elapsed() else { return }
    joinedSince = nil
    send(.roomLeft, .lifecycle, stay)
  }

  /// The user started a countdown.
  public func countdownStarted() { send(.countdownStarted, .buttonTap) }

  /// The user shared a location.
  public func locationShared() { send(.locationShared, .buttonTap) }

  private func send(_ event: AnalyticsEvent, _ type: AnalyticsType, _ duration: Duration? = nil) {
    analytics?.sendReport(report: .make(event: event, type: type, duration: duration, in: environment))
  }
}
