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
    let (events, event) = AsyncStream.makeStream(of: AppEvent.self)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask {
        for await status in statuses { event.yield(.status(status)) }
        event.finish()
      }
      var (isAway, changes) = (false, 0)
      do {
        for await next in events {
          switch next {
          case .status(let status):
            changes += 1
            if status == .active, isAway {
              isAway = false
              try await announce(.active)
            } else if status == .inactive, !isAway {
              group.addTask { [clock = connection.clock, changes] in
                if (try? await clock.sleep(latency)) != nil { event.yield(.away(changes)) }
              }
            }
          case .away(changes):
            isAway = true
            try await announce(.inactive)
          // The user is back already.
          case .away: break
          }
        }
      } catch  where Task.isCancelled {}
      group.cancelAll()
    }
  }
}

private enum AppEvent {
  case status(AppStatus)
  /// After this many changes of the status, the user has been inactive long enough.
  case away(Int)
}
