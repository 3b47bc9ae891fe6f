import FoundationEssentials

/// The reports of a race room; call its methods when the user does something. One owner, not `Sendable`.
///
/// A report contains no message, name or place, only that there was one.
public final class RoomReports: ReportSending {
  public var analytics: (any AnalyticsAPI)?

  private let environment: ReportEnvironment
  private let clock: any Clock<Duration>
  /// The time since the user joined.
  private var stay: (() -> Duration)?

  /// Creates the reports of a user who is not in a room.
  public init(in environment: ReportEnvironment, clock: any Clock<Duration> = SuspendingClock()) {
    (self.environment, self.clock) = (environment, clock)
  }

  /// The user joined a room. Leaving and joining because of a reconnection is the same stay: call this once.
  public func joined() {
    stay = stopwatch(clock)
    send(.roomJoined, .lifecycle)
  }

  /// The user left the room; its report contains the duration of the stay.
  public func left() {
    guard let time = stay?() else { return }
    stay = nil
    send(.roomLeft, .lifecycle, time)
  }

  /// The user started a countdown.
  public func countdownStarted() { send(.countdownStarted, .buttonTap) }

  /// The user shared a location.
  public func locationShared() { send(.locationShared, .buttonTap) }

  private func send(_ event: AnalyticsEvent, _ type: AnalyticsType, _ duration: Duration? = nil) {
    analytics?.sendReport(report: .make(event: event, type: type, duration: duration, in: environment))
  }
}
