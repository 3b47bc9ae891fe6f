import RaceRoom

/// What a walker knows of the room: who runs how far, what was said, when it starts. Pure: news go in.
struct RaceStandings {
  /// This walker's name.
  let name: String
  /// What was said lately, oldest first.
  private(set) var messages: [Message] = []
  /// Where the race stands.
  private(set) var race: RaceStatus?
  /// How far the room's clock is off.
  private(set) var clock: ServerClock?
  /// What keeps the room from being heard; `nil` while it is.
  private(set) var trouble: String?
  private var runners: [String: RunnerFrame] = [:]

  /// Older messages have left every screen.
  private static let mostMessages = 100

  /// Nothing is known yet.
  init(name: String) { self.name = name }

  /// Takes what came.
  mutating func take(_ news: RaceLink.News) {
    switch news {
    case .chat(.message(let message)):
      messages.append(message)
      if messages.count > Self.mostMessages { messages.removeFirst() }
    case .chat(.status), .chat(.missed): trouble = nil
    case .live(.race(let status)):
      trouble = nil
      // Who ran the race before is no opponent in the next one.
      if status.race == .counting, race?.race != .counting { runners.removeAll() }
      race = status
    case .live(.runner(let frame)): runners[frame.user] = frame
    case .chat(.interrupted(let reason, _)), .live(.interrupted(let reason, _)): trouble = reason
    case .clock(let clock): self.clock = clock
    case .refused(let reason): trouble = reason
    case .failed(let failure): trouble = failure.message
    }
  }

  /// Everybody else, the first in front.
  var opponents: [RunnerFrame] { RunnerFrame.standings(runners.values.filter { $0.user != name }) }

  /// The instant of the start by the room's clock, where there is one.
  var start: Duration? {
    guard let race, race.race == .counting || race.race == .running else { return nil }
    return race.start.map { .seconds($0) }
  }

  /// Whether everybody has come in or was caught.
  var isOver: Bool { race?.race == .finished }
}
