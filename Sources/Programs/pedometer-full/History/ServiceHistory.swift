import Foundation
import History
import LiveSources
import Pedometry
import Platform
import ServiceNetwork
import ServiceTransport

/// The history of a running service, for a user who may not read its folder.
struct ServiceHistory: WalkHistory {
  let service: ServiceAccess
  var address: ServiceAddress { service.address }

  /// The longest time for an answer.
  private static let timeout = Duration.seconds(10)

  /// A bucket of `/api/history`.
  fileprivate struct Stretch: Decodable {
    var start: String
    var end: String
    var steps: Int
    var distanceTravelled: Double
    var activeTime: Double
    var floorsAscended: Int?
    var floorsDescended: Int?
  }

  /// The running service of the environment; `nil` if none answers.
  /// - Throws: `SourceFailure` if the user named one that does not answer.
  static func running() throws -> ServiceHistory? {
    guard let address = ServiceAddress.fromEnvironment() else { return nil }
    let history = ServiceHistory(service: ServiceAccess(address: address, transport: NetworkTransport()))
    return try history.isThere() ? history : nil
  }

  private func isThere() throws -> Bool {
    let answer = service.answer(to: address.request("/health"), within: .seconds(2))
    if case .success(let answer)? = answer, answer.isSuccess { return true }
    guard address.isNamed else { return false }
    switch answer {
    case .success(let answer)?: throw refusal(answer)
    case .failure(TransportError.badAddress)?:
      throw SourceFailure(message: "PEDOMETER_SERVICE: \(TransportError.badAddress(address.url))", status: .usage)
    case .failure(let error)?: throw SourceFailure(message: "PEDOMETER_SERVICE: \(error)", status: .noSensor)
    case nil:
      throw SourceFailure(message: "PEDOMETER_SERVICE: \(address.url) did not answer in time", status: .noSensor)
    }
  }

  func buckets(from: Date, to: Date, by length: HistoryBucketLength, calendar: DayCalendar) throws -> [HistoryBucket] {
    let minutes = Int(calendar.dayStart / .seconds(60))
    let start = String(format: "%02d:%02d", minutes / 60, minutes % 60)
    // The plus sign of a name such as GMT+0200 means a space.
    let zone = calendar.timeZone.identifier.replacing("+", with: "%2B")
    let answer = try answer(
      "/api/history?bucket=\(length.rawValue)&from=\(from.ISO8601Format())&to=\(to.ISO8601Format())"
        + "&time-zone=\(zone)&day-start=\(start)")
    guard let stretches = ServiceJSON.decode([Stretch].self, answer.body) else { throw refusal(answer) }
    return try stretches.map { stretch in
      guard let bucket = HistoryBucket(stretch) else { throw refusal(answer) }
      return bucket
    }
  }

  /// The source of the service's minutes, which are those of all its sensors together.
  static let source = HistorySource(identity: "service", name: "all sensors of the service")

  private static let pageOfDays = 1500

  /// The minutes with steps, of all sensors together: the service does not tell them apart.
  func minutes(from: Date, to: Date, _ body: (HistoryMinute) throws -> Void) throws {
    // The service finds the days; before 1970 nobody walked with it.
    let (calendar, end) = (DayCalendar(timeZone: UserTimeZone.present()), min(to, Date() + 86_400))
    var start = max(from, Date(timeIntervalSince1970: 0))
    while start < end {
      let next = min(end, start + Double(Self.pageOfDays) * 86_400)
      for day in try buckets(from: start, to: next, by: .day, calendar: calendar) where day.steps > 0 {
        for minute in try buckets(from: day.start, to: day.end, by: .minute, calendar: calendar) where minute.steps > 0
        {
          try body(HistoryMinute(start: minute.start, source: Self.source, totals: minute.totals))
        }
      }
      start = next
    }
  }

  /// The day so far, and whether a source counts.
  /// - Parameter calendar: the calendar of the day; `nil`: the service's.
  func status(_ calendar: DayCalendar?) throws -> DayStatus {
    struct Today: Decodable {
      var date: String
      var steps: Int
      var distanceTravelled: Double
      var activeTime: Double
      var goal: Int?
    }
    struct Health: Decodable {
      struct Source: Decodable {
        var state: String
        var reason: String?
      }
      var sources: [Source]?
    }
    let answer = try answer("/api/today")
    guard let today = ServiceJSON.decode(Today.self, answer.body) else { throw refusal(answer) }
    let sources = ServiceJSON.decode(Health.self, try self.answer("/health").body)?.sources
    let isCounting = sources.map { $0.contains { $0.state == "counting" } }
    var status = DayStatus(
      date: today.date, steps: today.steps, distanceTravelled: today.distanceTravelled, activeTime: today.activeTime,
      goal: today.goal, isFromService: true, isCounting: isCounting,
      reason: isCounting == false ? sources?.compactMap(\.reason).first : nil)
    if let calendar {
      let day = calendar.day(containing: Date())
      let totals = try buckets(from: day.start, to: day.end, by: .day, calendar: calendar)
        .reduce(WalkTotals()) { $0 + $1.totals }
      (status.date, status.steps) = (calendar.civil(day.start).date, totals.steps)
      status.distanceTravelled = totals.distanceTravelled
      status.activeTime = totals.activeTime / .seconds(1)
    }
    return status
  }

  /// A successful answer.
  private func answer(_ path: String) throws -> TransportResponse {
    switch service.answer(to: address.request(path), within: Self.timeout) {
    case nil: throw HistoryError.failed(path: address.url, reason: "it did not answer in time")
    case .failure(let error)?: throw HistoryError.failed(path: address.url, reason: "\(error)")
    case .success(let answer)?:
      guard answer.isSuccess else { throw refusal(answer) }
      return answer
    }
  }

  private func refusal(_ answer: TransportResponse) -> SourceFailure {
    if answer.status == 401 {
      let remedy = address.token == nil ? "set PEDOMETER_TOKEN to it" : "correct PEDOMETER_TOKEN"
      return SourceFailure(message: "the service at \(address.url) needs a token; \(remedy)", status: .permission)
    }
    return SourceFailure(message: service.refusal(answer), status: .io)
  }
}

extension HistoryBucket {
  /// Converts an answer of the service; `nil` if its times are invalid.
  fileprivate init?(_ stretch: ServiceHistory.Stretch) {
    guard let start = try? Date(stretch.start, strategy: .iso8601),
      let end = try? Date(stretch.end, strategy: .iso8601),
      let activeTime = Duration(stated: stretch.activeTime)
    else { return nil }
    self.init(
      start: start, end: end,
      totals: WalkTotals(
        steps: stretch.steps, distanceTravelled: stretch.distanceTravelled, activeTime: activeTime,
        floorsAscended: stretch.floorsAscended, floorsDescended: stretch.floorsDescended))
  }
}
