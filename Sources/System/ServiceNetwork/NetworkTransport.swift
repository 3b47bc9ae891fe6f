import AsyncHTTPClient
import NIOCore
import ServiceTransport

/// Sends requests over the network: HTTP/1.1, plain or with TLS.
///
/// All transports of a process share one pool of connections. Redirects are not followed: a token sent to one service
/// must not reach another.
public struct NetworkTransport: Transport {
  /// The maximum size of a complete answer in bytes.
  public let largestAnswer: Int

  /// Creates a transport.
  /// - Parameter largestAnswer: the maximum size of a complete answer in bytes; by default 16 MiB. Streams have no
  ///   limit, as only the current chunk is in memory.
  public init(largestAnswer: Int = 16 << 20) { self.largestAnswer = largestAnswer }

  public func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    let prepared = try HTTPClientRequest(request)
    let limit = largestAnswer
    let stage = Stage(address: request.url, limit: limit)
    return try await stage.atMost(timeout) {
      let response = try await Self.client.execute(prepared, deadline: .distantFuture)
      stage.answerHasBegun()
      let body = try await response.body.collect(upTo: limit)
      return TransportResponse(
        status: Int(response.status.code), headers: response.plainHeaders, body: Array(body.readableBytesView))
    }
  }

  public func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    let prepared = try HTTPClientRequest(request)
    let stage = Stage(address: request.url)
    let response = try await stage.atMost(silence) { try await Self.client.execute(prepared, deadline: .distantFuture) }
    stage.answerHasBegun()
    let body = StreamedBody(response.body, stage: stage, silence: silence)
    return TransportStream(
      status: Int(response.status.code), headers: response.plainHeaders,
      chunks: AsyncThrowingStream { try await body.next() })
  }

  /// One client for the process, so it never has to be shut down.
  private static let client = HTTPClient(configuration: configuration)

  private static var configuration: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10)))
    configuration.httpVersion = .http1Only
    // A refused connection is reported at once; callers that want to wait for a service retry.
    configuration.connectionPool.retryConnectionEstablishment = false
    // A stream holds its connection, so many may be open at once to one service.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4096
    return configuration
  }
}

/// The body of an answer, pulled chunk by chunk, so that a slow reader slows down the sender. Releasing it closes the
/// connection.
private actor StreamedBody {
  private var iterator: HTTPClientResponse.Body.AsyncIterator
  private let stage: Stage
  private let silence: Duration

  init(_ body: HTTPClientResponse.Body, stage: Stage, silence: Duration) {
    iterator = body.makeAsyncIterator()
    (self.stage, self.silence) = (stage, silence)
  }

  func next() async throws -> [UInt8]? { try await stage.atMost(silence) { try await self.read() } }

  private func read() async throws -> [UInt8]? {
    var reading = iterator
    let buffer = try await reading.next(isolation: self)
    iterator = reading
    return buffer.map { Array($0.readableBytesView) }
  }
}

extension HTTPClientRequest {
  fileprivate init(_ request: TransportRequest) throws(TransportError) {
    let scheme = request.url.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https" else { throw .badAddress(request.url) }
    self.init(url: request.url)
    method = .init(rawValue: request.method)
    for header in request.headers { headers.add(name: header.name, value: header.value) }
    if !request.body.isEmpty || request.method == "POST" || request.method == "PUT" { body = .bytes(request.body) }
  }
}

extension HTTPClientResponse {
  fileprivate var plainHeaders: [TransportRequest.Header] { headers.map { .init($0.name.lowercased(), $0.value) } }
}
