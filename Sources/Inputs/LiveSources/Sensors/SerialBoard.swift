import Accelerometry
import Counting
import LinuxSensors
import Platform
import SourceNames

/// A board that prints its samples on a serial port, such as an Arduino or an ESP32.
///
/// It is only opened by name: opening resets many boards, and only the user knows what they print.
package struct SerialBoard: SourceKind {
  /// Lists the serial ports of boards.
  package var boards: @Sendable () throws -> [DiscoveredSensor] = { try SensorDiscovery().boards() }
  /// Waits between two searches for a port.
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Opens a port.
  package var openLine: @Sendable (_ path: String, SerialAddress) throws -> any BoardLine = { path, address in
    PortLine(try SerialPort(path: path, address))
  }

  package init() {}

  package func takes(_ uri: SourceURI?) -> Bool { if case .serial? = uri { true } else { false } }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) async throws -> LiveFeed? {
    guard case .serial(let address)? = uri else { return nil }
    var looks = Backoff(first: .milliseconds(200), longest: .seconds(1))
    var isTold = false
    while true {
      do throws(SensorError) { return try feed(address, for: opener) } catch {
        guard opener.finder.waits, error.kind == .unavailable else { throw error }
        if !isTold { opener.finder.remark("\(error.reason); waiting for the board to be plugged in") }
        isTold = true
      }
      guard (try? await sleep(looks.next())) != nil, !Task.isCancelled else { return nil }
    }
  }

  /// The feed of a board; its port is opened when the first sample is requested.
  /// - Throws: `.notFound`; `.unusable` if several boards match the name.
  func feed(_ address: SerialAddress, for opener: LiveOpener) throws(SensorError) -> LiveFeed {
    let found = try find(address)
    let openLine = openLine
    var named = address
    named.path = found.path
    let text = TextFeed(
      uri: .serial(named), name: found.name, path: found.path, medium: .serial(rate: address.rate),
      identity: found.identity
    ) { try openLine(found.path, address) }
    return text.feed(for: opener) { first, again in following(found, first, again) }
  }

  /// The board's samples across losses. The board is recognised by its name, which contains the serial number if udev
  /// provides one.
  private func following(
    _ found: Found, _ first: SensorReadings<SampleBatch>,
    _ again: @escaping @Sendable () -> SensorReadings<SampleBatch>
  ) -> Reconnecting<SampleBatch> {
    let (sleep, path, name) = (sleep, found.path, found.name)
    let policy = Reconnecting<SampleBatch>.Policy(
      backoff: Backoff(first: .milliseconds(200), longest: .seconds(8), isPrompt: true), calm: .seconds(1), sleep: sleep
    ) { error, isReading in
      // Any error of a board that is back may be temporary: it may still be booting.
      !isReading || ((error as? SensorError)?.mayPass ?? false)
    }
    return Reconnecting(
      first: .init(name: name) { first }, policy: policy, joint: TextFeed.joint,
      open: {
        var looks = Backoff(first: .milliseconds(100), longest: .seconds(1))
        while !Self.isThere(path) {
          guard (try? await sleep(looks.next())) != nil, !Task.isCancelled else { return nil }
        }
        return .init(name: "serial:\(path)" + (name == path ? "" : " (\(name))")) { again() }
      })
  }

  /// A port that exists.
  fileprivate struct Found {
    /// The stable name, if there is one.
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
        throw Self.absence(of: address, among: boards)
      default:
        throw .unusable(
          path: "serial:", reason: "\(boards.count) boards are connected",
          remedy: "choose one: " + boards.map { "\($0.uri)" }.joined(separator: ", "))
      }
    }
    guard Self.isThere(path) else { throw Self.absence(of: address, among: boards) }
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
