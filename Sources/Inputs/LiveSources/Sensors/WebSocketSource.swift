import Counting
import LinuxSensors
import Platform
import ServiceTransport
import SourceNames

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

/// The messages of a server as lines of text.
final class MessageChannel: TextChannel {
  private let queue: MessageQueue
  private let connection: any MessageConnection
  private var remark: String?

  /// Begins to connect. The error of a failed connection is the first thing that is read.
  init(
    _ server: MessageServer, _ client: any MessageClient, remark: String? = nil,
    error: @escaping @Sendable (MessageEnd) -> SensorError
  ) throws(SensorError) {
    let queue = try MessageQueue()
    (self.queue, self.remark) = (queue, remark)
    connection = client.connect(to: server) { event in
      switch event {
      case .message(let bytes):
        if !queue.add(bytes) { queue.end(error(.violation("it sends faster than it can be read"))) }
      case .ended(let end): queue.end(error(end))
      }
    }
  }

  deinit { connection.close() }

  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    queue.wait(until: stop, atMost: timeout)
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    try unsafe queue.read(into: target)
  }

  func takeRemark() -> String? {
    defer { remark = nil }
    return remark
  }
}
