import ServiceCore
import Synchronization

/// The open connections by client, and which of them are idle.
///
/// Idle connections are closed when other clients need them: the one that has been idle longest is closed when a
/// client, or all together, have too many.
final class OpenConnections: Sendable {
  /// A connection's number, in the order of arrival.
  struct Number: Hashable, Sendable {
    fileprivate var value: Int
  }

  private struct Resting {
    var client: String
    /// Incremented whenever a connection becomes idle.
    var since: Int
    var close: @Sendable () -> Void
  }

  private struct State {
    var connections: [Number: String] = [:]
    var clients: [String: Int] = [:]
    var resting: [Number: Resting] = [:]
    var arrivals = 0
    var rests = 0
    /// The most open connections since memory was given back.
    var peak = 0

    /// Removes the connection that has been idle longest, and returns its closing function.
    /// - Parameter client: the client; `nil` for any.
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
  private let mostOfThisMachine: Int

  init(_ limits: ServiceLimits) {
    // Room for new connections while others are being closed.
    most = max(1, limits.connections - limits.connections / 8)
    mostOfClient = limits.connectionsOfClient
    mostOfThisMachine = max(mostOfClient, most / 2)
  }

  /// Adds a connection of a client.
  /// - Returns: the connection's number; `nil` if the client has too many and none of them is idle.
  func arrive(_ client: String) -> Number? {
    var closing: [@Sendable () -> Void] = []
    let number: Number? = state.withLock { state in
      // All programs on this machine share an address. They leave room for others, too.
      let share = Loopback.includes(client) ? mostOfThisMachine : mostOfClient
      if state.clients[client, default: 0] >= share {
        guard let close = state.oldest(of: client) else { return nil }
        closing.append(close)
      }
      if state.connections.count >= most, let close = state.oldest(of: nil) { closing.append(close) }
      state.arrivals += 1
      let number = Number(value: state.arrivals)
      state.connections[number] = client
      state.clients[client, default: 0] += 1
      state.peak = max(state.peak, state.connections.count)
      return number
    }
    for close in closing { close() }
    return number
  }

  /// Marks a connection as idle.
  /// - Parameter close: closes it; called at most once, from any thread.
  func rest(_ number: Number, close: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard let client = state.connections[number] else { return }
      state.rests += 1
      state.resting[number] = Resting(client: client, since: state.rests, close: close)
    }
  }

  func wake(_ number: Number) { state.withLock { $0.resting[number] = nil } }

  /// As many connections are a crowd, whose memory is worth giving back.
  static let crowd = 256

  /// Removes a closed connection.
  /// - Returns: whether a crowd has gone with it: seven eighths of the most connections.
  @discardableResult
  func leave(_ number: Number) -> Bool {
    state.withLock { state in
      state.resting[number] = nil
      state.forget(number)
      guard state.peak >= Self.crowd, state.connections.count <= state.peak / 8 else { return false }
      state.peak = state.connections.count
      return true
    }
  }

  var count: Int { state.withLock { $0.connections.count } }
}
