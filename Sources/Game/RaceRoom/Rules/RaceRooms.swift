import Platform

/// The rooms of one service, by name: opened when the first user joins, and removed if they are empty and space is
/// needed.
///
/// A value like ``Room``, without clock or `await`.
package struct RaceRooms: Sendable {
  package let rules: RoomRules
  private var rooms: [String: Room] = [:]
  private var random: SplitMix64

  /// Creates a directory without rooms.
  /// - Parameters:
  ///   - rules: the rules of each room.
  ///   - seed: the seed of the random numbers of all rooms.
  package init(rules: RoomRules = RoomRules(), seed: UInt64) {
    self.rules = rules
    random = SplitMix64(seed: seed)
  }

  package var names: [String] { rooms.keys.sorted() }

  package subscript(name: String) -> Room? { rooms[name] }

  /// The time of the next scheduled event in any room.
  package var nextDeadline: Duration? { rooms.values.compactMap(\.nextDeadline).min() }

  package mutating func open(_ name: String, at time: Duration) throws(RoomRefusal) {
    guard rooms[name] == nil else { return }
    if let problem = RoomName.problem(with: name, limit: rules.nameLength) { throw .badName(problem) }
    if rooms.count >= rules.rooms {
      guard let idle = rooms.values.filter({ $0.isIdle && $0.name != RoomName.main }).min(by: { $0.now < $1.now })
      else { throw .tooManyRooms(limit: rules.rooms) }
      rooms[idle.name] = nil
    }
    rooms[name] = Room(name: name, rules: rules, at: time, seed: random.next())
  }

  /// Advances the time in one room, which has to be open.
  package mutating func advance(_ name: String, to time: Duration) -> [RoomOutput] {
    rooms[name]?.advance(to: time) ?? []
  }

  /// Changes a room, which has to be open.
  mutating func change<Result>(
    _ name: String, _ body: (inout Room) throws(RoomRefusal) -> Result
  ) throws(RoomRefusal) -> Result {
    guard var room = rooms[name] else { throw .unknownRoute(name) }
    // Removed in the meantime, so that the room is not copied; always put back.
    rooms[name] = nil
    defer { rooms[name] = room }
    return try body(&room)
  }
}
