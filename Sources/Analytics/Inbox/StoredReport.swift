import FoundationEssentials

/// A report as the service keeps it.
public struct StoredReport: Sendable, Hashable, Identifiable {
  /// The report's own, or one that was given to it here.
  public var id: UUID
  /// What happened.
  public var name: String
  /// Who reported it.
  public var user: String
  /// When it came in, by the service's clock, in whole milliseconds.
  public var eventDate: Date
  /// When it happened, by the reporter's clock, in whole milliseconds.
  public var recordedDate: Date
  /// What kind of thing that is.
  public var type: String
  /// How long it took, in seconds.
  public var duration: TimeInterval?
  /// The computer's model.
  public var device: String?
  /// The system.
  public var os: String?
  /// The program's version.
  public var appVersion: String?

  /// Makes a stored report, as a store does when it reads one back.
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

  /// Reads one, whatever the decoder thinks of dates.
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

  /// Writes one; what there is not is left out.
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

/// Where a service keeps reports: its database.
public protocol ReportStore: Sendable {
  /// Keeps a report, durably when it returns, unless this user's report of this `id` is kept already. Another user's
  /// report of the same `id` is another report.
  /// - Returns: what is kept: for a report that came before, as it came the first time.
  func store(_ report: StoredReport) async throws -> ReportReceipt

  /// The latest reports, the one that came in first at the front.
  /// - Parameter limit: how many at most.
  func reports(limit: Int) async throws -> [StoredReport]
}

/// What became of a report that came in.
public struct ReportReceipt: Sendable, Hashable {
  /// What is kept.
  public var report: StoredReport
  /// Whether it was not there before.
  public var isNew: Bool

  /// Makes a receipt.
  public init(_ report: StoredReport, isNew: Bool) {
    self.report = report
    self.isNew = isNew
  }
}
