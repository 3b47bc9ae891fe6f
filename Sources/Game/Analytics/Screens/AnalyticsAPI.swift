/// Takes reports. Sending one returns at once and never reports an error.
public protocol AnalyticsAPI: Sendable {
  /// Sends a report eventually, as a best effort.
  func sendReport(report: Report)
}

/// A type that reports its events if it has an ``AnalyticsAPI``.
public protocol ReportSending: AnyObject {
  /// Receives its reports; `nil` without consent, and then nothing is reported.
  var analytics: (any AnalyticsAPI)? { get set }
}

/// A screen that appears and disappears.
public protocol ReportingScreen: ReportSending {
  /// It is about to appear.
  func willAppear()
  /// It is about to disappear.
  func willDisappear()
}
