/// Receives the messages of WebSocket servers (RFC 6455): over the network, or in a test from a double.
package protocol MessageClient: Sendable {
  /// Begins to connect, without waiting.
  /// - Parameter events: called for each event in order, on a thread of the client. The last event is `ended`.
  /// - Returns: the connection. Closing it ends the events; a release does not close it.
  func connect(to server: MessageServer, events: @escaping @Sendable (MessageEvent) -> Void) -> any MessageConnection
}

package struct MessageServer: Sendable, Hashable {
  package enum Trust: Sendable, Hashable {
    /// Those of the system's authorities.
    case system
    /// Those of the authorities in a file (PEM), and the certificates in it.
    case file(String)
  }

  /// A name or an address, without brackets.
  package var host: String
  package var port: UInt16
  /// The host and port as the URL contains them.
  package var authority: String
  /// Path and query.
  package var target: String
  /// How the server is recognised; `nil`: without TLS.
  package var encryption: Trust?

  package init(host: String, port: UInt16, authority: String, target: String, encryption: Trust? = nil) {
    (self.host, self.port, self.authority, self.target) = (host, port, authority, target)
    self.encryption = encryption
  }
}

package protocol MessageConnection: Sendable {
  /// Takes leave of the server, and closes the connection. Returns at once.
  func close()
}

package enum MessageEvent: Sendable, Hashable {
  /// A complete message, of text or of bytes. Pings are answered and not passed on.
  case message([UInt8])
  /// The connection ended, or could not be established.
  case ended(MessageEnd)
}

package enum MessageEnd: Sendable, Hashable {
  /// The host was not found, refused the connection, or did not answer in time; the text says which.
  case unreachable(String)
  /// TLS could not be established, as the text says: the certificate is not trusted, for instance.
  case untrusted(String)
  /// The server answered with this status of HTTP instead of a WebSocket.
  case refused(status: Int)
  /// The server closed the connection, with its code and words if it sent them.
  case closed(code: Int?, words: String)
  /// The server violated the protocol, as the text says, or what it sent is too large.
  case violation(String)
}
