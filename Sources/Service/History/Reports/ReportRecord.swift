import Foundation

/// A report in the database; the module Analytics defines its content.
package struct ReportRecord: Sendable, Hashable {
  /// The report's identifier; with ``user`` it is the key.
  package var id: UUID
  /// The reporting user.
  package var user: String
  /// The event.
  package var name: String
  /// The type of the event.
  package var type: String
  /// When it was received, in whole milliseconds.
  package var eventDate: Date
  /// When it happened, on the reporter's clock, in whole milliseconds.
  package var recordedDate: Date
  /// Its duration in seconds.
  package var duration: Double?
  /// The computer's model.
  package var device: String?
  /// The system.
  package var os: String?
  /// The program's version.
  package var appVersion: String?

  /// Creates a record.
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
