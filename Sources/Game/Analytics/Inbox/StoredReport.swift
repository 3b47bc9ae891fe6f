import FoundationEssentials

/// A report as the service stores it.
public struct StoredReport: Sendable, Hashable, Identifiable {
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
    self.id = id
    self.name = name
    self.type = type
    self.user = user
    self.eventDate = ReportDate.rounded(eventDate)
    self.recordedDate = ReportDate.rounded(recordedDate)
    self.duration = duration
    self.device = device
    self.os = os
    self.appVersion = appVersion
  }
}

extension StoredReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, user, eventDate, recordedDate, type, duration, device, os, appVersion
  }

  /// Decodes a report with any date strategy of the decoder.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(UUID.self, forKey: .id), name: try values.decode(String.self, forKey: .name),
      user: try values.decode(String.self, forKey: .user), eventDate: try values.reportDate(forKey: .eventDate),
      recordedDate: try values.reportDate(forKey: .recordedDate), type: try values.decode(String.self, forKey: .type),
      duration: try values.decodeIfPresent(TimeInterval.self, forKey: .duration),
      device: try values.decodeIfPresent(String.self, forKey: .device),
      os: try values.decodeIfPresent(String.self, forKey: .os),
      appVersion: try values.decodeIfPresent(String.self, forKey: .appVersion))
  }

  /// Encodes a report without missing values.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
    try values.encode(user, forKey: .user)
    try values.encode(ReportDate.text(eventDate), forKey: .eventDate)
    try values.encode(ReportDate.text(recordedDate), forKey: .recordedDate)
    try values.encode(type, forKey: .type)
    try values.encodeIfPresent(duration, forKey: .duration)
    try values.encodeIfPresent(device, forKey: .device)
    try values.encodeIfPresent(os, forKey: .os)
    try values.encodeIfPresent(appVersion, forKey: .appVersion)
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
  public init(_ report: StoredReport, isNew: Bool) {
    self.report = report
    self.isNew = isNew
  }
}
