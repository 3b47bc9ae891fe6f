import Foundation

/// A report as it lies in the database; what is in one is up to the module Analytics.
package struct ReportRecord: Sendable, Hashable {
  /// The report's own; with ``user`` it tells a report from all others.
  package var id: UUID
  /// Who reported it.
  package var user: String
  /// What happened.
  package var name: String
  /// What kind of thing that is.
  package var type: String
  /// When it came in, in whole milliseconds.
  package var eventDate: Date
  /// When it happened, by the reporter's clock, in whole milliseconds.
  package var recordedDate: Date
  /// How long it took, in seconds.
  package var duration: Double?
  /// The computer's model.
  package var device: String?
  /// The system.
  package var os: String?
  /// The program's version.
  package var appVersion: String?

  /// Makes a record.
  package init(
    id: UUID, user: String, name: String, type: String, eventDate: Date, recordedDate: Date, duration: Double? = nil,
    device: String? = nil, os: String? = nil, appVersion: String? = nil
  ) {
    self.id = id
    self.user = user
    self.name = name
    self.type = type
    self.eventDate = eventDate
    self.recordedDate = recordedDate
    self.duration = duration
    self.device = device
    self.os = os
    self.appVersion = appVersion
  }
}
