import Platform

/// The offset of a service's clock from this machine's, measured with round trips.
///
/// The service's reading is between the sending of the request and the arrival of the answer; the error of the midpoint
/// is at most half of the shortest round trip (Cristian F. "Probabilistic clock synchronization". Distributed Computing
/// 3 (1989) 146-158).
public struct ServerClock: Sendable, Hashable {
  /// The service's clock minus this machine's.
  public var offset: Duration
  /// The largest error of the offset.
  public var uncertainty: Duration

  /// Creates a clock from known values.
  public init(offset: Duration, uncertainty: Duration) {
    (self.offset, self.uncertainty) = (offset, uncertainty)
  }

  /// Creates a clock from one round trip.
  /// - Parameters:
  ///   - sent: when the request was sent, on this machine's clock.
  ///   - received: when the answer arrived.
  ///   - server: the reading of the service's clock in between.
  public init(sent: Duration, received: Duration, server: Duration) {
    let half = (received - sent) / 2
    self.init(offset: server - (sent + half), uncertainty: half)
  }

  /// The time on this machine's clock at an instant of the service's clock.
  public func localTime(of server: Duration) -> Duration { server - offset }
}

/// The start of a race as seen by one machine.
public struct RaceStart: Sendable, Hashable {
  /// The instant on the service's clock; the same for all.
  public var server: Duration
  /// The same on this machine's clock, ``RoomClock/now`` of the client.
  public var local: Duration
  /// The largest error of ``local``.
  public var uncertainty: Duration
  /// How long after the start the client learned of it; large for a client that joins a running race.
  public var late: Duration
}

extension RoomClient {
  /// Measures the offset of the service's clock: the best of a few round trips.
  public func serverClock(roundTrips: Int = 5) async throws -> ServerClock {
    var best: ServerClock?
    for _ in 0..<max(1, roundTrips) {
      let sent = connection.clock.now()
      let answer = try await connection.send("GET", "/race/clock")
      let received = connection.clock.now()
      guard let receipt: RoomReceipt = RoomJSON.value(from: answer.body), let time = Duration(stated: receipt.time)
      else {
        throw RoomClientError.noRoom(line: TerminalText.clean(String(decoding: answer.body.prefix(80), as: UTF8.self)))
      }
      let clock = ServerClock(sent: sent, received: received, server: time)
      if clock.uncertainty < best?.uncertainty ?? .seconds(3600) { best = clock }
    }
    return best ?? ServerClock(offset: .zero, uncertainty: .seconds(3600))
  }

  /// Returns at the start of the room's next race, at the same instant on all machines up to the error of their clocks;
  /// at once during a race.
  ///
  /// A cancelled countdown is ignored, and the next one awaited.
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
        guard let instant = status.start.flatMap({ Duration(stated: $0) }),
          status.race == .counting || status.race == .running
        else { continue }
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

/// The events for a client that waits for a start.
private enum StartSignal: Sendable {
  case race(RaceStatus)
  case start(Duration)
}
