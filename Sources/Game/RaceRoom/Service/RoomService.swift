import FoundationEssentials

/// The rooms of a service, with their clock and their listeners: one function for each route.
///
/// The rules are those of `Room`; this adds timing and delivery. Everything goes through one actor, so all listeners
/// of a room get the same lines in the same order.
///
/// An HTTP front end passes decoded parts (query parameters, the bytes of the body), and sends the ``RoomAnswer``; no
/// method throws. ``answer(_:)`` also does the routing.
public actor RoomService {
  private struct Listener {
    var user: String?
    var queue: LineQueue
  }

  private let clock: RoomClock
  private let rules: RoomRules
  private(set) var rooms: RaceRooms
  private var listeners: [String: [Int: Listener]] = [:]
  private var nextListener = 0
  private var alarm: (due: Duration, task: Task<Void, Never>)?
  private var isClosed = false

  /// Opens a service with the room `main`.
  /// - Parameters:
  ///   - rules: the rules of every room.
  ///   - clock: the source of the time.
  ///   - seed: the seed of the random numbers; random by default.
  public init(rules: RoomRules = RoomRules(), clock: RoomClock = .wall, seed: UInt64 = .random(in: 0 ... .max)) {
    (self.rules, self.clock) = (rules, clock)
    rooms = RaceRooms(rules: rules, seed: seed)
  }

  deinit {
    alarm?.task.cancel()
    for listener in listeners.values.flatMap(\.values) { listener.queue.close() }
  }

  /// Ends all streams after their queued lines, and refuses all later requests.
  public func close() {
    isClosed = true
    alarm?.task.cancel()
    alarm = nil
    for listener in listeners.values.flatMap(\.values) { listener.queue.close() }
  }

  // MARK: Routes

  /// `GET /chat/room?user=&since=&session=&room=`: a status, the last three or all missed messages, then new ones.
  /// Lines end with a line feed; some are heartbeats, which are neither status nor message.
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

  /// `POST /chat/say?room=` with `{"user":…,"message":…}`; `id` and `date` are optional.
  public func say(body: [UInt8], room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let message: RoomBodies.Say = try self.body(body, RoomBodies.Say.example)
      return try post(in: name) { room throws(RoomRefusal) in
        try room.say(message.message, by: message.user, id: message.id)
      }
    }
  }

  /// `POST /race/countdown?room=` with `{"text":…,"from":3,"user":…}`; the last two are optional.
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

  /// `GET /race/live?room=`: a ``RaceStatus``, the latest ``RunnerFrame`` of each runner, then changes. A slow reader
  /// gets only the latest frame of each runner and the latest state of the race.
  public func live(room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let outputs = try rooms.change(name) { room throws(RoomRefusal) in try room.watch() }
      let queue = LineQueue(first: [], limit: rules.backlog)
      for output in outputs { RoomLine(output).deliver(to: queue) }
      return .lines(subscribe(Listener(user: nil, queue: queue), to: name))
    }
  }

  /// `POST /race/location?room=` with `{"user":…,"latitude":…,"longitude":…,"label":…}`; the last is optional.
  public func location(body: [UInt8], room: String? = nil) -> RoomAnswer {
    answering(room) { name throws(RoomRefusal) in
      let place: RoomBodies.Place = try self.body(body, RoomBodies.Place.example)
      let location = Location(latitude: place.latitude, longitude: place.longitude, label: place.label)
      return try post(in: name) { room throws(RoomRefusal) in try room.share(location, by: place.user) }
    }
  }

  /// `GET /race/clock`: only the current time, so that a client can measure the offset of its clock.
  public nonisolated func clockTime() -> RoomAnswer { .json(RoomReceipt(time: clock.now().seconds)) }
}

// MARK: - Implementation

extension RoomService {
  /// Advances the time in a room, changes it, and converts a refusal to its answer.
  private func answering(_ room: String?, _ body: (String) throws(RoomRefusal) -> RoomAnswer) -> RoomAnswer {
    let name = room.flatMap { $0.isEmpty ? nil : $0 } ?? RoomName.main
    do throws(RoomRefusal) {
      guard !isClosed else { throw .closing }
      let now = clock.now()
      try rooms.open(name, at: now)
      publish(rooms.advance(name, to: now), in: name)
      defer { setAlarm() }
      return try body(name)
    } catch { return .refusal(error) }
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

  // MARK: Listeners

  private func subscribe(_ listener: Listener, to name: String) -> RoomLines {
    nextListener += 1
    let id = nextListener
    listeners[name, default: [:]][id] = listener
    return RoomLines(listener.queue) { [weak self] in Task { await self?.remove(id, from: name) } }
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
    // Their streams end after the queued lines; then they reconnect for the rest.
    for id in late { remove(id, from: name) }
  }

  // MARK: Time

  /// Wakes the service at the next scheduled event of a room.
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
