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
}
