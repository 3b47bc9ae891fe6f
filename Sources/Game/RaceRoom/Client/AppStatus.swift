import Platform
import Synchronization

/// Whether a program is in front of its user.
public enum AppStatus: Sendable, Hashable {
  /// It is hidden or stopped.
  case inactive
  /// It is shown again.
  case active
}

extension RoomClient {
  /// Posts that this user went away or came back, as a message of the room.
  /// - Throws: the errors of ``say(_:isSystemMessage:)``.
  public func announce(_ status: AppStatus) async throws {
    try await say("\(username) \(status == .active ? "came back" : "went away")", isSystemMessage: true)
  }

  /// Announces in the room that this user went away and came back, once each, until the sequence ends or the task is
  /// cancelled.
  ///
  /// A user who returns within this time was not away.
  /// - Parameters:
  ///   - statuses: the program's status at each change; repeated values are ignored.
  ///   - latency: the time without activity after which the user is considered away.
  /// - Throws: the errors of ``announce(_:)``, which end the observation.
  public func observeAppStatus<Statuses: AsyncSequence & Sendable>(
    _ statuses: Statuses, latency: Duration = .seconds(5)
  ) async throws where Statuses.Element == AppStatus, Statuses.Failure == Never {
    let absence = Absence()
    // A single task posts them, so that they arrive in order.
    let (changes, change) = AsyncStream.makeStream(of: AppStatus.self)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { [self] in
        do { for await status in changes { try await announce(status) } } catch {
          if !Task.isCancelled { throw error }
        }
      }
      group.addTask { [clock = connection.clock] in
        await withDiscardingTaskGroup { waits in
          for await status in statuses {
            let former = absence.state.withLock { absence in
              defer { absence.number += 1 }
              return absence
            }
            switch status {
            case .inactive where !former.isAway:
              waits.addTask {
                do { try await clock.sleep(latency) } catch { return }
                absence.state.withLock { absence in
                  // Otherwise the user is back already.
                  guard absence.number == former.number + 1 else { return }
                  absence.isAway = true
                  change.yield(.inactive)
                }
              }
            case .active where former.isAway:
              absence.state.withLock { $0.isAway = false }
              change.yield(.active)
            case .inactive, .active: break
            }
          }
          waits.cancelAll()
        }
        change.finish()
      }
    }
  }
}

/// Whether an absence was announced, and the number of changes so far.
private final class Absence: Sendable {
  let state = Mutex((isAway: false, number: 0))
}
