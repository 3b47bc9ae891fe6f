import Synchronization

/// Who holds connections, and which of them rest: they send nothing and wait for nothing.
///
/// Idle connections give way when others need the room: the one that has rested longest is closed when a client, or all
/// together, hold too many.
final class ConnectionCensus: Sendable {
  /// A connection's number, in the order of arrival.
  struct Number: Hashable, Sendable {
    fileprivate var value: Int
  }

  private struct Resting {
    var client: String
    /// Rises with every beginning of a rest.
    var since: Int
    var close: @Sendable () -> Void
  }

  private struct State {
    var connections: [Number: String] = [:]
    var clients: [String: Int] = [:]
    var resting: [Number: Resting] = [:]
    var arrivals = 0
    var rests = 0

    /// Forgets the connection that has rested longest, and returns what closes it.
    /// - Parameter client: whose; `nil` for anybody's.
    mutating func oldest(of client: String?) -> (@Sendable () -> Void)? {
      let candidates = resting.lazy.filter { client == nil || $0.value.client == client }
      guard let (number, oldest) = candidates.min(by: { $0.value.since < $1.value.since }) else { return nil }
      resting[number] = nil
      forget(number)
      return oldest.close
    }

    mutating func forget(_ number: Number) {
      guard let client = connections.removeValue(forKey: number) else { return }
      if let count = clients[client] { clients[client] = count > 1 ? count - 1 : nil }
    }
  }

  private let state = Mutex(State())
  private let most: Int
  private let mostOfClient: Int

  init(_ limits: ServiceLimits) {
    // Room for those who come while others are being closed.
    most = max(1, limits.connections - limits.connections / 8)
    mostOfClient = limits.connectionsOfClient
  }

  /// A client has connected.
  /// - Returns: the connection's number; `nil` when the client has too many and none of them rests.
  func arrive(_ client: String) -> Number? {
    var closing: [@Sendable () -> Void] = []
    let number: Number? = state.withLock { state in
      // All programs on this machine share an address.
      if !ListenAddress.isLoopback(client), state.clients[client, default: 0] >= mostOfClient {
        guard let close = state.oldest(of: client) else { return nil }
        closing.append(close)
      }
      if state.connections.count >= most, let close = state.oldest(of: nil) { closing.append(close) }
      state.arrivals += 1
      let number = Number(value: state.arrivals)
      state.connections[number] = client
      state.clients[client, default: 0] += 1
      return number
    }
    for close in closing { close() }
    return number
  }

  /// A connection has nothing to do.
  /// - Parameter close: closes it; called at most once, from any thread.
  func rest(_ number: Number, close: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard let client = state.connections[number] else { return }
      state.rests += 1
      state.resting[number] = Resting(client: client, since: state.rests, close: close)
    }
  }

  /// A connection has something to do again.
  func wake(_ number: Number) { state.withLock { $0.resting[number] = nil } }

  /// A connection has ended.
  func leave(_ number: Number) {
    state.withLock { state in
      state.resting[number] = nil
      state.forget(number)
    }
  }

  /// How many are open.
  var count: Int { state.withLock { $0.connections.count } }
}
