/// The limits for one client, and for all of them together.
package struct ServiceLimits: Sendable {
  /// Bytes of a request's body; more are refused with 413.
  package var bodySize = 64 * 1024
  /// Bytes of all header fields of a request, including its first line; more are refused with 431.
  package var headerSize = 16 * 1024
  /// The number of header fields of a request.
  package var headerCount = 64
  /// The time for sending the head of a request, including the TLS handshake.
  package var headTime = Duration.seconds(10)
  /// The time for sending the body of a request; then the answer is 408.
  package var bodyTime = Duration.seconds(15)
  /// The idle time of a connection between two requests.
  package var idleTime = Duration.seconds(75)
  /// Requests before the first of them is answered; with more, the connection is closed.
  package var pipelinedRequests = 64
  /// The time without reading an answer after which the connection is closed.
  package var stallTime = Duration.seconds(20)
  /// Connections per listening address; further ones wait. Fifty rooms of twenty walkers need three thousand: each has
  /// the chat, the standings and requests.
  package var connections = 4096
  /// Connections of one client on another machine. If it has more, or if all connections are scarce, the one that has
  /// been idle longest is closed.
  package var connectionsOfClient = 256
  /// Concurrent answers with several pages; more are refused with 503.
  package var longAnswers = 128
  /// The same for one client on another machine.
  package var longAnswersOfClient = 16
  /// Readers of event streams; more are refused with 503.
  package var subscribers = 1024
  /// The sustained number of requests per second and client; more are refused with 429.
  package var requestsPerSecond = 50.0
  /// Requests that a client may send in a burst.
  package var requestBurst = 400.0
  /// The factor for clients on this machine, which share an address.
  package var localFactor = 10.0
  /// Wrong tokens that a client may send in a burst; one more is allowed every ten seconds.
  package var failureBurst = 10.0
  /// Reports that a client may send in a burst; more are refused with 429.
  package var reportBurst = 500.0
  /// The sustained number of reports per second and client: each one waits for the disk.
  package var reportsPerSecond = 20.0
  /// Bytes of a message with samples; more are refused with 413.
  package var samplesSize = 512 * 1024
  /// Clients that send samples or steps; more are refused with 429.
  package var clients = 64
  /// Queued samples of a client; more are refused with 429.
  var waitingSamples = 20_000

  package init() {}
}
