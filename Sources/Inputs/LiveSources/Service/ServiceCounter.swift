import Accelerometry
import Counting
import LinuxSensors
import Pedometry
import Platform
import ServiceTransport
import Synchronization

/// Steps that a running `pedometerd` counts, while it uses the sensor.
///
/// When the connection breaks, `Reconnecting` reopens it with exponential back-off, at the line where it broke.
package struct ServiceCounter: AsyncSequence, Sendable {
  package typealias Element = SourceEvent<StepCounterReading>
  package typealias Failure = any Error

  /// The service's name of the source; `nil` for the first that sends a line.
  let source: String?
  let address: ServiceAddress
  let transport: any Transport
  private let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a sequence without sending a request.
  /// - Parameter sleep: waits between two attempts to connect.
  package init(
    _ address: ServiceAddress, source: String?, transport: any Transport,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.address = address
    self.source = source
    self.transport = transport
    self.sleep = sleep
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

  /// Opens the stream after the last received line. The stream is silent until somebody walks, so the service's total
  /// is requested first, once: before the stream is opened, so that no step is missed in between.
  fileprivate func open(at place: Place) async throws -> Connection {
    let (id, hasBegun) = place.state.withLock { $0 }
    let standing = hasBegun ? nil : await standing()
    var headers = [TransportRequest.Header("Accept", "text/event-stream")]
    if let id, !id.isEmpty { headers.append(.init("Last-Event-ID", id)) }
    let request = address.request("/api/live", headers: headers)
    let stream = try await transport.open(request, silence: Self.silence)
    guard stream.status == 200 else {
      throw SourceFailure(
        message: "\(address.url) answered \(stream.status); "
          + (stream.status == 401 ? "set PEDOMETER_TOKEN to its token" : "check the service's log"),
        status: stream.status == 401 ? .permission : .io)
    }
    return Connection(standing: standing, chunks: stream.chunks)
  }

  /// The reading position, for the next connection.
  fileprivate final class Place: Sendable {
    let state = Mutex<(id: String?, hasBegun: Bool)>((nil, false))
  }

  /// The data of a connection.
  fileprivate enum News: Sendable {
    /// The service's total of steps before the first line.
    case standing(Int)
    /// A chunk of the stream.
    case chunk([UInt8])
  }

  fileprivate struct Connection: AsyncSequence, Sendable {
    typealias Element = News
    typealias Failure = any Error

    let standing: Int?
    let chunks: AsyncThrowingStream<[UInt8], any Error>

    func makeAsyncIterator() -> Iterator { Iterator(standing: standing, chunks: chunks.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
      var standing: Int?
      var chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator

      mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> News? {
        if let steps = standing {
          standing = nil
          return .standing(steps)
        }
        return try await chunks.next(isolation: actor).map { .chunk($0) }
      }
    }
  }

  /// The iterator of the single consumer.
  package struct Iterator: AsyncIteratorProtocol {
    private let place = Place()
    private var news: Reconnecting<News>.Iterator
    private var totals: ServiceTotals
    private var parser = EventStreamParser()
    private var waiting: [StepCounterReading] = []
    private var wasLost = false
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    fileprivate init(_ counter: ServiceCounter) {
      totals = ServiceTotals(source: counter.source)
      start = clock.now
      let policy = Reconnecting<News>.Policy(
        backoff: Backoff(longest: .seconds(16)), calm: ServiceCounter.silence,
        end: TransportError.interrupted(address: counter.address.url, reason: "the service ended the stream"),
        sleep: counter.sleep
      ) { error, _ in !(error is SourceFailure) }
      news = Reconnecting(policy: policy) { [place] in
        let connection = try await counter.open(at: place)
        return .init(name: "the service") { connection }
      }.makeAsyncIterator()
    }

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> SourceEvent<StepCounterReading>? {
      while waiting.isEmpty {
        switch try await news.next(isolation: actor) {
        case nil: return nil
        case .element(let news): take(news)
        case .back(let name):
          parser = EventStreamParser()
          guard wasLost else { continue }
          wasLost = false
          return .back(name)
        case .lost(let error), .refused(let error):
          // A loss is reported once, however many attempts reconnecting takes.
          guard !wasLost else { continue }
          wasLost = true
          return .lost(error)
        }
      }
      return .element(waiting.removeFirst())
    }

    private mutating func take(_ news: News) {
      let now = (clock.now - start).wholeNanoseconds
      switch news {
      case .standing(let steps): waiting.append(totals.begin(at: steps, now))
      case .chunk(let chunk):
        for event in parser.take(chunk) {
          if let id = event.id { place.state.withLock { $0.id = id } }
          if let reading = totals.take(event.data, at: now) { waiting.append(reading) }
        }
      }
      let hasBegun = totals.hasBegun
      place.state.withLock { $0.hasBegun = hasBegun }
    }
  }
}
