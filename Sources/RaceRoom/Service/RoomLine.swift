/// What a room says, written out once for all who hear it.
struct RoomLine {
  private enum Audience {
    case members, watchers, everybody
  }

  private let bytes: [UInt8]
  private let audience: Audience
  /// Replaces what waits with the same key; nothing replaces a message.
  private let key: String?
  /// Whether it is for those only for whom nothing else waits.
  private let isForTheIdle: Bool

  init(_ output: RoomOutput) {
    switch output {
    case .message(let message):
      (bytes, audience, key, isForTheIdle) = (RoomJSON.line(message), .members, nil, false)
    case .race(let status): (bytes, audience, key, isForTheIdle) = (RoomJSON.line(status), .watchers, "race", false)
    case .runner(let frame):
      (bytes, audience, key, isForTheIdle) = (RoomJSON.line(frame), .watchers, "runner " + frame.user, false)
    case .heartbeat(let time):
      let line = RoomJSON.line(RoomBodies.Heartbeat(heartbeat: time.seconds))
      (bytes, audience, key, isForTheIdle) = (line, .everybody, nil, true)
    }
  }

  /// Whether it is for a member of the chat, or else for one who watches the standings.
  func concerns(isMember: Bool) -> Bool { audience == .everybody || (audience == .members) == isMember }

  /// - Returns: whether there was room for it.
  @discardableResult
  func deliver(to queue: LineQueue) -> Bool {
    if isForTheIdle {
      queue.addIfIdle(bytes)
      return true
    }
    return queue.add(bytes, key: key)
  }
}
