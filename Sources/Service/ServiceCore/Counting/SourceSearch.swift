import LinuxSensors
import LiveSources
import SourceNames
import Synchronization

/// Searches for a source until it is present and readable.
final class SourceSearch: Sendable {
  /// The source's name; `nil`: the best sensor.
  let uri: SourceURI?
  let access: SourceAccess
  let clock: ServiceClock
  let account: SourceAccount
  /// The sensor's stable identity, once it was found.
  private let identity = Mutex<SensorIdentity?>(nil)

  /// The maximum delay for changes without an event, such as a permission granted manually.
  static let patience = Duration.seconds(30)

  init(uri: SourceURI?, access: SourceAccess, clock: ServiceClock, account: SourceAccount) {
    self.uri = uri
    self.access = access
    self.clock = clock
    self.account = account
  }

  /// Opens the source; `nil` if the task was cancelled while waiting.
  /// - Throws: the error of opening a recording, or a sensor that is present and readable.
  func find() async throws -> LiveFeed? {
    if let uri, !uri.isSensor { return try await access.open(uri) }
    if let feed = try await look() { return feed }
    let (looks, notices) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let isBoard = if case .serial? = uri { true } else { false }
    // It begins to listen now, and not when its task first runs: a change in between would be noticed by the timer only.
    let (changes, clock) = ((isBoard ? access.boardChanges : access.changes)(), clock)
    let listening = Task { for try await _ in changes { notices.yield() } }
    let ticking = Task {
      while true {
        try await clock.sleep(Self.patience)
        notices.yield()
      }
    }
    defer {
      listening.cancel()
      ticking.cancel()
    }
    for await _ in looks {
      if let feed = try await look() { return feed }
    }
    return nil
  }

  /// One attempt; throws the obstacle.
  private func look() async throws -> LiveFeed? {
    let candidates = try access.sensors().filter(isWanted)
    if let best = DiscoveredSensor.best(among: candidates, for: access.use) {
      let feed = try access.openSensor(best)
      if uri != nil { identity.withLock { $0 = best.identity } }
      return feed
    }
    if let error = SensorSurvey(candidates).sensors.first?.obstacle {
      account.wait(because: error)
    } else if let uri {
      do {
        return try await access.open(uri)
      } catch let error as SensorError where error.kind == .permission || error.kind == .unavailable {
        account.wait(because: error)
      }
    } else if let error = SensorSurvey([]).obstacle {
      account.wait(because: error)
    }
    return nil
  }

  /// A sensor in another port has another name, but the same identity.
  private func isWanted(_ sensor: DiscoveredSensor) -> Bool {
    guard let uri else { return true }
    if let identity = identity.withLock({ $0 }) { return sensor.identity.isSame(as: identity) }
    return SensorFinder.isSame(sensor.uri, uri)
  }
}

extension DiscoveredSensor {
  /// The reason why it cannot count.
  fileprivate var obstacle: SensorError? { if case .unusable(let error) = usability { error } else { nil } }
}
