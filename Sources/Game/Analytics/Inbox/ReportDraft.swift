import FoundationEssentials

/// Why a request is refused: the status of the answer and one sentence.
public struct ReportRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// 400, 405, 413, 415 or 503.
  public var status: Int
  /// The problem, and the remedy.
  public var reason: String

  public var description: String { reason }

  static func bad(_ reason: String) -> ReportRefusal { ReportRefusal(status: 400, reason: reason) }
}

/// A received report before validation.
struct ReportDraft: Decodable {
  var id: String?
  var name: String?
  var recordedDate: String?
  var type: String?
  var duration: Double?
  var device: String?
  var os: String?
  var appVersion: String?

  /// The maximum length of a body in bytes.
  static let longestBody = 16_384
  /// The maximum lengths in characters.
  static let longestName = 100, longestType = 50, longestNote = 200
  /// The maximum duration in seconds: a year.
  static let longestDuration = 366 * 86_400.0

  static func read(_ body: [UInt8], contentType: String?) throws(ReportRefusal) -> ReportDraft {
    let mediaType = contentType?.split(separator: ";").first?.lowercased().filter { !$0.isWhitespace }
    guard mediaType == "application/json" else {
      throw ReportRefusal(status: 415, reason: "the Content-Type must be application/json")
    }
    guard body.count <= longestBody else {
      throw ReportRefusal(status: 413, reason: "a report has at most \(longestBody) bytes; send one at a time")
    }
    do {
      return try ReportJSON.value(ReportDraft.self, of: body)
    } catch DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty {
      throw .bad("'\(context.codingPath[0].stringValue)' has the wrong type; see the schema of a report")
    } catch { throw .bad("not a JSON report; send an object with name, recordedDate and type") }
  }

  func checked(user: String, eventDate: Date) throws(ReportRefusal) -> StoredReport {
    let given = id.map { UUID(uuidString: $0) }
    if let given, given == nil { throw .bad("'id' is not a UUID; leave it out or send one") }
    guard let recordedDate, let date = ReportDate.date(recordedDate) else {
      throw .bad("'recordedDate' is not a date; send ISO 8601, such as 2026-11-21T14:19:20.123Z")
    }
    if let duration, !(duration.isFinite && 0...Self.longestDuration ~= duration) {
      throw .bad("'duration' is not between 0 and \(Int(Self.longestDuration)); send seconds")
    }
    return StoredReport(
      id: (given ?? nil) ?? UUID(), name: try Self.word(name, "name", Self.longestName), user: user,
      eventDate: eventDate, recordedDate: date, type: try Self.word(type, "type", Self.longestType),
      duration: duration, device: try Self.note(device, "device"), os: try Self.note(os, "os"),
      appVersion: try Self.note(appVersion, "appVersion"))
  }

  /// A required field.
  private static func word(_ text: String?, _ field: String, _ longest: Int) throws(ReportRefusal) -> String {
    guard let text, !text.isEmpty else { throw .bad("'\(field)' is missing; send at least one character") }
    return try plain(text, field, longest)
  }

  /// An optional field.
  private static func note(_ text: String?, _ field: String) throws(ReportRefusal) -> String? {
    guard let text else { return nil }
    return try plain(text, field, longestNote)
  }

  private static func plain(_ text: String, _ field: String, _ longest: Int) throws(ReportRefusal) -> String {
    guard text.count <= longest else { throw .bad("'\(field)' is too long; send at most \(longest) characters") }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }) else {
      throw .bad("'\(field)' contains control characters; send plain text")
    }
    return text
  }
}
