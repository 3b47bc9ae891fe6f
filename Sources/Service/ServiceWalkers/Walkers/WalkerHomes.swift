import Foundation
import History
import LiveSources
import Logging
import Pedometry
import ServiceCore
import ServiceLifecycle
import Synchronization

/// The histories of walkers: a folder for each, opened at the first use.
///
/// A walker has the same parts as the owner (history, recorder, clients, backups), and none of them is shared, so no
/// query of one walker can return data of another.
package final class WalkerHomes: Service {
  private struct State {
    var homes: [String: WalkerHome] = [:]
    var isClosed = false
  }

  private let book: WalkerBook
  private let parts: WalkerHome.Parts
  private let state = Mutex(State())
  private let newcomers: AsyncStream<WalkerHome>
  private let newcomer: AsyncStream<WalkerHome>.Continuation

  package init(_ book: WalkerBook, parts: WalkerHome.Parts) {
    (self.book, self.parts) = (book, parts)
    (newcomers, newcomer) = AsyncStream.makeStream()
  }

  /// The messages of a walker's phone and programs.
  package func messages(of walker: Walker) async throws -> ClientMessages { try await home(of: walker).messages }

  /// The walker's day so far.
  package func today(of walker: Walker) async throws -> TodayFigures {
    let home = try await home(of: walker)
    do { return try await home.day.today() } catch { throw home.refusal(error) }
  }

  /// The walker's history.
  package func history(of walker: Walker, _ query: HistoryQuery, client: String) async throws -> HistoryPages {
    let home = try await home(of: walker)
    return try home.answers.pages(query, client: client)
  }

  /// Why the history of a walker cannot be written at present, or no walker has access.
  package var failure: String? {
    // Without the list, walkers have no access.
    do { _ = try book.list() } catch { return "\(error)" }
    return state.withLock { $0.homes.values.compactMap(\.failure).first }
  }

  /// Whether all writes make progress.
  package func isAlive(at now: Duration) -> Bool {
    state.withLock { $0.homes.values.allSatisfy { $0.isAlive(at: now) } }
  }

  /// Stores what is still to be stored, and closes the histories, without waiting for anything else.
  package func seal() { for home in state.withLock({ Array($0.homes.values) }) { home.seal() } }

  /// For blocking work that is not the owner's.
  package var lane: WorkLane { parts.lanes.keeping }

  /// Runs what the walkers have opened, until the service ends.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      for await home in self.newcomers { home.start() }
    }
    let homes = state.withLock { state in
      state.isClosed = true
      return Array(state.homes.values)
    }
    for home in homes { await home.close() }
  }

  private func home(of walker: Walker) async throws -> WalkerHome {
    if let home = state.withLock({ $0.homes[walker.id] }) { return home }
    // One opening at a time.
    return try await parts.lanes.keeping.run { try self.open(walker) }
  }

  private func open(_ walker: Walker) throws -> WalkerHome {
    let (home, isClosed) = state.withLock { ($0.homes[walker.id], $0.isClosed) }
    if let home { return home }
    // The token may have been withdrawn since the request began.
    guard !isClosed, try book.list().walker(walker.id)?.isRemoved == false else {
      throw ServiceRefusal(status: 503, reason: "the history is closed; try again later")
    }
    do {
      let home = try WalkerHome(folder: book.folder(of: walker.id), parts)
      state.withLock { $0.homes[walker.id] = home }
      newcomer.yield(home)
      return home
    } catch {
      parts.logger.error("the history of a walker cannot be opened: \(error)")
      throw ServiceRefusal(status: 503, reason: "your history cannot be opened; tell the owner of the service")
    }
  }

  /// Closes the histories of walkers who have no access any more.
  func closeFormer() async throws {
    let list = try book.list()
    let former = state.withLock { state in
      let former = state.homes.filter { list.walker($0.key)?.isRemoved != false }
      for id in former.keys { state.homes[id] = nil }
      return Array(former.values)
    }
    for home in former { await home.close() }
  }
}

/// The history of a walker, and what writes it.
package final class WalkerHome: Sendable {
  /// What all homes use.
  package struct Parts: Sendable {
    var access: Sources
    var stepLength: StepLengthModel
    var clock: ServiceClock
    var calendar: @Sendable () -> DayCalendar
    var environment: [String: String]
    /// Separate from those of the owner, whose steps must not wait for those of others.
    var lanes: WorkLanes
    var limits: ServiceLimits
    var logger: Logger

    package init(
      access: Sources, stepLength: StepLengthModel, clock: ServiceClock,
      calendar: @escaping @Sendable () -> DayCalendar, environment: [String: String], lanes: WorkLanes,
      limits: ServiceLimits, logger: Logger
    ) {
      (self.access, self.stepLength, self.clock, self.calendar) = (access, stepLength, clock, calendar)
      (self.environment, self.lanes, self.limits, self.logger) = (environment, lanes, limits, logger)
    }
  }

  let messages: ClientMessages
  let day: DaySummary
  let answers: HistoryAnswers
  private let writer: HistoryWriter
  private let recorder: StepRecorder
  private let group: ServiceGroup
  private let logger: Logger
  private let ended = Mutex<Task<Void, Never>?>(nil)

  /// The phones, watches and programs of one walker.
  static let mostClients = 8

  init(folder: String, _ parts: Parts) throws {
    let folder = HistoryFolder(path: folder)
    let clock = parts.clock
    logger = parts.logger
    writer = try HistoryWriter(folder: folder, application: "pedometerd", clock: clock.history)
    let reader = try HistoryReader(folder: folder)
    let goals = try GoalFile(folder: folder.path, usual: nil)
    let maintenance = HistoryMaintenance(writer, reader: reader, clock: clock, logger: parts.logger, lanes: parts.lanes)
    day = DaySummary(
      reader: reader, clock: clock, calendar: parts.calendar, goals: goals, lanes: parts.lanes, publish: { _ in },
      failed: { maintenance.notice($0) })
    recorder = StepRecorder(writer, clock: clock, logger: parts.logger, lane: parts.lanes.steps)
    answers = HistoryAnswers(
      reader: reader, clock: clock, calendar: parts.calendar, lanes: parts.lanes, goal: { goals.goal(on: $0) },
      failed: { maintenance.notice($0) })
    var limits = parts.limits
    limits.clients = Self.mostClients
    let (recorder, logger) = (recorder, parts.logger)
    let outlet = SourceOutlet(
      walked: { steps, source in recorder.add(steps, source: source) },
      climbed: { floors, source in recorder.add(floors: floors, source: source) }, publish: { _ in },
      happened: { event, message, source in
        // The log does not tell where a walker is.
        if let kind = HistoryEvent.Kind(rawValue: event.rawValue) {
          recorder.add(kind, message: message, source: source)
        }
      },
      hindered: { logger.warning("\($0)") })
    let journals = SampleJournalFolder(
      path: SampleJournalFolder.path(environment: parts.environment, state: folder.path), owner: folder.path,
      latestKept: reader.latestStep(clock))
    let clients = ClientSources(
      registry: SourceRegistry(), access: parts.access, stepLength: parts.stepLength, clock: clock,
      journals: journals, outlet: outlet, limits: limits)
    let (writer, lane, stepLength) = (writer, parts.lanes.steps, parts.stepLength)
    let count: ClientMessages.Count = { reading, source in
      try await lane.run { try writer.record(reading, source: source, stepLength: stepLength) }
    }
    messages = ClientMessages(clients: clients, clock: clock, count: count) { steps, source in
      try await lane.run { try writer.record(period: steps, source: source) }
    }
    let services: [any Service] = [recorder, maintenance, clients]
    var configuration = ServiceGroupConfiguration(services: services.map { .init(service: $0) }, logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    group = ServiceGroup(configuration: configuration)
  }

  var failure: String? { recorder.failure }

  func isAlive(at now: Duration) -> Bool { recorder.isAlive(at: now) }

  /// Begins to count and record, until ``close()``.
  func start() { _ = task }

  /// Not a child of the task that opened it: that one is cancelled before everything is stored.
  private var task: Task<Void, Never> {
    ended.withLock { ended in
      let task =
        ended
        ?? Task { [group, logger] in
          do { try await group.run() } catch { logger.error("\(error)") }
        }
      ended = task
      return task
    }
  }

  /// Stores everything, and closes the history.
  func close() async {
    // Steps that wait are written when the recorder ends, so it must have begun.
    let task = task
    await group.triggerGracefulShutdown()
    await task.value
    writer.close()
  }

  func seal() {
    recorder.seal()
    writer.close()
  }

  /// An error of reading, as a temporary refusal.
  func refusal(_ error: any Error) -> any Error {
    error is ServiceRefusal ? error : ServiceRefusal(status: 503, reason: "\(error)")
  }
}
