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
  public init(offset: Duration, uncertainty: Duration) { (self.offset, self.uncertainty) = (offset, uncertainty) }

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
        throw RoomClientError.noRoom(line: PrintableText.line(String(decoding: answer.body.prefix(80), as: UTF8.self)))
      }
      let clock = ServerClock(sent: sent, received: received, server: time)
      if clock.uncertainty < best?.uncertainty ?? .seconds(3600) { best = clock }
    }
    return best ?? ServerClock(offset: .zero, uncertainty: .seconds(3600))
  }
}
