import LinuxSensors
import Platform
import SourceNames
import Synchronization

/// A board that prints its samples on a serial port, such as an Arduino or an ESP32.
///
/// It is only opened by name: opening resets many boards, and only the user knows what they print.
package struct SerialBoard: SourceKind {
  package var openChannel: @Sendable (_ path: String, SerialAddress) throws -> any TextChannel = { path, address in
    try SerialPort(path: path, address)
  }

  package init() {}

  package func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .serial(let address)? = uri else { return nil }
    // The board that was found is recognised by its name, which contains the serial number if udev provides one.
    let known = Mutex<Found?>(nil)
    let told = Mutex<SensorError?>(nil)
    return SourceWay(.port) { [openChannel] isAgain in
      let found = try await sources.awaiting(sources.boardChanges, or: SourceWaits.port.looks(for: use)) {
        () async throws -> Found? in
        if let found = known.withLock({ $0 }) { return Self.isThere(found.path) ? found : nil }
        do { return try Self.find(address, sources) } catch let error as SensorError where error.kind == .unavailable {
          guard use == .allDay || sources.waits else { throw error }
          if use == .allDay {
            sources.obstacle(error)
          } else if told.withLock({ $0.changes(to: error) }) {
            sources.remark("\(error.reason); waiting for the board to be plugged in")
          }
          return nil
        }
      }
      guard let found else { return nil }
      known.withLock { $0 = found }
      var named = address
      named.path = found.path
      var connection = SourceConnection(
        text: .serial(named), name: found.name, path: found.path, medium: .serial(rate: address.rate),
        identity: found.identity, sources, isAgain: isAgain
      ) { try openChannel(found.path, address) }
      connection.nameOfReturn = "serial:\(found.path)" + (found.name == found.path ? "" : " (\(found.name))")
      return connection
    }
  }

  /// A port that exists.
  fileprivate struct Found {
    /// The stable name, if there is one.
    var path: String
    var name: String
    var identity: SensorIdentity?
  }

  private static func find(_ address: SerialAddress, _ sources: Sources) throws(SensorError) -> Found {
    let boards = (try? sources.boards()) ?? []
    guard let path = address.path else {
      switch (boards.first, boards.count) {
      case (let board?, 1): return Found(board)
      case (nil, _): throw absence(of: address, among: boards)
      default:
        throw .unusable(
          path: "serial:", reason: "\(boards.count) boards are connected",
          remedy: "choose one: " + boards.map { "\($0.uri)" }.joined(separator: ", "))
      }
    }
    guard isThere(path) else { throw absence(of: address, among: boards) }
    let node = resolvedPath(path)
    if let board = boards.first(where: { $0.node != nil && $0.node == node }) {
      // A link is kept as the name, because the user chose it.
      return node == path ? Found(board) : Found(path: path, name: board.name, identity: board.identity)
    }
    return Found(path: path, name: path, identity: nil)
  }

  /// The error for a port that does not exist, or for no port at all if none is named.
  /// - Parameter boards: those that are connected.
  static func absence(of address: SerialAddress, among boards: [DiscoveredSensor]) -> SensorError {
    guard let path = address.path else {
      return .notFound(name: "a board on a serial port", remedy: "plug one in; 'pedometer devices' lists boards")
    }
    let names = boards.map { "\($0.uri)" }.joined(separator: ", ")
    return .notFound(
      name: path, remedy: "plug the board in" + (names.isEmpty ? "" : ", or choose a connected one: \(names)"))
  }

  private static func isThere(_ path: String) -> Bool { resolvedPath(path) != nil }
}

extension SerialBoard.Found {
  fileprivate init(_ board: DiscoveredSensor) {
    let path = if case .serial(let address) = board.uri { address.path } else { board.node }
    self.init(path: path ?? "", name: board.name, identity: board.identity)
  }
}
