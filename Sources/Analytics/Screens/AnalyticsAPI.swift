/// Takes reports. Sending one returns at once and never reports an error.
public protocol AnalyticsAPI: Sendable {
  /// Sends a report sooner or later, as well as can be done.
  func sendReport(report: Report)
}

/// Something that reports what happens in it, if it is given the means to.
public protocol ReportSending: AnyObject {
  /// Takes its reports; `nil` while there is no consent, and then nothing is reported.
  var analytics: (any AnalyticsAPI)? { get set }
}

/// Something that comes up, is looked at and goes away again.
public protocol ReportingScreen: ReportSending {
  /// It is about to be seen.
  func willAppear()
  /// It is about to go out of sight.
  func willDisappear()
}
