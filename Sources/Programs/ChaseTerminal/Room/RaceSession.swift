import Analytics
import ChaseEngine
import LiveSources
import RaceRoom

/// A chase in a room: starts it at the room's start, reports its progress, and keeps the standings.
///
/// It runs on the thread that owns the chase.
package final class RaceSession {
  package private(set) var standings: RaceStandings
  /// Why the room cannot be used; `nil` if it can.
  package private(set) var failure: SourceFailure?
  /// When the chase began, on the room's clock.
  package private(set) var started: Duration?

  /// Gets the actions in the room; `nil` without consent.
  package var reports: RoomReports?

  /// Where this walker is, shared once after joining; `nil` keeps it private.
  package var place: (any LocationSource)?

  private let owner: ChaseOwner
  private let link: RaceLink
  private let clock: RoomClock
  /// The start that has been handled already, on the room's clock.
  private var heeded: Duration?
  private var told: ChaseFrame?
  private var hasJoined = false

  package init(_ link: RaceLink, name: String, owner: ChaseOwner, clock: RoomClock = .steady) {
    (self.link, self.owner, self.clock) = (link, owner, clock)
    standings = RaceStandings(name: name)
  }

  func say(_ text: String) { if !text.isEmpty { link.say(text) } }

  /// Starts the room's countdown for all members.
  package func countDown() {
    reports?.countdownStarted()
    link.countDown()
  }

  /// The time until the next scheduled event; `nil` if there is none.
  package var timeout: Duration? {
    guard let start = localStart, standings.start != heeded else { return nil }
    return max(.zero, start - clock.now())
  }

  private var localStart: Duration? {
    guard let start = standings.start, let server = standings.clock else { return nil }
    return server.localTime(of: start)
  }

  /// Processes the room's events, and begins the chase when it is time.
  /// - Returns: the events, and whether the chase has just begun.
  package func advance() throws -> (news: [RaceLink.News], hasBegun: Bool) {
    let news = link.take()
    for item in news {
      standings.take(item)
      if case .chat(.status) = item, !hasJoined {
        hasJoined = true
        if let place { link.share(place) }
        reports?.joined()
      }
      if case .failed(let failure) = item { self.failure = failure }
    }
    // The room may have nothing more to say, so the runner is reported before the next wait.
    if told == nil { report() }
    guard let start = localStart, standings.start != heeded, clock.now() >= start, let server = standings.clock else {
      return (news, false)
    }
    heeded = standings.start
    if owner.model.appState != .notStarted { owner.restart() }
    try owner.model.start()
    started = clock.now() + server.offset
    return (news, true)
  }

  /// Reports the progress of the chase if it has changed; also before its start, so that the room knows its runners.
  package func report() {
    guard hasJoined else { return }
    let frame = ChaseFrame(of: owner.model)
    let isNew = told.map { $0.state != frame.state || $0.steps != frame.steps || $0.time + .seconds(1) <= frame.time }
    guard isNew ?? true else { return }
    told = frame
    link.report(frame)
  }

  /// Whether the room has the latest figures.
  package var isFlushed: Bool { link.isFlushed }

  /// Announces that this walker goes away, before the process is stopped.
  func goAway() { if hasJoined { link.goAway() } }

  func comeBack() { if hasJoined { link.comeBack() } }

  package func leave() {
    reports?.left()
    link.cancel()
  }
}
