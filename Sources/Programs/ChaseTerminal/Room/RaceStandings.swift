import ChaseEngine
import Platform
import RaceRoom

/// A walker's view of the room: progress of the runners, messages, and the start. A pure value that takes events.
package struct RaceStandings {
  package let name: String
  /// The latest messages, oldest first.
  private(set) var messages: [Message] = []
  package private(set) var race: RaceStatus?
  /// The offset of the room's clock.
  private(set) var clock: ServerClock?
  /// Why the connection is lost; `nil` if it is established.
  package private(set) var trouble: String?
  private var runners: [String: RunnerFrame] = [:]

  /// Older messages are not visible on any screen.
  private static let mostMessages = 100

  init(name: String) { self.name = name }

  mutating func take(_ news: RaceLink.News) {
    switch news {
    case .chat(.message(let message)):
      messages.append(message)
      if messages.count > Self.mostMessages { messages.removeFirst() }
    case .chat(.status), .chat(.missed): trouble = nil
    case .live(.race(let status)):
      trouble = nil
      // Runners of the previous race are not opponents in the next one.
      if status.race == .counting, race?.race != .counting { runners.removeAll() }
      race = status
    case .live(.runner(let frame)): runners[frame.user] = frame
    case .chat(.interrupted(let reason, _)), .live(.interrupted(let reason, _)): trouble = reason
    case .clock(let clock): self.clock = clock
    case .refused(let reason): trouble = reason
    case .failed(let failure): trouble = failure.message
    }
  }

  /// All other runners, the leader first.
  var opponents: [RunnerFrame] { RunnerFrame.standings(runners.values.filter { $0.user != name }) }

  /// All runners, the leader first.
  /// - Parameter frame: this walker's figures, which are newer than the room's.
  func places(with frame: ChaseFrame) -> [RunnerFrame] {
    var own = RunnerFrame(user: name, frame: frame, seq: 0)
    own.place = runners[name]?.place
    return RunnerFrame.standings(runners.values.filter { $0.user != name } + [own])
  }

  /// The instant of the start on the room's clock, if there is one.
  var start: Duration? {
    guard let race, race.race == .counting || race.race == .running else { return nil }
    return race.start.flatMap { Duration(stated: $0) }
  }

  /// Whether all runners have finished or were caught.
  package var isOver: Bool { race?.race == .finished }
}
