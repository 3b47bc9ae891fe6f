import Counting
import LinuxSensors
import Platform
import ServiceTransport
import SourceNames
import Synchronization

/// An app that sends its samples as text over a WebSocket, such as SensorServer.
package struct WebSocketSource: SourceKind {
  package init() {}

  package func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) throws -> SourceWay? {
    guard case .webSocket(let address)? = uri else { return nil }
    let remark = try Self.remark(on: address)
    let server = MessageServer(
      host: address.host, port: address.port, authority: address.authority, target: address.target,
      encryption: address.isEncrypted ? address.authorities.map { .file($0) } ?? .system : nil)
    return SourceWay(.radio) { isAgain in
      guard let client = sources.messages else {
        throw SensorError.unusable(
          path: address.url, reason: "this program cannot receive messages from the network",
          remedy: "it needs pedometer-full; run 'make release && sudo make install'")
      }
      if let file = address.authorities, unsafe access(file, R_OK) != 0 {
        throw SensorError.unusable(
          path: address.url, reason: "the certificates in \(file) cannot be read (\(systemText(errno)))",
          remedy: "give a PEM file that this user may read")
      }
      var connection = SourceConnection(
        text: .webSocket(address), name: "the app at \(address.authority)", medium: .messages, sources, isAgain: isAgain
      ) { try MessageChannel(server, client, remark: remark) { Self.error(of: $0, address) } }
      connection.nameOfReturn = address.url
      return connection
    }
  }

  /// A warning for a sensor of Android with which steps are found less reliably, as in `type=android.sensor.linear_acceleration`.
  /// - Throws: `.unusable` for a sensor that does not measure acceleration.
  private static func remark(on address: WebSocketAddress) throws(SensorError) -> String? {
    let prefix = "android.sensor."
    var remark: String?
    var rest = address.target[...]
    while let found = rest.firstRange(of: prefix) {
      let name = rest[found.upperBound...].prefix { $0.isLetter || $0 == "_" }
      rest = rest[name.endIndex...]
      switch name {
      case "accelerometer", "accelerometer_uncalibrated": break
      case "linear_acceleration":
        remark =
          "the app sends acceleration without gravity; steps in it are found less surely: "
          + "ask for type=\(prefix)accelerometer"
      default:
        throw .unusable(
          path: address.url, reason: "\(prefix)\(name) is not an accelerometer",
          remedy: "ask for type=\(prefix)accelerometer")
      }
    }
    return remark
  }

  private static func error(of end: MessageEnd, _ address: WebSocketAddress) -> SensorError {
    let remedy = "start the server in the app, keep the app in the foreground, and check the address"
    switch end {
    case .unreachable(let reason): return .disconnected(name: address.url, reason: reason, remedy: remedy)
    case .untrusted(let reason):
      return .unexpected(
        path: address.url, reason: "cannot be connected to with TLS (\(reason))",
        remedy: "check the address; if the app has a certificate of its own, append ,ca=FILE with that certificate")
    case .refused(let status):
      return .unexpected(
        path: address.url, reason: "answers \(status) instead of a WebSocket",
        remedy: "check the address: port and path are those that the app shows")
    case .closed(let code, let words):
      let text = BoardText.printable(Array(words.utf8)[...])
      let said = text.isEmpty ? "" : ": '\(text)'"
      return .disconnected(
        name: address.url, reason: "the app closed the connection\(said)" + (code.map { " (\($0))" } ?? ""),
        remedy: remedy)
    case .violation(let reason):
      return .unexpected(
        path: address.url, reason: "is not a WebSocket that can be read (\(reason))",
        remedy: "check the address: port and path are those that the app shows")
    }
  }
}

/// The messages of a server as lines of text, which arrive on other threads.
final class MessageChannel: TextChannel, Sendable {
  private struct State {
    var connection: (any MessageConnection)?
    var remark: String?
    var bytes: [UInt8] = []
    var taken = 0
    var end: SensorError?
  }

  private let state: Mutex<State>
  /// Raised while there are bytes, and after the end.
  private let flag: StopSignal

  /// Begins to connect. The error of a failed connection is the first thing that is read.
  init(
    _ server: MessageServer, _ client: any MessageClient, remark: String? = nil,
    error: @escaping @Sendable (MessageEnd) -> SensorError
  ) throws(SensorError) {
    flag = try StopSignal()
    state = Mutex(State(remark: remark))
    let connection = client.connect(to: server) { [weak self] event in self?.take(event, error) }
    state.withLock { $0.connection = connection }
  }

  deinit { state.withLock { $0.connection }?.close() }

  /// The first end counts. What came before it is still read.
  private func take(_ event: MessageEvent, _ error: (MessageEnd) -> SensorError) {
    state.withLock { state in
      if state.end != nil { return }
      switch event {
      case .ended(let end): state.end = error(end)
      // A thread that reads never lets so much accumulate.
      case .message where state.bytes.count - state.taken > InputLimits.waitingMessages:
        state.end = error(.violation("it sends faster than it can be read"))
      case .message(let message):
        state.bytes += message
        if let last = message.last, last != 0x0A { state.bytes.append(0x0A) }
      }
    }
    flag.raise()
  }

  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    stop.wait(orFor: flag, atMost: timeout)
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    let (count, error) = state.withLock { state -> (Int, SensorError?) in
      let count = min(target.count, state.bytes.count - state.taken)
      unsafe target.copyBytes(from: state.bytes[state.taken..<state.taken + count])
      state.taken += count
      if state.taken == state.bytes.count {
        state.bytes.removeAll(keepingCapacity: true)
        state.taken = 0
        if state.end == nil { flag.lower() }
      }
      return (count, count == 0 ? state.end : nil)
    }
    if let error { throw error }
    return count
  }

  func takeRemark() -> String? {
    state.withLock { state in
      defer { state.remark = nil }
      return state.remark
    }
  }
}
