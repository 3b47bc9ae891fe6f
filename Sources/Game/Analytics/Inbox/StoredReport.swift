import FoundationEssentials

/// A report as the service stores it. Its JSON omits missing values, and has the same dates with any coder's strategy.
public struct StoredReport: Sendable, Hashable, Codable, Identifiable {
  /// The identifier of the report, or one that the service assigned.
  public var id: UUID
  /// The event.
  public var name: String
  /// The reporting user.
  public var user: String
  /// When it was received, on the service's clock, in whole milliseconds.
  public var eventDate: Date
  /// When it happened, on the reporter's clock, in whole milliseconds.
  public var recordedDate: Date
  /// The type of the event.
  public var type: String
  /// Its duration in seconds.
  public var duration: TimeInterval?
  /// The computer's model.
  public var device: String?
  /// The system.
  public var os: String?
  /// The program's version.
  public var appVersion: String?

  /// Creates a stored report, for stores that read one back.
  public init(
    id: UUID, name: String, user: String, eventDate: Date, recordedDate: Date, type: String,
    duration: TimeInterval? = nil, device: String? = nil, os: String? = nil, appVersion: String? = nil
  ) {
    (self.id, self.name, self.type, self.user) = (id, name, type, user)
    self.eventDate = ReportDate.rounded(eventDate)
    self.recordedDate = ReportDate.rounded(recordedDate)
    (self.duration, self.device, self.os, self.appVersion) = (duration, device, os, appVersion)
  }
}

/// The storage of a service's reports: its database.
public protocol ReportStore: Sendable {
  /// Stores a report durably, unless this user's report with this `id` exists. Another user's report with the same `id`
  /// is another report.
  /// - Returns: the stored report, as it was first received.
  func store(_ report: StoredReport) async throws -> ReportReceipt

  /// The latest reports, the first received first.
  /// - Parameter limit: the maximum number.
  func reports(limit: Int) async throws -> [StoredReport]
}

/// The result of storing a report.
public struct ReportReceipt: Sendable, Hashable {
  /// The stored report.
  public var report: StoredReport
  /// Whether it is new.
  public var isNew: Bool

  /// Creates a receipt.
  public init(_ report: StoredReport, isNew: Bool) { (self.report, self.isNew) = (report, isNew) }
}
