// A plain `swift build -c release` also builds this target, without Testing.
#if canImport(Testing)
  import ChaseEngine
  import RaceRoom
  import ServiceTransport
  import Testing

  /// The behaviour of every service with rooms, independent of the transport. Each case needs its own room and no
  /// clock.
  public enum RoomContract: String, CaseIterable, Sendable {
    case firstLineIsStatusThenThreeMessagesThenLive
    case twoClientsSeeTheSameOrder
    case joinAndLeaveAreToldOnce
    case namesOfAllKindsRoundTrip
    case badBodiesAreRefused
    case oldMessagesComeWithSince
    case aSecondCountdownIsRefused
    case standingsShowTheLatestOfEach
    case aPinIsPosted
    case roomsAreApart

    /// Runs the check.
    public func check(_ service: some RoomServiceUnderTest) async throws {
      let room = "contract " + rawValue
      switch self {
      case .firstLineIsStatusThenThreeMessagesThenLive: try await Self.history(service, room)
      case .twoClientsSeeTheSameOrder: try await Self.order(service, room)
      case .joinAndLeaveAreToldOnce: try await Self.presence(service, room)
      case .namesOfAllKindsRoundTrip: try await Self.names(service, room)
      case .badBodiesAreRefused: try await Self.badBodies(service, room)
      case .oldMessagesComeWithSince: try await Self.since(service, room)
      case .aSecondCountdownIsRefused: try await Self.countdown(service, room)
      case .standingsShowTheLatestOfEach: try await Self.standings(service, room)
      case .aPinIsPosted: try await Self.pin(service, room)
      case .roomsAreApart: try await Self.rooms(service, room)
      }
    }

    private static func history(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      let ann = try service.client("Ann", room: room)
      for number in 1...5 { try await ann.say("\(number)") }
      let events = try await Listener(ann.chat()).next(6, after: { if $0 == 5 { try await ann.say("live") } })
      let status = try #require(events.first)
      guard case .status(let status) = status else { return #expect(Bool(false), "\(status)") }
      #expect(status.activeUsers == 1)
      #expect(texts(events) == ["3", "4", "5", "Ann connected", "live"])
    }

    private static func order(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      let (ann, bob) = (try service.client("Ann", room: room), try service.client("Bob", room: room))
      let (anns, bobs) = (Listener(ann.chat()), Listener(bob.chat()))
      // A reader who comes later receives the last three messages only.
      _ = try await anns.messages(until: "Ann connected")
      _ = try await bobs.messages(until: "Bob connected")
      async let first = anns.messages(until: "10 Bob", and: "10 Ann")
      async let second = bobs.messages(until: "10 Bob", and: "10 Ann")
      async let saying: Void = { for number in 1...10 { try await ann.say("\(number) Ann") } }()
      for number in 1...10 { try await bob.say("\(number) Bob") }
      try await saying
      let said = try await first.filter { !$0.isSystemMessage }
      #expect(said.count == 20 && Set(said.map(\.id)).count == 20)
      #expect(try await second.filter { !$0.isSystemMessage } == said)
      #expect(said.compactMap(\.seq) == said.compactMap(\.seq).sorted() && said.compactMap(\.seq).count == 20)
    }

    private static func presence(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      let (ann, bob) = (try service.client("Ann", room: room), try service.client("Bob", room: room))
      var listener: Listener? = Listener(ann.chat())
      let beginning = try await listener?.messages(until: "Ann connected") ?? []
      let visit = Task {
        let bobs = Listener(bob.chat())
        return try await bobs.messages(until: "Bob connected")
      }
      _ = try await visit.value
      let rest = try await listener?.messages(until: "Bob left") ?? []
      listener = nil
      #expect((beginning + rest).map(\.message) == ["Ann connected", "Bob connected", "Bob left"])
      #expect((beginning + rest).allSatisfy { $0.isSystemMessage })
    }

    private static func names(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      for name in ["Ann Lee", "a&b=c+d#e", "50% off?", "Zoë/ß", "👩‍👩‍👧 run", "דנה ליד", "نسيم"] {
        let client = try service.client(name, room: room + name)
        let messages = try await Listener(client.chat()).messages(
          until: "hello " + name, after: { try await client.say("hello " + name) })
        #expect(messages.last?.user == name)
        #expect(messages.first?.message == name + " connected")
      }
    }

    private static func badBodies(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      let room = "?room=" + PercentCoding.encode(room)
      for (path, body) in [
        ("/chat/say", "no json"), ("/chat/say", "{}"), ("/chat/say", #"{"user":"Ann","message":""}"#),
        ("/chat/say", #"{"user":"Ann","message":" \n"}"#), ("/chat/say", #"{"user":" ","message":"x"}"#),
        ("/race/countdown", #"{"text":""}"#), ("/race/countdown", #"{"text":"Go","from":0}"#),
        ("/race/status", #"{"user":"Ann"}"#),
        (
          "/race/status",
          #"{"user":"Ann","state":"flying","steps":1,"distance":1,"nessieDistance":1,"runner":0,"nessie":0,"seq":0}"#
        ),
        (
          "/race/status",
          #"{"user":"Ann","state":"paused","steps":-1,"distance":1,"nessieDistance":1,"runner":0,"nessie":0,"seq":0}"#
        ),
        ("/race/location", #"{"user":"Ann","latitude":91,"longitude":0}"#),
      ] {
        let answer = try await service.transport.send(
          TransportRequest(
            method: "POST", url: service.url + path + room, headers: [.init("Content-Type", "application/json")],
            body: Array(body.utf8)), timeout: Hang.limit)
        #expect(answer.status == 400, "\(path) \(body)")
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""reason":"#))
      }
    }

    private static func since(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      let ann = try service.client("Ann", room: room)
      for number in 1...9 { try await ann.say("\(number)") }
      let messages = try await Listener(ann.chat(since: 2)).messages(until: "Ann connected")
      #expect(messages.map(\.message) == (3...9).map(String.init) + ["Ann connected"])
      #expect(messages.compactMap(\.seq) == Array(3...10))
    }

    private static func countdown(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      let ann = try service.client("Ann", room: room)
      // On a machine that stalls for longer than a countdown, the second countdown is a new one.
      var refusal: (any Error)?
      for _ in 1...5 where refusal == nil {
        try await ann.startRace(to: "Go", from: 50)
        do { try await ann.startRace(to: "Go", from: 50) } catch { refusal = error }
        try await ann.cancelRace()
      }
      #expect((refusal as? RoomClientError)?.status == 409)
      await #expect { try await ann.cancelRace() } throws: { ($0 as? RoomClientError)?.status == 409 }
      try await ann.startRace(to: "Go", from: 50)
      try await ann.cancelRace()
    }

    private static func standings(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      let (ann, bob) = (try service.client("Ann", room: room), try service.client("Bob", room: room))
      for steps in [10, 20, 30] { try await ann.report(.walk(steps: steps, goal: 100)) }
      try await bob.report(.walk(steps: 40, goal: 100))
      var seen: [LiveEvent] = []
      for try await event in ann.live() {
        seen.append(event)
        if seen.count == 3 { break }
      }
      guard case .race(let status) = seen[0] else { return #expect(Bool(false), "\(seen)") }
      #expect(status.race == .open)
      let frames = seen.compactMap { if case .runner(let frame) = $0 { frame } else { nil } }
      #expect(frames.map(\.user) == ["Bob", "Ann"])
      #expect(frames.map(\.steps) == [40, 30])
    }

    private static func pin(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      let ann = try service.client("Ann", room: room)
      try await ann.shareLocation(using: FixedLocation(Location(latitude: 57.3229, longitude: -4.4244)))
      try await ann.shareLocation(
        using: FixedLocation(Location(latitude: 57.3229, longitude: -4.4244, label: "Urquhart Castle")))
      let messages = try await Listener(ann.chat()).messages(until: "Ann connected")
      #expect(messages.map(\.message).prefix(2) == ["📍 57.32290, -4.42440", "📍 Urquhart Castle"])
      #expect(messages.first?.user == "Ann")
    }

    private static func rooms(_ service: some RoomServiceUnderTest, _ room: String) async throws {
      try await service.client("Ann", room: room + " 1").say("in the first")
      let bob = try service.client("Bob", room: room + " 2")
      let messages = try await Listener(bob.chat()).messages(until: "Bob connected")
      #expect(messages.map(\.message) == ["Bob connected"])
    }

    private static func texts(_ events: [RoomEvent]) -> [String] {
      events.compactMap { if case .message(let message) = $0 { message.message } else { nil } }
    }
  }

  extension ChaseFrame {
    /// A frame of a running walker.
    public static func walk(
      steps: Int, goal: Int, state: AppState = .inProgress, nessieDistance: Double = 1
    ) -> ChaseFrame {
      ChaseFrame(
        time: .seconds(1), state: state, steps: steps, goal: goal, distance: Double(steps) * 0.7,
        nessieDistance: nessieDistance, gap: 10, runner: min(1, Double(steps) / Double(goal)), nessie: 0.1)
    }
  }

  /// Reads a chat in a test.
  public struct Listener {
    private var events: AsyncThrowingStream<RoomEvent, any Error>

    public init(_ events: AsyncThrowingStream<RoomEvent, any Error>) { self.events = events }

    /// The next events, this many.
    public func next(_ count: Int, after: (Int) async throws -> Void = { _ in }) async throws -> [RoomEvent] {
      var result: [RoomEvent] = []
      for try await event in events {
        result.append(event)
        try await after(result.count)
        if result.count == count { break }
      }
      return result
    }

    /// The messages up to those with these texts; `after` runs once the connection is established.
    public func messages(
      until text: String, and other: String? = nil, after: () async throws -> Void = {}
    ) async throws -> [Message] {
      var awaited: Set<String> = other.map { [text, $0] } ?? [text]
      var result: [Message] = []
      for try await event in events {
        if case .status = event { try await after() }
        guard case .message(let message) = event else { continue }
        result.append(message)
        awaited.remove(message.message)
        if awaited.isEmpty { break }
      }
      return result
    }
  }
#endif
