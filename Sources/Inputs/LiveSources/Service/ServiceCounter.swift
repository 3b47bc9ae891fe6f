import Accelerometry
import Counting
import LinuxSensors
import Pedometry
import Platform
import ServiceTransport
import Synchronization

/// Steps that a running `pedometerd` counts, while it uses the sensor.
///
/// Each iterator is a connection that continues at the line where the one before it broke.
package final class ServiceCounter: AsyncSequence, Sendable {
  package typealias Element = StepCounterReading
  package typealias Failure = any Error

  /// The service's name of the source; `nil` for the first that sends a line.
  let source: String?
  let address: ServiceAddress
  let transport: any Transport
  private let place: Mutex<Place>
  private let start = ContinuousClock.now

  /// Creates a sequence without sending a request.
  package init(_ address: ServiceAddress, source: String?, transport: any Transport) {
    self.address = address
    self.source = source
    self.transport = transport
    place = Mutex(Place(totals: ServiceTotals(source: source)))
  }

  /// The service sends a heartbeat every 15 s.
  private static let silence = Duration.seconds(45)

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Whether the service runs and counts this source.
  ///
  /// A service that has just started uses a sensor's buffer for two seconds before the first samples arrive. So a
  /// service that waits for this source, or for the best one, is asked again, for five seconds at most.
  package func isCounting(pause: Duration = .milliseconds(250)) async -> Bool {
    for attempt in 0...20 {
      if attempt > 0, (try? await Task.sleep(for: pause)) == nil { return false }
      let sources = await sources()
      if counted(among: sources) != nil { return true }
      let mayBegin = sources.contains {
        $0.state == "waiting" && (source == nil || [source, Self.best].contains($0.uri))
      }
      if !mayBegin { return false }
    }
    return false
  }

  /// The service's total of this source's steps.
  fileprivate func standing() async -> Int? {
    counted(among: await sources())?.steps?.steps
  }

  private func counted(among sources: [Health.Source]) -> Health.Source? {
    sources.first { $0.state == "counting" && (source == nil || $0.uri == source) }
  }

  /// The service's name of a source before it has found the best sensor.
  package static let best = "best sensor"

  /// What a service offers to a machine without a sensor.
  enum Offer: Sendable, Hashable {
    /// A source that it counts with now; its own sensors come before phones.
    case source(uri: String, name: String)
    /// Its sources are not told without the token.
    case needsToken
  }

  /// What a service that runs offers; `nil` if it counts nothing.
  static func offer(of service: ServiceAccess) async -> Offer? {
    let health = await ServiceCounter(service.address, source: nil, transport: service.transport).health()
    guard let health else { return nil }
    guard let sources = health.sources else { return .needsToken }
    return sources.first { $0.state == "counting" }.map { .source(uri: $0.uri, name: $0.name ?? $0.uri) }
  }

  private struct Health: Decodable {
    struct Source: Decodable {
      var uri: String
      var name: String?
      var state: String
      var steps: ServiceTotal?
    }
    /// `nil` without the token.
    var sources: [Source]?
  }

  /// The service's sources; empty if it does not answer.
  private func sources() async -> [Health.Source] {
    guard let health = await health() else { return [] }
    // Without the token, the stream's refusal says what to do.
    return health.sources ?? [Health.Source(uri: source ?? Self.best, state: "counting")]
  }

  /// `nil` if it does not answer.
  private func health() async -> Health? {
    let request = address.request("/health", headers: [.init("Accept", "application/json")])
    guard let answer = try? await transport.send(request, timeout: .seconds(2)), answer.isSuccess else { return nil }
    return ServiceJSON.decode(Health.self, answer.body)
  }

  /// The reading position, which outlives a connection.
  private struct Place {
    var totals: ServiceTotals
    var id: String?
  }

  /// Opens the stream after the last received line. The stream is silent until somebody walks, so the service's total
  /// is requested first, once: before the stream is opened, so that no step is missed in between.
  fileprivate func connect() async throws -> (standing: Int?, chunks: AsyncThrowingStream<[UInt8], any Error>) {
    let (id, hasBegun) = place.withLock { ($0.id, $0.totals.hasBegun) }
    let standing = hasBegun ? nil : await standing()
    var headers = [TransportRequest.Header("Accept", "text/event-stream")]
    if let id, !id.isEmpty { headers.append(.init("Last-Event-ID", id)) }
    let stream = try await transport.open(address.request("/api/live", headers: headers), silence: Self.silence)
    guard stream.status == 200 else {
      throw SourceFailure(
        message: "\(address.url) answered \(stream.status); "
          + (stream.status == 401 ? "set PEDOMETER_TOKEN to its token" : "check the service's log"),
        status: stream.status == 401 ? .permission : .io)
    }
    return (standing, stream.chunks)
  }

  /// The readings of the lines in a chunk.
  fileprivate func readings(of events: [EventStreamParser.Event], at now: Int64) -> [StepCounterReading] {
    place.withLock { place in
      events.compactMap { event in
        place.id = event.id ?? place.id
        return place.totals.take(event.data, at: now)
      }
    }
  }

  fileprivate func begin(at steps: Int, _ now: Int64) -> StepCounterReading {
    place.withLock { $0.totals.begin(at: steps, now) }
  }

  /// Reads one connection.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let counter: ServiceCounter
    private var chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator?
    private var parser = EventStreamParser()
    private var waiting: ArraySlice<StepCounterReading> = []

    fileprivate init(_ counter: ServiceCounter) { self.counter = counter }

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> StepCounterReading? {
      while waiting.isEmpty {
        if chunks == nil {
          let connection = try await counter.connect()
          chunks = connection.chunks.makeAsyncIterator()
          if let steps = connection.standing { return counter.begin(at: steps, counter.now) }
        }
        guard let chunk = try await chunks?.next(isolation: actor) else {
          if Task.isCancelled { return nil }
          throw TransportError.interrupted(address: counter.address.url, reason: "the service ended the stream")
        }
        waiting = counter.readings(of: parser.take(chunk), at: counter.now)[...]
      }
      return waiting.removeFirst()
    }
  }

  /// Nanoseconds since it was made.
  fileprivate var now: Int64 { (ContinuousClock.now - start).wholeNanoseconds }
}
