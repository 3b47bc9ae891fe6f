import Accelerometry
import Counting
import LinuxSensors
import Platform
import Recordings

/// A board that prints its samples on a serial port, such as an Arduino or an ESP32.
///
/// It is opened only where it is asked for by name: opening resets many boards, and nobody but their user knows what they print.
package struct SerialBoard: SourceKind {
  /// The ports of boards that are there.
  var boards: @Sendable () throws -> [DiscoveredSensor] = { try SensorDiscovery().boards() }
  /// Waits between two looks for a port.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Opens a port.
  var openLine: @Sendable (_ path: String, SerialAddress) throws -> any BoardLine = { path, address in
    PortLine(try SerialPort(path: path, address))
  }

  package init() {}

  package func takes(_ uri: SourceURI?) -> Bool { if case .serial? = uri { true } else { false } }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) async throws -> LiveFeed? {
    guard case .serial(let address)? = uri else { return nil }
    var looks = Backoff(first: .milliseconds(200), longest: .seconds(1))
    while true {
      do throws(SensorError) { return try feed(address, for: opener, follows: true) } catch {
        guard opener.finder.waits, error.kind == .unavailable else { throw error }
      }
      guard (try? await sleep(looks.next())) != nil, !Task.isCancelled else { return nil }
    }
  }

  /// A board that is there; its port is opened when the first sample is asked for.
  /// - Parameter follows: whether it is waited for when it was unplugged.
  /// - Throws: `.notFound`; `.unusable` where the name fits several.
  package func feed(
    _ address: SerialAddress, for opener: LiveOpener, follows: Bool
  ) throws(SensorError) -> LiveFeed {
    let found = try find(address)
    let notes = ReadingNotes()
    var settings = BoardReader.Settings(name: found.path, rate: address.rate, reading: opener.reading)
    settings.silence = opener.options.silenceTimeout
    // A port holds what comes in a third of a second at least.
    if opener.options.use == .thrifty { settings.gathering = .milliseconds(250) }
    let (openLine, first) = (openLine, settings)
    let readings: @Sendable (BoardReader.Settings) -> SensorReadings<SampleBatch> = { settings in
      SensorReadings { BoardReader(settings, notes: notes) { try openLine(found.path, address) } }
    }
    var named = address
    named.path = found.path
    let profile = SensorProfile(
      name: found.name, samplingFrequency: opener.reading.samplingFrequency, clock: .boottime)
    var feed: LiveFeed
    if follows {
      let samples = following(found, first, readings)
      feed = LiveFeed(
        uri: .serial(named), walk: SampleWalk { samples }, samples: { samples }, profile: profile,
        identity: found.identity)
    } else {
      let events: @Sendable () -> AsyncMapSequence<SensorReadings<SampleBatch>, SourceEvent<SampleBatch>> = {
        readings(first).map { .element($0) }
      }
      feed = LiveFeed(
        uri: .serial(named), walk: SampleWalk { events() }, samples: { events() }, profile: profile,
        identity: found.identity)
    }
    feed.notes = notes
    return feed
  }

  /// The board's samples over any number of losses. It is known again by its name, which is the one of its serial number where
  /// udev gives it one.
  private func following(
    _ found: Found, _ settings: BoardReader.Settings,
    _ readings: @escaping @Sendable (BoardReader.Settings) -> SensorReadings<SampleBatch>
  ) -> Reconnecting<SampleBatch> {
    var again = settings
    again.remarksOnSilence = false
    let (settingsAgain, sleep, path, name) = (again, sleep, found.path, found.name)
    let policy = Reconnecting<SampleBatch>.Policy(
      backoff: Backoff(first: .milliseconds(200), longest: .seconds(8), isPrompt: true), calm: .seconds(1), sleep: sleep
    ) { error, isReading in
      // What a board says that is back may pass, whatever it is: it may still boot.
      !isReading || ((error as? SensorError)?.mayPass ?? false)
    }
    return Reconnecting(
      first: .init(name: name) { readings(settings) }, policy: policy,
      joint: {
        var line = TimeLine()
        return { line.take($0, isBack: $1) }
      },
      open: {
        var looks = Backoff(first: .milliseconds(100), longest: .seconds(1))
        while !Self.isThere(path) {
          guard (try? await sleep(looks.next())) != nil, !Task.isCancelled else { return nil }
        }
        return .init(name: "serial:\(path) (\(name))") { readings(settingsAgain) }
      })
  }

  /// A port that is there.
  fileprivate struct Found {
    /// The name that stays the same, as far as there is one.
    var path: String
    var name: String
    var identity: SensorIdentity?
  }

  private func find(_ address: SerialAddress) throws(SensorError) -> Found {
    let boards = (try? boards()) ?? []
    guard let path = address.path else {
      switch (boards.first, boards.count) {
      case (let board?, 1): return Found(board)
      case (nil, _):
        throw .notFound(
          name: "a board on a serial port", remedy: "plug one in; 'pedometer devices' lists what is there")
      default:
        throw .unusable(
          path: "serial:", reason: "there are \(boards.count) boards",
          remedy: "name one: " + boards.map { "\($0.uri)" }.joined(separator: ", "))
      }
    }
    guard Self.isThere(path) else {
      let names = boards.map { "\($0.uri)" }.joined(separator: ", ")
      throw .notFound(
        name: path, remedy: "plug the board in" + (names.isEmpty ? "" : ", or take one that is: \(names)"))
    }
    let node = resolvedPath(path)
    if let board = boards.first(where: { $0.node != nil && $0.node == node }) {
      // Who names a link means the link.
      return node == path ? Found(board) : Found(path: path, name: board.name, identity: board.identity)
    }
    return Found(path: path, name: path, identity: nil)
  }

  private static func isThere(_ path: String) -> Bool { resolvedPath(path) != nil }
}

extension SerialBoard.Found {
  fileprivate init(_ board: DiscoveredSensor) {
    let path = if case .serial(let address) = board.uri { address.path } else { board.node }
    self.init(path: path ?? "", name: board.name, identity: board.identity)
  }
}
