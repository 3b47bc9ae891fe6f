import Accelerometry
import Counting
import LinuxSensors
import Pedometry
import ServiceTransport
import Synchronization

/// Steps that a running `pedometerd` counts, for as long as it holds the sensor.
///
/// A connection that is cut is made again, from the line at which it broke.
package struct ServiceCounter: AsyncSequence, Sendable {
  package typealias Element = SourceEvent<StepCounterReading>
  package typealias Failure = any Error

  /// Asks for a source of the service; `nil`: whichever speaks first.
  let source: String?
  let address: ServiceAddress
  let transport: any Transport

  /// Nothing is asked yet.
  package init(_ address: ServiceAddress, source: String?, transport: any Transport) {
    self.address = address
    self.source = source
    self.transport = transport
  }

  /// The service says something each 15 s, if only that it is there.
  private static let silence = Duration.seconds(45)

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Whether the service runs and counts this source.
  ///
  /// A service that has just begun holds a sensor's buffer for two seconds before the first samples come out of it. So one
  /// that waits for this source, or for the best one, is asked again, for five seconds at most.
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

  /// The service's own number of this source's steps.
  fileprivate func standing() async -> Int? {
    counted(among: await sources())?.steps
  }

  private func counted(among sources: [Health.Source]) -> Health.Source? {
    sources.first { $0.state == "counting" && (source == nil || $0.uri == source) }
  }

  /// What a service calls a source before it has found the best.
  package static let best = "best sensor"

  private struct Health: Decodable {
    struct Source: Decodable {
      var uri: String
      var state: String
      var steps: Int?
    }
    var sources: [Source]
  }

  /// The service's sources; none where it does not answer.
  private func sources() async -> [Health.Source] {
    let request = TransportRequest(url: address.url + "/health", headers: headers())
    guard let answer = try? await transport.send(request, timeout: .seconds(2)), answer.isSuccess,
      let health = ServiceJSON.decode(Health.self, answer.body)
    else { return [] }
    return health.sources
  }

  private func headers(after id: String? = nil) -> [TransportRequest.Header] {
    var headers = [TransportRequest.Header("Accept", id == nil ? "application/json" : "text/event-stream")]
    if let token = address.token { headers.append(.init("Authorization", "Bearer \(token)")) }
    if let id, !id.isEmpty { headers.append(.init("Last-Event-ID", id)) }
    return headers
  }

  private func open(after id: String?) async throws -> TransportStream {
    let request = TransportRequest(url: address.url + "/api/live", headers: headers(after: id ?? ""))
    let stream = try await transport.open(request, silence: Self.silence)
    guard stream.status == 200 else {
      throw SourceFailure(
        message: "\(address.url) answered \(stream.status); "
          + (stream.status == 401 ? "set PEDOMETER_TOKEN to its token" : "look at the service's log"),
        status: stream.status == 401 ? .permission : .io)
    }
    return stream
  }

  /// The one consumer's end.
  package struct Iterator: AsyncIteratorProtocol {
    private let counter: ServiceCounter
    private var totals: ServiceTotals
    private var parser = EventStreamParser()
    private var chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator?
    private var waiting: [SourceEvent<StepCounterReading>] = []
    private var id: String?
    private var wasLost = false
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    fileprivate init(_ counter: ServiceCounter) {
      self.counter = counter
      totals = ServiceTotals(source: counter.source)
      start = clock.now
    }

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> SourceEvent<StepCounterReading>? {
      while waiting.isEmpty {
        if Task.isCancelled { return nil }
        do {
          try await readOn(isolation: actor)
        } catch let error as SourceFailure {
          throw error
        } catch {
          if Task.isCancelled || error is CancellationError { return nil }
          chunks = nil
          if !wasLost {
            wasLost = true
            return .lost(error)
          }
          guard (try? await Task.sleep(for: .seconds(1))) != nil else { return nil }
        }
      }
      return waiting.removeFirst()
    }

    private mutating func readOn(isolation actor: isolated (any Actor)?) async throws {
      if chunks == nil {
        // The stream is silent until somebody walks. Asked before it is opened, so that no step falls in between.
        let standing = totals.hasBegun ? nil : await counter.standing()
        chunks = try await counter.open(after: id).chunks.makeAsyncIterator()
        parser = EventStreamParser()
        if wasLost { waiting.append(.back("the service")) }
        wasLost = false
        if let standing {
          waiting.append(.element(totals.begin(at: standing, (clock.now - start).wholeNanoseconds)))
          return
        }
      }
      guard let chunk = try await chunks?.next(isolation: actor) else {
        throw TransportError.interrupted(address: counter.address.url, reason: "it has ended the stream")
      }
      let now = (clock.now - start).wholeNanoseconds
      for event in parser.take(chunk) {
        id = event.id ?? id
        if let reading = totals.take(event.data, at: now) { waiting.append(.element(reading)) }
      }
    }
  }
}
