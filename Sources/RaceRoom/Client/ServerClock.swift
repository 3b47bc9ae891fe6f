/// How far a service's clock is from this machine's, as round trips tell.
///
/// The service's reading lies between the moment the request left and the moment the answer came; half of the shortest
/// round trip is how wrong the middle can be (Cristian F. "Probabilistic clock synchronization". Distributed Computing 3
/// (1989) 146-158).
public struct ServerClock: Sendable, Hashable {
  /// What the service's clock is ahead of this machine's.
  public var offset: Duration
  /// How far off that may be.
  public var uncertainty: Duration

  /// Makes a clock of what is known.
  public init(offset: Duration, uncertainty: Duration) {
    self.offset = offset
    self.uncertainty = uncertainty
  }

  /// Makes a clock of one round trip.
  /// - Parameters:
  ///   - sent: when the request left, by this machine's clock.
  ///   - received: when the answer came.
  ///   - server: what the service's clock said between.
  public init(sent: Duration, received: Duration, server: Duration) {
    let half = (received - sent) / 2
    self.init(offset: server - (sent + half), uncertainty: half)
  }

  /// When this machine's clock says what the service's says at an instant.
  public func localTime(of server: Duration) -> Duration { server - offset }
}

/// The start of a race, as one machine has it.
public struct RaceStart: Sendable, Hashable {
  /// The instant by the service's clock; the same for all.
  public var server: Duration
  /// The same by this machine's clock, ``RoomClock/now`` of the client.
  public var local: Duration
  /// How far off that may be.
  public var uncertainty: Duration
  /// How long the start was past when the client learned of it; large for a client that joins a running race.
  public var late: Duration
}

extension RoomClient {
  /// Measures how far the service's clock is off: the best of a few round trips.
  public func serverClock(roundTrips: Int = 5) async throws -> ServerClock {
    var best: ServerClock?
    for _ in 0..<max(1, roundTrips) {
      let sent = connection.clock.now()
      let answer = try await connection.send("GET", "/race/clock")
      let received = connection.clock.now()
      guard let receipt: RoomReceipt = RoomJSON.value(from: answer.body) else {
        throw RoomClientError.noRoom(line: TerminalText.clean(String(decoding: answer.body.prefix(80), as: UTF8.self)))
      }
      let clock = ServerClock(sent: sent, received: received, server: .seconds(receipt.time))
      if clock.uncertainty < best?.uncertainty ?? .seconds(3600) { best = clock }
    }
    return best ?? ServerClock(offset: .zero, uncertainty: .seconds(3600))
  }

  /// Returns at the start of the room's next race, at the same instant on all machines as far as their clocks can be
  /// compared; at once when a race is on.
  ///
  /// A countdown that is called off is forgotten, and the next one waited for.
  public func waitForStart() async throws -> RaceStart {
    let server = try await serverClock()
    let (signals, continuation) = AsyncThrowingStream.makeStream(of: StartSignal.self)
    let live = self.live()
    let listening = Task {
      do {
        for try await event in live { if case .race(let status) = event { continuation.yield(.race(status)) } }
        continuation.finish(throwing: CancellationError())
      } catch {
        continuation.finish(throwing: error)
      }
    }
    var timer: Task<Void, Never>?
    defer {
      listening.cancel()
      timer?.cancel()
    }
    for try await signal in signals {
      switch signal {
      case .start(let start): return raceStart(start, by: server)
      case .race(let status):
        timer?.cancel()
        timer = nil
        guard let start = status.start, status.race == .counting || status.race == .running else { continue }
        let instant = Duration.seconds(start)
        let delay = server.localTime(of: instant) - connection.clock.now()
        if delay <= .zero { return raceStart(instant, by: server) }
        timer = Task { [clock = connection.clock] in
          if (try? await clock.sleep(delay)) != nil { continuation.yield(.start(instant)) }
        }
      }
    }
    throw CancellationError()
  }

  private func raceStart(_ start: Duration, by server: ServerClock) -> RaceStart {
    let local = server.localTime(of: start)
    return RaceStart(
      server: start, local: local, uncertainty: server.uncertainty,
      late: max(.zero, connection.clock.now() - local))
  }
}

/// What a client that waits for a start receives.
private enum StartSignal: Sendable {
  case race(RaceStatus)
  case start(Duration)
}
