import Foundation
import History
import Logging
import Platform
import ServiceLifecycle
import Synchronization

/// Makes a backup of the history each day, which checks all of it, and replaces a damaged history.
package final class HistoryMaintenance: Service {
  private struct State {
    var failure: String?
    var losses: [HistoryLoss] = []
    /// The latest reason why a reading failed.
    var told: String?
  }

  private let writer: HistoryWriter
  private let backups: HistoryBackups
  private let clock: ServiceClock
  private let logger: Logger
  private let lanes: WorkLanes
  private let lane = WorkLane("backups")
  private let state: Mutex<State>
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  /// How long after the start, and how often it looks whether there is a backup of the day.
  static let pause = (first: Duration.seconds(60), next: Duration.seconds(3600))

  package init(_ writer: HistoryWriter, reader: HistoryReader, clock: ServiceClock, logger: Logger, lanes: WorkLanes) {
    self.writer = writer
    backups = HistoryBackups(folder: writer.folder)
    (self.clock, self.logger, self.lanes) = (clock, logger, lanes)
    var start = State()
    do { start.losses = try reader.losses() } catch {
      start.failure = "\(error)"
      logger.error("\(error)")
    }
    state = Mutex(start)
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    for damage in writer.damages { logger.error("\(damage.text)") }
  }

  /// Why backups fail, or the history cannot be read.
  package var failure: String? { state.withLock { $0.failure } }

  /// The periods whose data were lost.
  package var losses: [HistoryLoss] { state.withLock { $0.losses } }

  /// A reading failed: its reason is logged once, and a damaged history is checked soon.
  package func notice(_ error: any Error) {
    // The service has too much to do: the history is sound.
    if error is ServiceRefusal { return }
    if (error as? HistoryError)?.code == .damaged { signal.yield() }
    if state.withLock({ $0.told.changes(to: "\(error)") }) { logger.error("\(error)") }
  }

  package func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          try? await self.clock.sleep(Self.pause.first)
          while !Task.isCancelled {
            await self.makeBackup()
            try? await self.clock.sleep(Self.pause.next)
          }
        }
        group.addTask {
          for await _ in self.signals {
            await self.check()
            // A query that fails every second must not check every second.
            try? await self.clock.sleep(Self.pause.first)
          }
        }
      }
    }
  }

  /// Makes the backup of the day. A history that turns out to be damaged is replaced first.
  func makeBackup() async {
    let (backups, clock) = (backups, clock)
    for attempt in 1...2 {
      do {
        let backup = try await lane.run { try backups.make(now: clock.now()) }
        if let backup { logger.info("backup: \(backups.path(backup))") }
        return note(nil)
      } catch {
        guard attempt == 1, (error as? HistoryError)?.code == .damaged else {
          return note("no backup could be made: \(error)")
        }
        await check()
      }
    }
  }

  /// Checks the history between two records, and replaces it if it is damaged.
  func check() async {
    let writer = writer
    do {
      let damage = try await lanes.steps.run { try writer.check() }
      guard let damage else { return }
      logger.error("\(damage.text)")
      state.withLock { $0.losses = damage.losses }
    } catch { note("\(error)") }
  }

  private func note(_ failure: String?) {
    let isNew = state.withLock { state in
      // After a backup of a sound history, a failure is news.
      if failure == nil { state.told = nil }
      return state.failure.changes(to: failure)
    }
    if let failure, isNew { logger.error("\(failure)") }
  }
}
