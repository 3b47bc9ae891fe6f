/// Sends requests to a service: over the network, or in a test to a double.
public protocol Transport: Sendable {
  /// Sends a request and returns the complete answer.
  /// - Parameters:
  ///   - timeout: the longest time from the first byte sent to the last one received.
  /// - Throws: ``TransportError``, or `CancellationError`. An answer of any status is an answer, not an error.
  func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse

  /// Sends a request whose answer is a stream, and returns its body as it arrives.
  ///
  /// Ending the iteration, or cancelling the task, closes the connection.
  /// - Parameters:
  ///   - silence: the longest time without data.
  /// - Throws: ``TransportError``, or `CancellationError`.
  func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream
}

/// A request.
public struct TransportRequest: Sendable, Hashable {
  /// `GET`, `POST` …
  public var method: String
  /// The complete address, with its scheme and a percent-encoded query.
  public var url: String
  /// Names and values, in order.
  public var headers: [Header]
  /// The body; empty for a request without one.
  public var body: [UInt8]

  /// One header.
  public struct Header: Sendable, Hashable {
    public var name: String
    public var value: String

    /// Creates a header.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// Creates a request.
  public init(method: String = "GET", url: String, headers: [Header] = [], body: [UInt8] = []) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}

/// A complete answer.
public struct TransportResponse: Sendable, Hashable {
  /// The status: 200, 404 …
  public var status: Int
  /// Names in lower case, and values.
  public var headers: [TransportRequest.Header]
  /// The body.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int, headers: [TransportRequest.Header] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Whether the request succeeded: any 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

/// An answer that is a stream.
public struct TransportStream: Sendable {
  /// The status: 200, 404 …
  public var status: Int
  /// Names in lower case, and values.
  public var headers: [TransportRequest.Header]
  /// The body, in the chunks in which it arrives, which may split a line anywhere, even within a character. One
  /// consumer.
  public var chunks: AsyncThrowingStream<[UInt8], any Error>

  /// Creates an answer.
  public init(status: Int, headers: [TransportRequest.Header] = [], chunks: AsyncThrowingStream<[UInt8], any Error>) {
    (self.status, self.headers, self.chunks) = (status, headers, chunks)
  }
}

/// Why there was no answer, as one sentence with the remedy.
public enum TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The address is invalid.
  case badAddress(String)
  /// The service cannot be reached.
  case unreachable(address: String, reason: String)
  /// The timeout expired.
  case timedOut(address: String)
  /// The connection was closed before the end of the answer.
  case interrupted(address: String, reason: String)
  /// The complete answer exceeds the size limit in bytes.
  case tooLarge(address: String, limit: Int)

  /// What happened, without the address and without what to do.
  package var reason: String {
    switch self {
    case .badAddress: "not an address"
    case .unreachable(_, let reason): reason
    case .timedOut: "no answer in time"
    case .interrupted(_, let reason): "the connection was lost (\(reason))"
    case .tooLarge(_, let limit): "an answer of more than \(limit) bytes"
    }
  }

  public var description: String {
    switch self {
    case .badAddress(let address): "'\(address)' is not an address; write http://HOST:PORT"
    case .unreachable(let address, let reason):
      "cannot reach \(address) (\(reason)); start the service, or check the address"
    case .timedOut(let address): "\(address) did not answer in time; try again"
    case .interrupted(let address, let reason): "the connection to \(address) was lost (\(reason)); try again"
    case .tooLarge(let address, let limit): "the answer of \(address) is longer than \(limit) bytes; check the address"
    }
  }
}
