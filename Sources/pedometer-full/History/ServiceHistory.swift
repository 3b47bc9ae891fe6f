import Foundation
import History
import LiveSources
import ServiceTransport

/// The history of a running service, for a user who may not read its folder.
struct ServiceHistory: WalkHistory {
  let address: ServiceAddress
  let transport: any Transport

  /// The longest time for an answer.
  private static let patience = Duration.seconds(10)

  /// A bucket of `/api/history`.
  fileprivate struct Stretch: Decodable {
    var start: String
    var end: String
    var steps: Int
    var distanceTravelled: Double
    var activeTime: Double
  }

  /// Whether a service answers.
  /// - Throws: `SourceFailure` if the user named one that does not answer.
  func isThere() throws -> Bool {
    let (request, transport) = (request("/health"), transport)
    let answer = Waiting.atMost(.seconds(2)) {
      await Result(catching: { try await transport.send(request, timeout: .seconds(2)) })
    }
    if case .success(let answer)? = answer, answer.isSuccess { return true }
    guard address.isNamed else { return false }
    switch answer {
    case .success(let answer)?: throw refusal(answer)
    case .failure(let error as TransportError)? where error.code == .badAddress:
      throw SourceFailure(message: "PEDOMETER_SERVICE: \(TransportError.badAddress(address.url))", status: .noSensor)
    case .failure(let error)?: throw SourceFailure(message: "PEDOMETER_SERVICE: \(error)", status: .noSensor)
    case nil:
      throw SourceFailure(message: "PEDOMETER_SERVICE: \(address.url) did not answer in time", status: .noSensor)
    }
  }

  /// The buckets, in the service's calendar.
  func buckets(
    from: Date, to: Date, by length: HistoryBucketLength, calendar: DayCalendar
  ) throws -> [HistoryBucket] {
    let request = request(
      "/api/history?bucket=\(length.rawValue)&from=\(from.ISO8601Format())&to=\(to.ISO8601Format())")
    let transport = transport
    let answer = Waiting.atMost(Self.patience) {
      await Result(catching: { try await transport.send(request, timeout: Self.patience) })
    }
    switch answer {
    case nil: throw HistoryError.failed(path: address.url, reason: "it did not answer in time")
    case .failure(let error)?: throw HistoryError.failed(path: address.url, reason: "\(error)")
    case .success(let answer)?:
      guard answer.isSuccess, let stretches = ServiceJSON.decode([Stretch].self, answer.body) else {
        throw refusal(answer)
      }
      return stretches.compactMap { HistoryBucket($0) }
    }
  }

  private func refusal(_ answer: TransportResponse) -> SourceFailure {
    struct Refusal: Decodable { var reason: String }
    if answer.status == 401 {
      let remedy = address.token == nil ? "set PEDOMETER_TOKEN to it" : "PEDOMETER_TOKEN is not the right one"
      return SourceFailure(message: "the service at \(address.url) needs a token; \(remedy)", status: .permission)
    }
    let reason = ServiceJSON.decode(Refusal.self, answer.body)?.reason ?? "it answered \(answer.status)"
    return SourceFailure(message: "the service at \(address.url) refuses: \(reason)", status: .io)
  }

  private func request(_ path: String) -> TransportRequest {
    let token = address.token.map { [TransportRequest.Header("Authorization", "Bearer \($0)")] } ?? []
    return TransportRequest(url: address.url + path, headers: token)
  }
}

extension HistoryBucket {
  /// Converts an answer of the service; `nil` if its times are invalid.
  fileprivate init?(_ stretch: ServiceHistory.Stretch) {
    guard let start = try? Date(stretch.start, strategy: .iso8601), let end = try? Date(stretch.end, strategy: .iso8601)
    else { return nil }
    self.init(
      start: start, end: end,
      totals: WalkTotals(
        steps: stretch.steps, distanceTravelled: stretch.distanceTravelled, activeTime: .seconds(stretch.activeTime)))
  }
}

extension Result where Failure == any Error {
  /// The result of an asynchronous body.
  fileprivate init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
