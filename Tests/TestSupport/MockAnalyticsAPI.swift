import Analytics
import Synchronization

/// A mock: notes that reports were sent.
public final class MockAnalyticsAPI: AnalyticsAPI {
  private let sent = Mutex<[Report]>([])

  public init() {}

  /// Whether any was sent.
  public var reportSent: Bool { reportCount > 0 }
  /// How many were sent.
  public var reportCount: Int { reports.count }
  /// All that were sent, in order.
  public var reports: [Report] { sent.withLock { $0 } }

  public func sendReport(report: Report) { sent.withLock { $0.append(report) } }
}
