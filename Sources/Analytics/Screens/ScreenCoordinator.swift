/// Shows one screen on top of another, and sees to it that each has what it needs to report.
///
/// In the founding app a navigation controller passed `analytics` on to whatever was on top, and lost it when nothing
/// was. This one keeps it, and gives it to every screen, those to come too. One owner, not `Sendable`.
public final class ScreenCoordinator: ReportSending {
  /// Given to every screen, and to those that come later.
  public var analytics: (any AnalyticsAPI)? {
    didSet { for screen in screens { screen.analytics = analytics } }
  }

  private var screens: [any ReportingScreen] = []

  /// Makes one that shows nothing.
  public init(analytics: (any AnalyticsAPI)? = nil) { self.analytics = analytics }

  /// The screen that is seen.
  public var top: (any ReportingScreen)? { screens.last }

  /// Shows a screen in place of the one that is seen, which waits below it.
  public func push(_ screen: any ReportingScreen) {
    top?.willDisappear()
    screen.analytics = analytics
    screens.append(screen)
    screen.willAppear()
  }

  /// Leaves the screen that is seen, for the one below it.
  public func pop() {
    guard let left = screens.popLast() else { return }
    left.willDisappear()
    top?.willAppear()
  }

  /// Leaves all screens, without going back to any.
  public func leave() {
    top?.willDisappear()
    screens = []
  }
}
