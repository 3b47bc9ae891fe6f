import FoundationEssentials

/// A single event: a screen was shown, a button was tapped, a chase was won.
///
/// Its JSON is the founding format plus an `id`, by which a service recognises a repeated report:
///
///     {"id":"6F0B…","name":"chaseCompleted","recordedDate":"2026-11-21T14:19:20.123Z","type":"lifecycle",
///      "duration":312.5,"device":"ThinkPad X1","os":"Debian GNU/Linux 12 (bookworm), Linux 6.1.0","appVersion":"0.2.0"}
public struct Report: Sendable, Hashable, Identifiable {
  /// Identifies the report, also when it is sent repeatedly.
  public let id: UUID
  /// The event: the raw value of an ``AnalyticsEvent``.
  public let name: String
  /// The time of the event, in whole milliseconds, so that it round-trips through JSON.
  public let recordedDate: Date
  /// The type of the event: the raw value of an ``AnalyticsType``.
  public let type: String
  /// The duration in seconds, if any.
  public let duration: TimeInterval?
  /// The computer's model.
  public let device: String
  /// The system and its kernel.
  public let os: String
  /// The program's version.
  public let appVersion: String

  /// Creates a report.
  /// - Parameters:
  ///   - id: identifies the report.
  ///   - name: the event.
  ///   - recordedDate: the time of the event; rounded to a millisecond.
  ///   - type: the type of the event.
  ///   - duration: in seconds.
  ///   - device: the computer's model.
  ///   - os: the system and its kernel.
  ///   - appVersion: the program's version.
  public init(
    id: UUID = UUID(), name: String, recordedDate: Date, type: String, duration: TimeInterval? = nil, device: String,
    os: String, appVersion: String
  ) {
    (self.id, self.name) = (id, name)
    self.recordedDate = ReportDate.rounded(recordedDate)
    (self.type, self.duration, self.device, self.os) = (type, duration, device, os)
    self.appVersion = appVersion
  }

  /// Creates the report of an event.
  /// - Parameters:
  ///   - event: the event.
  ///   - type: the type of the event.
  ///   - duration: rounded to a millisecond.
  ///   - environment: the computer and program.
  ///   - date: the time of the event; by default now.
  public static func make(
    event: AnalyticsEvent, type: AnalyticsType, duration: Duration? = nil, in environment: ReportEnvironment,
    at date: Date = Date()
  ) -> Report {
    Report(
      name: event.rawValue, recordedDate: date, type: type.rawValue,
      duration: duration.map { ($0 / .milliseconds(1)).rounded() / 1000 }, device: environment.device,
      os: environment.os, appVersion: environment.appVersion)
  }
}

extension Report: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, recordedDate, type, duration, device, os, appVersion
  }

  /// Decodes a report with any date strategy of the decoder. A report without an `id`, as from a founding client, gets
  /// one.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decodeIfPresent(UUID.self, forKey: .id) ?? UUID(),
      name: try values.decode(String.self, forKey: .name),
      recordedDate: try values.decode(Date.self, forKey: .recordedDate),
      type: try values.decode(String.self, forKey: .type),
      duration: try values.decodeIfPresent(TimeInterval.self, forKey: .duration),
      device: try values.decode(String.self, forKey: .device), os: try values.decode(String.self, forKey: .os),
      appVersion: try values.decode(String.self, forKey: .appVersion))
  }

  /// Its JSON on one line, without a line break; the same report gives the same bytes.
  /// - Throws: `EncodingError` if the duration is not finite.
  public func json() throws -> [UInt8] { try ReportJSON.bytes(of: self) }
}

/// The JSON format of this module.
enum ReportJSON {
  static func bytes(of value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  static func value<T: Decodable>(_ type: T.Type, of bytes: some Sequence<UInt8>) throws -> T {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
