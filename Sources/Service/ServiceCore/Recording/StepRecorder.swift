import Counting
import Foundation
import History
import Logging
import Pedometry
import Platform
import ServiceLifecycle
import Synchronization

/// Writes steps to the history, at once after a pause and otherwise once a second: steps are safe two seconds after
/// they were confirmed.
///
/// Nothing is dropped: steps that cannot be written now (on a full disk) are queued and retried.
package final class StepRecorder: Service {
  /// Stores steps, and floors after them, durably: all or nothing. It may block.
  package typealias Keep =
    @Sendable (_ steps: [WalkedStep], _ floors: [WalkedFloors], _ source: HistorySource) throws -> Void

  /// The shortest time between two writes.
  static let rhythm = Duration.seconds(1)
  /// A write that takes longer than this counts as hung.
  static let longestWrite = Duration.seconds(30)

  /// What one source counted.
  private struct Entry {
    var steps: [Step]
    var floors: [CountedFloors]
    var source: HistorySource
  }

  private struct State {
    var pending: [Entry] = []
    /// The time since when the queue is not empty.
    var pendingSince: Duration?
    var writingSince: Duration?
    var failure: String?
  }

  private let keep: Keep
  private let lane: WorkLane
  private let clock: ServiceClock
  private let logger: Logger
  private let recorded: @Sendable () async -> Void
  private let measured: @Sendable (Duration) -> Void
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  /// Creates a recorder.
  /// - Parameters:
  ///   - lane: the lane of writes, which should be used for nothing else.
  ///   - recorded: called after each write.
  ///   - measured: gets the time from the first queued step until it was safe, after each complete write.
  package init(
    _ keep: @escaping Keep, clock: ServiceClock, logger: Logger, lane: WorkLane = WorkLane("steps"),
    recorded: @escaping @Sendable () async -> Void = {}, measured: @escaping @Sendable (Duration) -> Void = { _ in }
  ) {
    self.keep = keep
    (self.lane, self.measured, self.clock, self.logger, self.recorded) = (lane, measured, clock, logger, recorded)
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Adds steps, and floors that were climbed on them or on earlier ones; returns at once.
  package func add(_ steps: [Step] = [], floors: [CountedFloors] = [], source: HistorySource) {
    let time = clock.elapsed()
    state.withLock { state in
      if state.pendingSince == nil { state.pendingSince = time }
      if let last = state.pending.indices.last, state.pending[last].source == source {
        state.pending[last].steps += steps
        state.pending[last].floors += floors
      } else {
        state.pending.append(Entry(steps: steps, floors: floors, source: source))
      }
    }
    signal.yield()
  }

  /// Why nothing can be written at present.
  package var failure: String? { state.withLock { $0.failure } }

  /// Whether writing makes progress, at a time of the service.
  package func isAlive(at now: Duration) -> Bool {
    state.withLock { $0.writingSince.map { now - $0 <= Self.longestWrite } ?? true }
  }

  /// Writes until the service is shut down, and then the rest.
  package func run() async throws {
    let clock = clock
    await cancelWhenGracefulShutdown {
      var backoff = Backoff()
      for await _ in self.signals {
        if await self.flush() {
          backoff.reset()
          try? await clock.sleep(Self.rhythm)
        } else {
          try? await clock.sleep(backoff.next())
          self.signal.yield()
        }
      }
    }
    if await flush() { return }
    let (steps, reason) = state.withLock { state in
      (state.pending.reduce(0) { $0 + $1.steps.count }, state.failure ?? "")
    }
    guard steps > 0 else { return }
    let minutes = Int(bounded: SampleJournal.usefulFor / .seconds(60))
    logger.error(
      """
      \(steps) steps could not be written to the history: \(reason); sensors' last \(minutes) minutes are counted again at \
      the next start
      """)
  }

  /// Writes the queue.
  /// - Returns: whether everything was written.
  func flush() async -> Bool {
    let (pending, since) = state.withLock { state in
      defer { (state.pending, state.pendingSince) = ([], nil) }
      if !state.pending.isEmpty { state.writingSince = clock.elapsed() }
      return (state.pending, state.pendingSince)
    }
    if pending.isEmpty { return true }
    var rest = pending
    var failure: (any Error)?
    while let entry = rest.first {
      do {
        try await lane.run { try self.write(entry) }
        rest.removeFirst()
      } catch {
        failure = error
        break
      }
    }
    note(failure, rest, since: since)
    if rest.isEmpty, let since { measured(clock.elapsed() - since) }
    if rest.count < pending.count { await recorded() }
    return failure == nil
  }

  /// Writes the queue on this thread, when nothing else does it any more.
  package func seal() {
    let pending = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    for entry in pending { try? write(entry) }
  }

  /// Dates are computed at the last moment, so that they are correct after a clock change.
  private func write(_ entry: Entry) throws {
    let (boot, elapsed) = (clock.history.time(atUptime: .zero), clock.elapsed())
    let date = { (time: Duration) in boot + min(time, elapsed).timeInterval }
    let walked = entry.steps.map {
      WalkedStep(time: date($0.timestamp), distance: $0.length, activeTime: $0.activeTime)
    }
    let climbed = entry.floors.map {
      WalkedFloors(time: date($0.time), ascended: $0.ascended, descended: $0.descended)
    }
    try keep(walked, climbed, entry.source)
  }

  private func note(_ error: (any Error)?, _ rest: [Entry], since: Duration?) {
    let text = error.map { "\($0)" }
    let isNew = state.withLock { state in
      if !rest.isEmpty { state.pendingSince = since }
      state.pending = rest + state.pending
      state.writingSince = nil
      return state.failure.changes(to: text)
    }
    guard isNew else { return }
    if let text {
      logger.error("the history cannot be written, steps stay pending: \(text)")
    } else {
      logger.notice("the history is writable again")
    }
  }
}
