import Foundation
import History
import LiveCounting
import ServiceTransport

/// What a running service remembers, for a user who may not read its folder.
struct ServiceHistory: WalkHistory {
  let address: ServiceAddress
  let transport: any Transport

  /// How long an answer may take.
  private static let patience = Duration.seconds(10)

  /// A stretch of `/api/history`.
  fileprivate struct Stretch: Decodable {
    var start: String
    var end: String
    var steps: Int
    var distanceTravelled: Double
    var activeTime: Double
  }

  /// Whether a service answers at all.
  var isThere: Bool {
    let (request, transport) = (request("/health"), transport)
    return Waiting.atMost(.seconds(2)) {
      (try? await transport.send(request, timeout: .seconds(2)))?.isSuccess ?? false
    } ?? false
  }

  /// The stretches, in the service's own days.
  func buckets(
    from: Date, to: Date, by length: HistoryBucketLength, calendar: DayCalendar
  ) throws(HistoryError) -> [HistoryBucket] {
    let request = request(
      "/api/history?bucket=\(length.rawValue)&from=\(from.ISO8601Format())&to=\(to.ISO8601Format())")
    let transport = transport
    let answer = Waiting.atMost(Self.patience) {
      await Result(catching: { try await transport.send(request, timeout: Self.patience) })
    }
    switch answer {
    case nil: throw .failed(path: address.url, reason: "it did not answer in time")
    case .failure(let error)?: throw .failed(path: address.url, reason: "\(error)")
    case .success(let answer)?:
      guard answer.isSuccess, let stretches = ServiceJSON.decode([Stretch].self, answer.body) else {
        throw refusal(answer)
      }
      return stretches.compactMap { HistoryBucket($0) }
    }
  }

  private func refusal(_ answer: TransportResponse) -> HistoryError {
    struct Refusal: Decodable { var reason: String }
    let reason = ServiceJSON.decode(Refusal.self, answer.body)?.reason ?? "it answered \(answer.status)"
    if answer.status == 401 {
      return .notPermitted(path: address.url, reason: "it wants a token; set PEDOMETER_TOKEN to it")
    }
    return .failed(path: address.url, reason: reason)
  }

  private func request(_ path: String) -> TransportRequest {
    let token = address.token.map { [TransportRequest.Header("Authorization", "Bearer \($0)")] } ?? []
    return TransportRequest(url: address.url + path, headers: token)
  }
}

extension HistoryBucket {
  /// As the service tells it; `nil` when its times are none.
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
  /// What an asynchronous body gives or throws.
  fileprivate init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
