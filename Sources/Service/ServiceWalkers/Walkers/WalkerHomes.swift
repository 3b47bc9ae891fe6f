import Foundation
import History
import Logging
import Pedometry
import ServiceCore
import ServiceLifecycle
import Synchronization

/// The histories of walkers: a folder for each, opened at the first use.
///
/// A walker has the same parts as the owner (history, recorder, clients, backups), and none of them is shared.
package final class WalkerHomes: Service {
  private struct State {
    var homes: [String: WalkerHome] = [:]
    var isClosed = false
  }

  private let book: WalkerBook
  private let settings: HistoryHome.Settings
  /// Separate from those of the owner, whose steps must not wait for those of others.
  private let lanes = WorkLanes()
  private let state = Mutex(State())
  private let newcomers: AsyncStream<WalkerHome>
  private let newcomer: AsyncStream<WalkerHome>.Continuation

  /// The phones, watches and programs of one walker.
  static let mostClients = 8

  package init(_ book: WalkerBook, settings: HistoryHome.Settings) {
    self.book = book
    var settings = settings
    settings.limits.clients = Self.mostClients
    self.settings = settings
    (newcomers, newcomer) = AsyncStream.makeStream()
  }

  /// Why the history of a walker cannot be written at present, or no walker has access.
  package var failure: String? {
    // Without the list, walkers have no access.
    do { _ = try book.list() } catch { return "\(error)" }
    return state.withLock { $0.homes.values.compactMap(\.home.failure).first }
  }

  /// Whether all writes make progress.
  package func isAlive(at now: Duration) -> Bool {
    state.withLock { $0.homes.values.allSatisfy { $0.home.isAlive(at: now) } }
  }

  /// Stores what is still to be stored, and closes the histories, without waiting for anything else.
  package func seal() { for home in state.withLock({ Array($0.homes.values) }) { home.home.seal() } }

  /// For blocking work that is not the owner's.
  var lane: WorkLane { lanes.keeping }

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

  package func home(of walker: Walker) async throws -> HistoryHome {
    if let home = state.withLock({ $0.homes[walker.id] }) { return home.home }
    // One opening at a time.
    return try await lanes.keeping.run { try self.open(walker) }.home
  }

  private func open(_ walker: Walker) throws -> WalkerHome {
    let (home, isClosed) = state.withLock { ($0.homes[walker.id], $0.isClosed) }
    if let home { return home }
    // The token may have been withdrawn since the request began.
    guard !isClosed, try book.list().walker(walker.id)?.isRemoved == false else {
      throw ServiceRefusal(503, "the history is closed; try again later")
    }
    do {
      let home = try WalkerHome(HistoryHome(HistoryFolder(path: book.folder(of: walker.id)), settings, lanes: lanes))
      state.withLock { $0.homes[walker.id] = home }
      newcomer.yield(home)
      return home
    } catch {
      settings.logger.error("the history of a walker cannot be opened: \(error)")
      throw ServiceRefusal(503, "your history cannot be opened; tell the owner of the service")
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

/// The history of a walker, which runs from its first use until it is closed.
private final class WalkerHome: Sendable {
  let home: HistoryHome
  private let group: ServiceGroup
  private let ended = Mutex<Task<Void, Never>?>(nil)

  init(_ home: HistoryHome) {
    self.home = home
    var configuration = ServiceGroupConfiguration(
      services: home.services.map { .init(service: $0) }, logger: home.settings.logger)
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    group = ServiceGroup(configuration: configuration)
  }

  /// Begins to count and record, until ``close()``.
  func start() { _ = task }

  /// Not a child of the task that opened it: that one is cancelled before everything is stored.
  private var task: Task<Void, Never> {
    ended.withLock { ended in
      let task =
        ended
        ?? Task { [group, home] in
          do { try await group.run() } catch { home.settings.logger.error("\(error)") }
        }
      ended = task
      return task
    }
  }

  func close() async {
    // Steps that wait are written when the recorder ends, so it must have begun.
    let task = task
    await group.triggerGracefulShutdown()
    await task.value
    home.writer.close()
  }
}
