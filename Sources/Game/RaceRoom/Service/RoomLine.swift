struct RoomLine {
  private enum Audience {
    case members, watchers, everybody
  }

  private let bytes: [UInt8]
  private let audience: Audience
  /// Replaces a queued line with the same key; messages have no key.
  private let key: String?
  /// Whether it is only for listeners without queued lines.
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

  /// Whether it is for a member of the chat, or for a reader of the standings.
  func concerns(isMember: Bool) -> Bool { audience == .everybody || (audience == .members) == isMember }

  /// - Returns: whether it was accepted.
  @discardableResult
  func deliver(to queue: LineQueue) -> Bool {
    if isForTheIdle {
      queue.addIfIdle(bytes)
      return true
    }
    return queue.add(bytes, key: key)
  }
}
