import FoundationEssentials

/// The data for a new member.
package struct Admission: Sendable, Hashable {
  /// The first line.
  package var status: ServerStatus
  /// The last messages, or all missed ones.
  package var missed: [Message]
  /// The output for all listeners, including the new member.
  package var outputs: [RoomOutput]
}

package struct Posting: Sendable, Hashable {
  /// Its number in the order of the room.
  package var seq: Int
  /// The output for all listeners.
  package var outputs: [RoomOutput]
}

// MARK: - Chat

extension Room {
  /// Opens a chat stream for a user. The room announces it once, even if the user opens several streams.
  ///
  /// - Parameters:
  ///   - user: the user's name.
  ///   - since: the number of the user's last message; `nil` for the last three.
  ///   - session: the session that the number belongs to. With another session, the user gets all messages.
  package mutating func join(
    _ user: String, since: Int? = nil, session: String? = nil
  ) throws(RoomRefusal) -> Admission {
    try check(name: user)
    if let since, since < 0 { throw .badSince("\(since)") }
    guard members < rules.members else { throw .roomIsFull(members: rules.members) }
    see(user)
    let status = ServerStatus(activeUsers: activeUsers, seq: log.lastSeq, session: self.session, time: now.seconds)
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

  /// Closes one chat stream. The room announces the leaving after the last stream of a user.
  package mutating func leave(_ user: String) -> [RoomOutput] {
    guard let count = connections[user] else { return [] }
    connections[user] = count > 1 ? count - 1 : nil
    updateHeartbeat()
    return count > 1 ? [] : [announce("\(user) left")]
  }

  /// Posts a message, with the room's date and number. A repeated message is not posted again.
  ///
  /// A message without a user comes from the room and does not count as activity.
  package mutating func say(_ text: String, by user: String?, id: UUID? = nil) throws(RoomRefusal) -> Posting {
    try admit(user: user)
    try check(text: text)
    if let id, let seq = log.number(of: id) { return Posting(seq: seq, outputs: []) }
    if let user { see(user) }
    let output = post(text, by: user, id: id)
    return Posting(seq: log.lastSeq, outputs: [output])
  }

  /// Posts the location of a user, as a pin with the label, otherwise with the coordinates.
  package mutating func share(_ location: Location, by user: String) throws(RoomRefusal) -> Posting {
    try admit(user: user)
    guard location.isOnEarth else { throw .badCoordinates(latitude: location.latitude, longitude: location.longitude) }
    let label = location.label ?? ""
    let place = label.allSatisfy(\.isWhitespace) ? location.coordinates : label
    try check(text: place)
    see(user)
    let output = post("📍 \(place)", by: user)
    return Posting(seq: log.lastSeq, outputs: [output])
  }
}
