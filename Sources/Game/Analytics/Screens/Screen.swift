import FoundationEssentials

/// A screen that reports each time that it is shown, and how long when it is left.
///
/// The view has the type `screenView` and no duration, as the founding screens sent it; leaving has the type
/// `lifecycle` and a duration, so views are not counted twice. One owner, not `Sendable`.
public final class Screen: ReportingScreen {
  public var analytics: (any AnalyticsAPI)?

  private let event: AnalyticsEvent
  private let environment: ReportEnvironment
  private let clock: any Clock<Duration>
  private let now: () -> Date
  /// The time since it is shown.
  private var shown: (() -> Duration)?

  /// Creates a screen that is not shown.
  /// - Parameters:
  ///   - event: the event of showing it.
  ///   - environment: the computer and program.
  ///   - clock: measures how long it is shown; use one that stops while the computer sleeps.
  ///   - now: the time of day.
  public init(
    _ event: AnalyticsEvent, in environment: ReportEnvironment, clock: any Clock<Duration> = SuspendingClock(),
    now: @escaping () -> Date = { Date() }
  ) {
    (self.event, self.environment, self.clock, self.now) = (event, environment, clock, now)
  }

  public func willAppear() {
    shown = stopwatch(clock)
    send(.screenView)
  }

  public func willDisappear() {
    guard let time = shown?() else { return }
    shown = nil
    send(.lifecycle, time)
  }

  private func send(_ type: AnalyticsType, _ duration: Duration? = nil) {
    analytics?.sendReport(report: .make(event: event, type: type, duration: duration, in: environment, at: now()))
  }
}
