import Analytics
import Synchronization

/// A mock that records the reports.
public final class MockAnalyticsAPI: AnalyticsAPI {
  private let sent = Mutex<[Report]>([])

  public init() {}

  /// Whether any was sent.
  public var reportSent: Bool { reportCount > 0 }
  /// The number of reports.
  public var reportCount: Int { reports.count }
  /// All reports, in order.
  public var reports: [Report] { sent.withLock { $0 } }

  public func sendReport(report: Report) { sent.withLock { $0.append(report) } }
}
