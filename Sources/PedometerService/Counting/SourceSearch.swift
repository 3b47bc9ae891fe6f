import Accelerometry
import LinuxSensors
import LiveSources
import Synchronization

/// Looks for a source until it is there and may be read.
final class SourceSearch: Sendable {
  /// The source's name; `nil`: the best sensor.
  let uri: SourceURI?
  let access: SourceAccess
  let clock: ServiceClock
  let account: SourceAccount
  /// What stays the same about the sensor, once it was seen.
  private let identity = Mutex<SensorIdentity?>(nil)

  /// Changes that no event tells of, such as a permission given by hand, are seen at the latest after this time.
  static let patience = Duration.seconds(30)

  init(uri: SourceURI?, access: SourceAccess, clock: ServiceClock, account: SourceAccount) {
    self.uri = uri
    self.access = access
    self.clock = clock
    self.account = account
  }

  /// The source, open; `nil` when the task was cancelled while it waited.
  /// - Throws: why a recording cannot be opened, or a sensor that is there and may be read.
  func find() async throws -> LiveFeed? {
    if let uri, !uri.isSensor { return try await access.openRecording(uri) }
    if let feed = try look() { return feed }
    let (looks, notices) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let isBoard = if case .serial? = uri { true } else { false }
    let (changes, clock) = (isBoard ? access.boardChanges : access.changes, clock)
    let listening = Task { for try await _ in changes() { notices.yield() } }
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
      if let feed = try look() { return feed }
    }
    return nil
  }

  /// Looks once; says what is in the way.
  private func look() throws -> LiveFeed? {
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
        return try access.openUnlisted(uri)
      } catch let error as SensorError where error.kind == .permission || error.kind == .unavailable {
        account.wait(because: error)
      }
    } else if let error = SensorSurvey([]).obstacle {
      account.wait(because: error)
    }
    return nil
  }

  /// A sensor that was plugged in elsewhere has another name, and is still the same.
  private func isWanted(_ sensor: DiscoveredSensor) -> Bool {
    guard let uri else { return true }
    if let identity = identity.withLock({ $0 }) { return sensor.identity.isSame(as: identity) }
    return SensorFinder.isSame(sensor.uri, uri)
  }
}

extension DiscoveredSensor {
  /// What keeps it from counting.
  fileprivate var obstacle: SensorError? { if case .unusable(let error) = usability { error } else { nil } }
}
