import Counting
import LinuxSensors
import Pedometry
import Platform
import ServiceTransport
import Synchronization

/// Steps that a running `pedometerd` counts, while it uses the sensor: its total of a source, asked for every second.
///
/// Totals are those since the service's start, so a missed answer costs nothing, and a restarted service begins at zero again. Each
/// sequence continues where the one before it failed. The consumer computes the distance, with the walker's own step length.
package final class ServiceCounter: Sendable {
  /// The service's name of the source.
  let source: String
  let service: ServiceAccess
  private let totals = Mutex(ServiceTotals())
  private let start = ContinuousClock.now
  private let pause: @Sendable (Duration) async throws -> Void

  /// Creates a counter without sending a request.
  package init(
    _ service: ServiceAccess, source: String,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) { (self.service, self.source, self.pause) = (service, source, pause) }

  package var readings: PolledAnswers<StepCounterReading> {
    PolledAnswers(
      pause: { [pause] in try await pause(.seconds(1)) }, ask: { [self] in try await reading().map { [$0] } ?? [] })
  }

  /// - Returns: `nil` while the service does not count this source.
  private func reading() async throws -> StepCounterReading? {
    guard let sources = try await service.sources() else {
      throw SourceFailure(
        message: "\(service.address.url) needs a token; set PEDOMETER_TOKEN to it", status: .permission)
    }
    guard let steps = sources.first(where: isCounted)?.steps, (0...1_000_000_000_000).contains(steps) else {
      return nil
    }
    return totals.withLock { $0.take(steps, at: (ContinuousClock.now - start).wholeNanoseconds) }
  }

  private func isCounted(_ served: ServedSource) -> Bool { served.state == "counting" && served.uri == source }

  /// Whether the service runs and counts this source.
  ///
  /// A service that has just started uses a sensor's buffer for two seconds before the first samples arrive. So a
  /// service that waits for this source, or for the best one, is asked again, for five seconds at most.
  package func isCounting() async -> Bool {
    for attempt in 0...20 {
      if attempt > 0, (try? await pause(.milliseconds(250))) == nil { return false }
      let answer: [ServedSource]?
      do { answer = try await service.sources() } catch { return false }
      // Without the token, the first reading's refusal says what to do.
      guard let sources = answer else { return true }
      if sources.contains(where: isCounted) { return true }
      if !sources.contains(where: { $0.state == "waiting" && [source, Self.best].contains($0.uri) }) { return false }
    }
    return false
  }

  /// The service's name of a source before it has found the best sensor.
  package static let best = "best sensor"
}

/// The growth of a service's total since reading began.
struct ServiceTotals: Sendable {
  private var growth = CountGrowth()
  private var total = 0

  /// Takes a total: the first is the zero point, and a smaller one is that of a restarted service, or a correction.
  mutating func take(_ steps: Int, at nanoseconds: Int64) -> StepCounterReading {
    let new = Int(growth.take(Double(steps)) ?? 0)
    total += new
    return StepCounterReading(nanoseconds: nanoseconds, steps: total, newSteps: new)
  }
}

/// A source of a running service, as `/health` describes it.
struct ServedSource: Decodable {
  var uri: String
  var name: String?
  var state: String
  var steps: Int?
}

extension ServiceAccess {
  /// The service's sources, its own sensors before phones; `nil` if the service lists them only to holders of its token.
  func sources() async throws -> [ServedSource]? {
    struct Health: Decodable { var sources: [ServedSource]? }
    let request = address.request("/health", headers: [.init("Accept", "application/json")])
    let answer = try await transport.send(request, timeout: .seconds(2))
    guard answer.isSuccess, let health = ServiceJSON.decode(Health.self, answer.body) else {
      throw TransportError.interrupted(address: address.url, reason: "the service answered \(answer.status)")
    }
    return health.sources
  }
}
