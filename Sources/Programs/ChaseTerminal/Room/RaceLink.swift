import ChaseEngine
import Dispatch
import LiveSources
import RaceRoom
import ServiceTransport
import Synchronization

/// A chase's connection to its room: tasks that listen and send, for a thread that sleeps in `poll(2)`.
package final class RaceLink: Sendable {
  package enum News: Sendable {
    case chat(RoomEvent)
    case live(LiveEvent)
    /// The offset of the room's clock.
    case clock(ServerClock)
    /// The room refused a request.
    case refused(String)
    /// The room cannot be used.
    case failed(SourceFailure)
  }

  private struct State {
    var news: [News] = []
    var tasks: [Task<Void, Never>] = []
    /// The latest frame that has not been delivered.
    var frame: ChaseFrame?
  }

  private let client: RoomClient
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())
  private let hasFrame = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// A frame per second is enough for viewers, and a small load for a large room.
  private static let interval = Duration.seconds(1)

  /// Creates a link without sending anything.
  /// - Parameter wake: called when there are events.
  package init(_ client: RoomClient, wake: @escaping @Sendable () -> Void) { (self.client, self.wake) = (client, wake) }

  deinit { cancel() }

  package func open() {
    let (client, chat, live) = (client, client.chat(), client.live())
    add(
      Task { [weak self] in
        do {
          self?.put(.clock(try await client.serverClock()))
          for try await event in chat { self?.put(.chat(event)) }
        } catch { self?.fail(error) }
      })
    add(
      Task { [weak self] in
        do { for try await event in live { self?.put(.live(event)) } } catch { self?.fail(error) }
      })
    add(Task { [weak self] in await self?.sendFrames() })
  }

  /// The events since the last call.
  func take() -> [News] {
    state.withLock { state in
      defer { state.news.removeAll() }
      return state.news
    }
  }

  /// Announces that this walker goes away, before the process is stopped. Returns when the room has answered, or after a
  /// second.
  func goAway() {
    let answered = DispatchSemaphore(value: 0)
    send { client in
      defer { answered.signal() }
      try await client.announce(.inactive)
    }
    _ = answered.wait(timeout: .now() + 1)
  }

  func comeBack() { send { try await $0.announce(.active) } }

  /// Shares a place with the room, once.
  func share(_ place: any LocationSource) { send { try await $0.shareLocation(using: place) } }

  func say(_ text: String) { send { try await $0.say(text) } }

  func countDown() { send { _ = try await $0.startRace(to: "Go!") } }

  /// Reports this walker's progress; of several frames within a second, the last.
  func report(_ frame: ChaseFrame) {
    state.withLock { $0.frame = frame }
    hasFrame.continuation.yield()
  }

  /// An undelivered frame is sent again, until a later one replaces it.
  private func sendFrames() async {
    for await _ in hasFrame.stream {
      while let frame = state.withLock({ $0.frame }) {
        var isDone = true
        do { try await client.report(frame) } catch {
          let status = (error as? RoomClientError)?.status ?? 0
          // The service will not take this one later, either.
          isDone = (400..<500).contains(status) && ![408, 429].contains(status)
          if isDone { put(.refused("\(error)")) }
        }
        if isDone { state.withLock { if $0.frame == frame { $0.frame = nil } } }
        guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
      }
    }
  }

  var isFlushed: Bool { state.withLock { $0.frame == nil } }

  func cancel() {
    let tasks = state.withLock { state in
      defer { state.tasks.removeAll() }
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }

  private func send<Answer>(_ body: @escaping @Sendable (RoomClient) async throws -> Answer) {
    let client = client
    add(
      Task { [weak self] in
        do { _ = try await body(client) } catch { if !Task.isCancelled { self?.put(.refused("\(error)")) } }
      })
  }

  private func add(_ task: Task<Void, Never>) { state.withLock { $0.tasks.append(task) } }

  /// Adds an event, and wakes the thread of the chase.
  func put(_ news: News) {
    state.withLock { $0.news.append(news) }
    wake()
  }

  private func fail(_ error: any Error) {
    if Task.isCancelled || error is CancellationError { return }
    let status: ExitStatus =
      switch error {
      case let error as RoomClientError: error.exitStatus
      case is TransportError: .noSensor
      default: .io
      }
    var message = "\(error)"
    if let error = error as? RoomClientError, error.status == 401 {
      message = "the service needs a token; set PEDOMETER_TOKEN"
    }
    put(.failed(SourceFailure(message: message, status: status)))
  }
}

extension RoomClientError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .badAddress, .badName: .usage
    case .noRoom: .protocol
    case .refused(401, _), .refused(403, _): .permission
    case .refused(404, _): .noSensor
    case .refused: .busy
    }
  }
}
