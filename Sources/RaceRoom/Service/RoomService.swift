import FoundationEssentials

/// The rooms of a service, with their clock and their listeners: one function for each route.
///
/// The rules are those of ``Room``; this adds when, and to whom. Everything goes through one actor, so all listeners of a
/// room get the same lines in the same order.
///
/// A front end for HTTP gives what it has decoded (query parameters, the body's bytes), and writes out the
/// ``RoomAnswer``; nothing here throws. ``answer(_:)`` does the routing as well.
public actor RoomService {
  private struct Listener {
    var user: String?
    var queue: LineQueue
  }

  private let clock: RoomClock
  private let rules: RoomRules
  private var rooms: RaceRooms
  private var listeners: [String: [Int: Listener]] = [:]
  private var nextListener = 0
  private var alarm: (due: Duration, task: Task<Void, Never>)?
  private var isClosed = false

  /// Opens a service with the room `main`.
  /// - Parameters:
  ///   - rules: what every room allows.
  ///   - clock: where the time comes from.
  ///   - seed: where chance begins; by chance unless given.
  public init(rules: RoomRules = RoomRules(), clock: RoomClock = .wall, seed: UInt64 = .random(in: 0 ... .max)) {
    self.rules = rules
    self.clock = clock
    rooms = RaceRooms(rules: rules, seed: seed)
  }

  deinit {
    alarm?.task.cancel()
    for listener in listeners.values.flatMap(\.values) { listener.queue.close() }
  }

  /// Ends all streams behind what they have yet to say, and refuses everything from now on.
  public func close() {
    isClosed = true
    alarm?.task.cancel()
    alarm = nil
    for listener in listeners.values.flatMap(\.values) { listener.queue.close() }
  }

  // MARK: the routes

  /// `GET /chat/room?user=&since=&session=&room=`: a status, the last three messages or those that were missed, then what
  /// is said. Lines end with a line feed; now and then one is a heartbeat, which is neither status nor message.
  public func join(user: String?, since: String? = nil, session: String? = nil, room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let user = user ?? ""
      let number = try Self.number(since)
      let admission = try rooms.change(name) { room throws(RoomRefusal) in
        try room.join(user, since: number, session: session)
      }
      let first = [RoomJSON.line(admission.status)] + admission.missed.map(RoomJSON.line)
      let lines = subscribe(Listener(user: user, queue: LineQueue(first: first, limit: rules.backlog)), to: name)
      publish(admission.outputs, in: name)
      return .lines(lines)
    }
  }

  /// `POST /chat/say?room=` with `{"user":…,"message":…}`; `id` and `date` may be there.
  public func say(body: [UInt8], room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let message: RoomBodies.Say = try self.body(body, RoomBodies.Say.example)
      return try post(in: name) { room throws(RoomRefusal) in
        try room.say(message.message, by: message.user, id: message.id)
      }
    }
  }

  /// `POST /race/countdown?room=` with `{"text":…,"from":3,"user":…}`; the last two may be left out.
  public func countdown(body: [UInt8], room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let start: RoomBodies.CountdownStart = try self.body(body, RoomBodies.CountdownStart.example)
      let outputs = try rooms.change(name) { room throws(RoomRefusal) in
        try room.startCountdown(to: start.text, from: start.from ?? 3, by: start.user)
      }
      publish(outputs, in: name)
      return .json(RoomReceipt(start: rooms[name]?.race.start, time: time(in: name)))
    }
  }

  /// `DELETE /race/countdown?room=`, with `{"user":…}` or without a body.
  public func cancelCountdown(body: [UInt8] = [], room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let end: RoomBodies.CountdownEnd =
        body.isEmpty ? .init() : try self.body(body, RoomBodies.CountdownEnd.example)
      let outputs = try rooms.change(name) { room throws(RoomRefusal) in
        try room.cancelCountdown(by: end.user)
      }
      publish(outputs, in: name)
      return .json(RoomReceipt(time: time(in: name)))
    }
  }

  /// `POST /race/status?room=` with a ``RunnerFrame``.
  public func status(body: [UInt8], room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let frame: RunnerFrame = try self.body(body, RoomBodies.frameExample)
      return try post(in: name) { room throws(RoomRefusal) in try room.report(frame) }
    }
  }

  /// `GET /race/live?room=`: a ``RaceStatus``, the latest ``RunnerFrame`` of each runner, then changes. Who reads slowly
  /// gets the newest of each runner and of the race, and nothing in between.
  public func live(room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let outputs = try rooms.change(name) { room throws(RoomRefusal) in try room.watch() }
      let queue = LineQueue(first: [], limit: rules.backlog)
      for output in outputs { RoomLine(output).deliver(to: queue) }
      return .lines(subscribe(Listener(user: nil, queue: queue), to: name))
    }
  }

  /// `POST /race/location?room=` with `{"user":…,"latitude":…,"longitude":…,"label":…}`; the last may be left out.
  public func location(body: [UInt8], room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let place: RoomBodies.Place = try self.body(body, RoomBodies.Place.example)
      let location = Location(latitude: place.latitude, longitude: place.longitude, label: place.label)
      return try post(in: name) { room throws(RoomRefusal) in try room.share(location, by: place.user) }
    }
  }

  /// `GET /race/clock`: what the time is here, and nothing else, so that a client can measure how far its own is off.
  public nonisolated func clockTime() -> RoomAnswer { .json(RoomReceipt(time: clock.now().seconds)) }

  /// The open rooms, for monitoring.
  public var summaries: [RoomSummary] {
    rooms.names.compactMap { rooms[$0] }.map {
      RoomSummary(
        name: $0.name, members: $0.members, watchers: $0.watchers, activeUsers: $0.activeUsers,
        messages: $0.log.lastSeq, runners: $0.runners.count)
    }
  }
}

/// The figures of one room.
public struct RoomSummary: Sendable, Hashable, Codable {
  /// What it is called.
  public var name: String
  /// Open streams of the chat.
  public var members: Int
  /// Open streams of the standings.
  public var watchers: Int
  /// Users seen lately.
  public var activeUsers: Int
  /// Messages since it was opened.
  public var messages: Int
  /// Runners heard of lately.
  public var runners: Int
}

// MARK: - inside

extension RoomService {
  /// Lets time pass in a room, then does something in it, and turns a refusal into its answer.
  private func answering(
    _ room: String?, _ body: (String) throws(RoomRefusal) -> RoomAnswer
  ) -> RoomAnswer {
    let name = room.flatMap { $0.isEmpty ? nil : $0 } ?? RoomName.main
    do throws(RoomRefusal) {
      guard !isClosed else { throw .closing }
      let now = clock.now()
      try rooms.open(name, at: now)
      publish(rooms.advance(name, to: now), in: name)
      defer { setAlarm() }
      return try body(name)
    } catch {
      return .refusal(error)
    }
  }

  private func body<Body: Decodable>(_ bytes: [UInt8], _ example: String) throws(RoomRefusal) -> Body {
    guard bytes.count <= rules.bodySize else { throw .bodyTooLong(limit: rules.bodySize) }
    guard let body: Body = RoomJSON.value(from: bytes) else { throw .badBody(expected: example) }
    return body
  }

  private func post(
    in name: String, _ body: (inout Room) throws(RoomRefusal) -> Posting
  ) throws(RoomRefusal) -> RoomAnswer {
    let posting = try rooms.change(name, body)
    publish(posting.outputs, in: name)
    return .json(RoomReceipt(seq: posting.seq, time: time(in: name)))
  }

  private func time(in name: String) -> Double { (rooms[name]?.now ?? clock.now()).seconds }

  private static func number(_ text: String?) throws(RoomRefusal) -> Int? {
    guard let text, !text.isEmpty else { return nil }
    guard let number = Int(text), number >= 0 else { throw .badSince(String(text.prefix(40))) }
    return number
  }

  // MARK: listeners

  private func subscribe(_ listener: Listener, to name: String) -> AsyncStream<[UInt8]> {
    nextListener += 1
    let id = nextListener
    listeners[name, default: [:]][id] = listener
    return listener.queue.lines { [weak self] in Task { await self?.remove(id, from: name) } }
  }

  private func remove(_ id: Int, from name: String) {
    guard let listener = listeners[name]?.removeValue(forKey: id) else { return }
    listener.queue.close()
    var outputs = rooms.advance(name, to: clock.now())
    let left = try? rooms.change(name) { room throws(RoomRefusal) -> [RoomOutput] in
      if let user = listener.user { return room.leave(user) }
      room.stopWatching()
      return []
    }
    outputs += left ?? []
    publish(outputs, in: name)
    setAlarm()
  }

  private func publish(_ outputs: [RoomOutput], in name: String) {
    var late: [Int] = []
    for output in outputs {
      let line = RoomLine(output)
      for (id, listener) in listeners[name] ?? [:] where line.concerns(isMember: listener.user != nil) {
        if !line.deliver(to: listener.queue) { late.append(id) }
      }
    }
    // They get what waits for them, and the end; then they come back for the rest.
    for id in late { remove(id, from: name) }
  }

  // MARK: time

  /// Wakes the service when something is due in a room.
  private func setAlarm() {
    let due = isClosed ? nil : rooms.nextDeadline
    guard due != alarm?.due else { return }
    alarm?.task.cancel()
    alarm = due.map { due in
      let delay = max(.zero, due - clock.now())
      return (
        due,
        Task { [weak self, clock] in
          do { try await clock.sleep(delay) } catch { return }
          await self?.ring()
        }
      )
    }
  }

  private func ring() {
    alarm = nil
    let now = clock.now()
    for name in rooms.names where rooms[name]?.nextDeadline.map({ $0 <= now }) == true {
      publish(rooms.advance(name, to: now), in: name)
    }
    setAlarm()
  }
}
