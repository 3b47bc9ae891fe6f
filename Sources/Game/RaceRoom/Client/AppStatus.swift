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
  /// Tells the room when this user goes away and comes back, once each, as messages of the room.
  ///
  /// A user who is back within the patience was not away. The observation ends with the sequence, or when the task is
  /// cancelled; then nothing more is told.
  /// - Parameters:
  ///   - statuses: the changes of the program's status. The same status again is no change.
  ///   - patience: how long the program has to be inactive before the room is told.
  ///   - told: called after the room was told.
  /// - Throws: the errors of ``say(_:isSystemMessage:)``.
  public func observeAppStatus<Statuses: AsyncSequence & Sendable>(
    _ statuses: Statuses, patience: Duration = .seconds(5), told: @escaping @Sendable (AppStatus) -> Void = { _ in }
  ) async throws where Statuses.Element == AppStatus, Statuses.Failure == Never {
    let absence = Absence()
    // One task tells them, so that they arrive in order.
    let (changes, change) = AsyncStream.makeStream(of: AppStatus.self)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { [self] in
        do {
          for await status in changes {
            try await say("\(username) \(status == .active ? "came back" : "went away")", isSystemMessage: true)
            told(status)
          }
        } catch { if !Task.isCancelled { throw error } }
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
                // A cancelled wait is no absence.
                if patience > .zero { do { try await clock.sleep(patience) } catch { return } }
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

/// Whether the room was told that a user is away, and the number of changes.
private final class Absence: Sendable {
  let state = Mutex((isAway: false, number: 0))
}
