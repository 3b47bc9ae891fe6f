import LinuxSensors
import Platform
import SourceNames
import Synchronization

/// The sensor that was opened, by which the same one is found again, regardless of device number and port. This is the
/// one place that decides whether two sensors are the same.
package final class SensorMemory: Sendable {
  private struct State {
    var identity: SensorIdentity?
    /// The places of sensors that have the same identity otherwise: some manufacturers use one serial number for all.
    var placesOfTwins: Set<String> = []
    /// The latest obstacle that was reported.
    var told: SensorError?
  }
  private let state = Mutex(State())

  package init() {}

  var identity: SensorIdentity? { state.withLock { $0.identity } }

  /// - Parameter others: the sensors present with it.
  func remember(_ sensor: DiscoveredSensor, beside others: [DiscoveredSensor]) {
    state.withLock { state in
      state.told = nil
      if state.identity != nil { return }
      state.identity = sensor.identity
      state.placesOfTwins = Set(
        others.filter { $0.identity.isSame(as: sensor.identity) }.compactMap(\.identity.place)
          .filter { $0 != sensor.identity.place })
    }
  }

  /// Whether a sensor is the one that was opened; `nil` before one was.
  func isSame(_ sensor: DiscoveredSensor) -> Bool? {
    state.withLock { state in
      state.identity.map {
        sensor.identity.isSame(as: $0) && !state.placesOfTwins.contains(sensor.identity.place ?? "")
      }
    }
  }

  func isNew(_ obstacle: SensorError) -> Bool { state.withLock { $0.told.changes(to: obstacle) } }
}

/// Finds a sensor of this computer by its name, or the best one, and the same one again when it was lost.
struct SensorSearch: Sendable {
  private let uri: SourceURI?
  private let use: Sources.Use
  private let sources: Sources
  private let memory: SensorMemory
  /// A service that reads the best sensor takes another one if that is lost.
  private var keepsToOne: Bool { uri != nil || use == .live }

  init(_ uri: SourceURI?, for use: Sources.Use, _ sources: Sources) {
    (self.uri, self.use, self.sources, memory) = (uri, use, sources, sources.memory ?? SensorMemory())
  }

  static let absence = SensorError.notFound(name: "the sensor", remedy: "plug it in again")

  /// Opens the sensor when it is present and readable.
  /// - Returns: `nil` if the task was cancelled while waiting for it.
  /// - Throws: the error of opening it; why it is not readable if it is not waited for, and each new reason for one that was
  ///   lost.
  func connect(isAgain: Bool) async throws -> SourceConnection? {
    do {
      return try await sources.awaiting(sources.changes, or: SourceWaits.sensor.looks(for: use)) {
        try await look(isAgain: isAgain)
      }
    } catch {
      if error is CancellationError { return nil }
      guard use == .live, !isAgain, uri == nil, let counted = await sources.countedElsewhere() else { throw error }
      return counted
    }
  }

  /// What prevents opening it now; `nil` if nothing does, or it shows only when it is opened.
  var hindrance: SensorError? {
    let candidates = ((try? sources.sensors()) ?? []).filter(accepts)
    if !candidates.isEmpty { return SensorSurvey(candidates).obstacle }
    do { _ = try unlisted([]) } catch { return error as? SensorError }
    return nil
  }

  /// One attempt.
  /// - Returns: `nil` if it has to be waited for.
  private func look(isAgain: Bool) async throws -> SourceConnection? {
    var pauses = SourceWaits.release
    while true {
      let all = try sources.sensors()
      let candidates = all.filter(accepts)
      // Counts per g that the user states, of a sensor that the user names, make one of what does not look like one.
      let stated = uri != nil && sources.options.countsPerG != nil ? candidates.first(where: \.isDoubtful) : nil
      guard let best = DiscoveredSensor.best(among: candidates, for: sources.options.use) ?? stated else {
        let obstacle: SensorError
        if !candidates.isEmpty, let found = SensorSurvey(candidates).obstacle {
          obstacle = found
        } else {
          do { return try unlisted((try? sources.boards()) ?? []) } catch let error as SensorError
            where error.kind == .permission || error.kind == .unavailable
          { obstacle = error }
        }
        guard isAgain || use == .allDay || sources.waits else { throw obstacle }
        try report(obstacle, isAgain: isAgain, isAbsent: candidates.isEmpty)
        return nil
      }
      if !isAgain {
        // A free sensor is preferred, unless the service counts with one.
        for sensor in uri == nil ? all : [best] { if let counted = await counted(sensor) { return counted } }
        if use == .live, sources.waits, let occupation = sources.occupation(best) {
          try report(occupation, isAgain: false, isAbsent: false)
          guard (try? await sources.sleep(pauses.next())) != nil else { throw CancellationError() }
          continue
        }
      }
      var connection: SourceConnection
      do { connection = try sources.openSensor(best.uri, sources.options) } catch let error as SensorError
        where error.kind == .unavailable && use == .live && !isAgain && sources.waits
      {
        // It was removed since.
        return nil
      }
      if keepsToOne { memory.remember(best, beside: all) }
      (connection.identity, connection.nameOfReturn) = (best.identity, "\(best.uri) (\(best.name))")
      connection.addBarometer(beside: best)
      return connection
    }
  }

  /// A sensor that is not in udev's list: opening it gives the reason, or succeeds.
  private func unlisted(_ boards: [DiscoveredSensor]) throws -> SourceConnection? {
    if memory.identity != nil { throw Self.absence }
    guard let uri else { throw SensorSurvey([], boards: boards).obstacle ?? Self.absence }
    do { return try sources.openSensor(uri, sources.options) } catch let error as SensorError
      where error.code == .removed
    {
      // It is not known yet.
      throw SensorError.notFound(name: "\(uri)", remedy: "'pedometer devices' lists the sources")
    }
  }

  private func report(_ error: SensorError, isAgain: Bool, isAbsent: Bool) throws {
    if use == .allDay { return sources.obstacle(error) }
    if isAgain, isAbsent { return }
    guard memory.isNew(error) else { return }
    if isAgain { throw error }
    switch error.kind {
    case .busy: sources.remark(SourceFailure.loss(error))
    case _ where isAbsent: sources.remark("waiting for \(uri.map { "\($0)" } ?? "a sensor") to be plugged in")
    default: sources.remark("\(error); waiting until it can be read")
    }
  }

  private func accepts(_ sensor: DiscoveredSensor) -> Bool {
    if let isSame = memory.isSame(sensor) { return isSame }
    if let uri { return Self.isSame(sensor.uri, uri) }
    return sources.takesCounters || sensor.kind == .accelerometer
  }

  /// An IIO buffer has one reader. If that is the service, its steps are used instead of failing with "busy".
  private func counted(_ sensor: DiscoveredSensor) async -> SourceConnection? {
    guard let service = sources.service, sensor.kind == .accelerometer, sensor.isBufferInUse else { return nil }
    let counter = ServiceCounter(service, source: "\(sensor.uri)", pause: sources.sleep)
    guard await counter.isCounting() else { return nil }
    var connection = SourceConnection(counter, uri: sensor.uri, name: sensor.name, identity: sensor.identity)
    connection.addBarometer(beside: sensor)
    return connection
  }

  /// Whether two names select the same sensor: an input device has several, such as `/dev/input/by-path/…`.
  static func isSame(_ a: SourceURI, _ b: SourceURI) -> Bool {
    if case .evdev(let first) = a, case .evdev(let second) = b {
      return (resolvedPath(first) ?? first) == (resolvedPath(second) ?? second)
    }
    if case .serial(let first) = a, case .serial(let second) = b {
      // `serial:` without a path selects the only board.
      guard let one = first.path, let other = second.path else { return true }
      return (resolvedPath(one) ?? one) == (resolvedPath(other) ?? other)
    }
    return a == b
  }
}

extension SourceConnection {
  fileprivate mutating func addBarometer(beside sensor: DiscoveredSensor) {
    if let barometer = IIOBarometer.beside(sensor) { pressures = { barometer.readings() } }
  }
}
