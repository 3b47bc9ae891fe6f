import Foundation
import History
import JSONLines
import Pedometry
import ServiceCore
import ServiceSettings
import ServiceTransport

/// Whom the service tells the steps of each day, and how.
struct PushTarget: Sendable {
  /// What a service takes. `{steps}` and others stand for ``PushedDay/figures``, `{token}` and `{id}` for settings.
  struct Form: Sendable {
    var method = "POST"
    var path = ""
    var headers = ["Authorization: Bearer {token}"]
    var body: String
    /// Where the day's entry is found, which is changed then, because another request would add a second one.
    var find: String?
  }

  /// The services by name, from the public descriptions of their APIs.
  static let forms: [String: Form] = [
    "webhook": Form(
      body:
        #"{"date":"{date}","steps":{steps},"distance":{distance},"activeTime":{activeTime},"start":"{start}","end":"{end}"}"#
    ),
    "sparkyfitness": Form(
      path: "/api/health-data", body: #"[{"type":"step","value":{steps},"date":"{date}","source":"pedometer"}]"#),
    "endurain": Form(
      path: "/api/v1/health/steps", headers: ["Authorization: Bearer {token}", "X-Client-Type: mobile"],
      body: #"{"date":"{date}","steps":{steps}}"#),
    "open-wearables": Form(
      path: "/api/v1/sdk/users/{id}/sync", headers: ["X-Open-Wearables-API-Key: {token}"],
      body: #"{"provider":"apple","sdkVersion":"1.0.0","syncTimestamp":"{end}","data":{"records":[{"id":"{uuid}","#
        + #""type":"HKQuantityTypeIdentifierStepCount","startDate":"{start}","endDate":"{end}","value":{steps},"unit":"count"}]}}"#
    ),
    "wger": Form(
      path: "/api/v2/measurement/", headers: ["Authorization: Token {token}"],
      body: #"{"category":"{id}","date":"{start}","value":{steps},"external_id":"{uuid}"}"#,
      find: "/api/v2/measurement/?category={id}&external_id={uuid}"),
  ]

  /// What the acknowledged days are those of.
  let name: String
  /// The number of days before today that are looked at.
  let days: Int
  private let url: String
  private let form: Form
  private let settings: [String: String]

  /// Reads the keys below `push`; `nil` if there are none.
  /// - Parameter hidesToken: whether the file with the token is left unread.
  init?(_ given: GivenSettings, hidesToken: Bool = false) throws(ConfigurationError) {
    guard let first = SettingKey.keys(of: "push").flatMap({ given[$0] }).first else { return nil }
    guard let url = given[.pushURL].first else {
      throw ConfigurationError("push.url is missing; add url: https://HOST below push", at: first.place)
    }
    let parts = URLComponents(string: url.text.replacing("{date}", with: "2026-05-06"))
    guard let parts, ["http", "https"].contains(parts.scheme), parts.host?.isEmpty == false, parts.user == nil else {
      throw ConfigurationError(
        "push.url '\(url.text)' is not an address; write https://HOST, and a token into push.token-file", at: url.place)
    }
    let names = Self.forms.keys.sorted().joined(separator: ", ")
    let form = try given.value(.pushTo, or: "is none of the services \(names)") { Self.forms[$0] }
    var all = form ?? Self.forms["webhook"] ?? Form(body: "")
    if let method = given[.pushMethod].first { all.method = method.text }
    if let header = given[.pushHeader].first { all.headers = [header.text] }
    if let body = given[.pushBody].first { all.body = body.text }
    var settings = ["id": given[.pushID].first?.text]
    if let file = given[.pushTokenFile].first {
      settings["token"] =
        hidesToken
        ? "(hidden)"
        : try SecretFile.text(of: file.text, "push.token-file", create: "cat", place: file.place)
          .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let needed = all.path + all.headers.joined() + all.body
    if form != nil, needed.contains("{id}"), settings["id"] == .some(nil) {
      throw ConfigurationError(
        "push.id is missing: the user of Open Wearables, or the category of wger's measurements", at: first.place)
    }
    days =
      try given.value(
        .pushDays, or: "is not a number of days from 1 to 3660",
        { (text: String) in
          Int(text).flatMap { (1...3660).contains($0) ? $0 : nil }
        }) ?? 30
    self.url = url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
    self.form = all
    self.settings = settings.compactMapValues(\.self)
    name = [given[.pushTo].first?.text ?? "webhook", self.url, self.settings["id"]].compactMap(\.self).joined(
      separator: " ")
  }

  /// Whether the token can be read on the way to another machine.
  var exposesToken: Bool {
    let address = URL(string: url)
    return settings["token"] != nil && address?.scheme == "http" && !Loopback.includes(address?.host() ?? "")
  }

  /// The request that finds a day's entry; `nil` if none is needed.
  func search(_ day: PushedDay) -> TransportRequest? {
    form.find.map { TransportRequest(url: url + fill($0, day), headers: headers(day)) }
  }

  /// The request that tells a day.
  /// - Parameter entry: the entry of the day that is there already.
  func request(_ day: PushedDay, changing entry: String? = nil) -> TransportRequest {
    let address = fill(url + form.path, day)
    return TransportRequest(
      method: entry == nil ? form.method : "PATCH", url: entry.map { "\(address)\($0)/" } ?? address,
      headers: headers(day) + [.init("Content-Type", "application/json")], body: Array(fill(form.body, day).utf8))
  }

  /// A header that needs a setting which is not given is left out.
  private func headers(_ day: PushedDay) -> [TransportRequest.Header] {
    form.headers.map { fill($0, day) }.filter { !$0.contains("{token}") }.compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts.count == 2 ? .init(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)) : nil
    }
  }

  private func fill(_ text: String, _ day: PushedDay) -> String {
    day.figures.merging(settings) { $1 }.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
  }
}

/// The figures of a day that has ended.
struct PushedDay: Sendable {
  let date: String
  let steps: Int
  let figures: [String: String]

  private init(_ bucket: HistoryBucket, _ totals: WalkTotals, _ calendar: DayCalendar) {
    (date, steps) = (calendar.civil(bucket.start).date, totals.steps)
    figures = [
      "date": date, "steps": "\(steps)", "distance": "\(Int(bounded: totals.distanceTravelled.rounded()))",
      "activeTime": "\(Int(bounded: totals.activeTime / .seconds(1)))", "start": bucket.start.formatted(.iso8601),
      "end": bucket.end.formatted(.iso8601),
      // The same for a day whenever it is sent.
      "uuid": "70656400-6f6d-4000-8000-0000\(date.filter { $0 != "-" })",
    ]
  }

  /// The days before today, oldest first, with the owner's answers to "Was this a walk?".
  static func days(
    _ count: Int, of reader: HistoryReader, _ walks: WalkAnswers, _ calendar: DayCalendar, now: Date
  ) throws -> [Self] {
    let today = calendar.day(containing: now).start
    let first = (0..<count).reduce(today) { start, _ in calendar.day(before: start).start }
    return try reader.buckets(from: first, to: today, by: .day, calendar: calendar).map { bucket in
      let corrected = try walks.corrected(bucket) { try reader.totals(from: $0, to: $1) }
      return Self(bucket, corrected ?? bucket.totals, calendar)
    }
  }
}
