import FoundationEssentials

/// What a new member gets.
public struct Admission: Sendable, Hashable {
  /// The first line.
  public var status: ServerStatus
  /// The last messages, or all that were missed.
  public var missed: [Message]
  /// What everybody hears of it, the newcomer too.
  public var outputs: [RoomOutput]
}

/// What became of something that was posted.
public struct Posting: Sendable, Hashable {
  /// Its place in the order of the room.
  public var seq: Int
  /// What everybody hears of it.
  public var outputs: [RoomOutput]
}

// MARK: - the chat

extension Room {
  /// Opens a stream of the chat for a user. The room says so once, however many streams the same user opens.
  ///
  /// - Parameters:
  ///   - user: who listens.
  ///   - since: the number of the last message he has; `nil` for the last three.
  ///   - session: the life of the room that the number belongs to. If it was another one, he gets all there is.
  public mutating func join(
    _ user: String, since: Int? = nil, session: String? = nil
  ) throws(RoomRefusal) -> Admission {
    try check(name: user)
    if let since, since < 0 { throw .badSince("\(since)") }
    guard members < rules.members else { throw .roomIsFull(members: rules.members) }
    see(user)
    let status = ServerStatus(
      activeUsers: activeUsers, seq: log.lastSeq, session: self.session, time: now.seconds)
    let missed = missed(since: since, session: session)
    let isNew = connections[user] == nil
    connections[user, default: 0] += 1
    updateHeartbeat()
    return Admission(status: status, missed: missed, outputs: isNew ? [announce("\(user) connected")] : [])
  }

  private func missed(since: Int?, session: String?) -> [Message] {
    guard let since else { return log.newest(rules.shownToNewcomers) }
    let isOfAnotherLife = session.map { $0 != self.session } ?? (since > log.lastSeq)
    return log.after(isOfAnotherLife ? 0 : since)
  }

  /// Closes one stream of the chat. With the last one of a user the room says that he left.
  public mutating func leave(_ user: String) -> [RoomOutput] {
    guard let count = connections[user] else { return [] }
    connections[user] = count > 1 ? count - 1 : nil
    updateHeartbeat()
    return count > 1 ? [] : [announce("\(user) left")]
  }

  /// Posts a message; its date and number are the room's. The same message once more is not posted again.
  ///
  /// A message without a user comes from the room and is not a sign of activity.
  public mutating func say(_ text: String, by user: String?, id: UUID? = nil) throws(RoomRefusal) -> Posting {
    try admit(user: user)
    try check(text: text)
    if let id, let seq = log.number(of: id) { return Posting(seq: seq, outputs: []) }
    if let user { see(user) }
    let output = post(text, by: user, id: id)
    return Posting(seq: log.lastSeq, outputs: [output])
  }

  /// Posts where a user is, as a pin with the label, or else with the coordinates.
  public mutating func share(_ location: Location, by user: String) throws(RoomRefusal) -> Posting {
    try admit(user: user)
    guard location.isOnEarth else {
      throw .badCoordinates(latitude: location.latitude, longitude: location.longitude)
    }
    let label = location.label.map(TerminalText.clean) ?? ""
    let place = label.allSatisfy(\.isWhitespace) ? location.coordinates : label
    try check(text: place)
    see(user)
    let output = post("📍 \(place)", by: user)
    return Posting(seq: log.lastSeq, outputs: [output])
  }
}
