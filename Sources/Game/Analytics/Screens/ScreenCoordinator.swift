/// A stack of screens that passes them what they need to report.
///
/// In the founding app a navigation controller passed `analytics` to the top screen, and lost it if there was none.
/// This one keeps it, and gives it to every current and later screen. One owner, not `Sendable`.
public final class ScreenCoordinator: ReportSending {
  /// Passed to every current and later screen.
  public var analytics: (any AnalyticsAPI)? { didSet { for screen in screens { screen.analytics = analytics } } }

  private var screens: [any ReportingScreen] = []

  /// Creates an empty stack.
  public init(analytics: (any AnalyticsAPI)? = nil) { self.analytics = analytics }

  /// The visible screen.
  public var top: (any ReportingScreen)? { screens.last }

  /// Shows a screen above the visible one.
  public func push(_ screen: any ReportingScreen) {
    top?.willDisappear()
    screen.analytics = analytics
    screens.append(screen)
    screen.willAppear()
  }

  /// Leaves the visible screen for the one below it.
  public func pop() {
    guard let left = screens.popLast() else { return }
    left.willDisappear()
    top?.willAppear()
  }

  /// Leaves all screens without showing another.
  public func leave() {
    top?.willDisappear()
    screens = []
  }
}
