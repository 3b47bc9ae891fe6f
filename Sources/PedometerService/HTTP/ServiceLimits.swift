/// How much one client, and all of them together, may ask of the service.
struct ServiceLimits: Sendable {
  /// Bytes of a request's body; beyond it the answer is 413.
  var bodySize = 64 * 1024
  /// Bytes of all header fields of a request, its first line included; beyond it the answer is 431.
  var headerSize = 16 * 1024
  /// Header fields of a request.
  var headerCount = 64
  /// How long a client may take to send the head of a request, its TLS handshake included.
  var headTime = Duration.seconds(10)
  /// How long a client may take to send the body of a request; beyond it the answer is 408.
  var bodyTime = Duration.seconds(15)
  /// How long a connection may rest between two requests.
  var idleTime = Duration.seconds(75)
  /// Requests that a client may send before the first of them is answered; with more the connection is cut.
  var pipelinedRequests = 64
  /// How long a client may take nothing of what it asked for, before its connection is cut.
  var stallTime = Duration.seconds(20)
  /// Connections for each address that is listened on; those beyond it wait until one ends. Fifty rooms of twenty walkers
  /// hold three thousand: each hears the chat, watches the standings and says something.
  var connections = 4096
  /// Connections of one client, if it is not on this machine. Beyond it, and when connections of all become scarce, the one
  /// that has rested longest is closed.
  var connectionsOfClient = 256
  /// Answers of several pages that are under way at the same time; beyond it the answer is 503.
  var longAnswers = 128
  /// Such answers to one client, if it is not on this machine.
  var longAnswersOfClient = 16
  /// Readers of event streams; beyond it the answer is 503.
  var subscribers = 1024
  /// Requests a second and client that may go on for ever; beyond it the answer is 429.
  var requestsPerSecond = 50.0
  /// Requests that a client may send at once.
  var requestBurst = 400.0
  /// How much more clients on this machine may ask: all of them come from one address, and none from far away.
  var localFactor = 10.0
  /// Wrong tokens that a client may show at once; one more is allowed every ten seconds.
  var failureBurst = 10.0
  /// Reports that a client may send at once; beyond it the answer is 429.
  var reportBurst = 500.0
  /// Reports a second and client that may go on for ever: each of them waits for the disk.
  var reportsPerSecond = 20.0
  /// Bytes of a message with samples; beyond it the answer is 413.
  var samplesSize = 512 * 1024
  /// Clients that may be sources of samples or steps; beyond it the answer is 429.
  var clients = 64
  /// Samples of a client that may wait to be counted; beyond it the answer is 429.
  var waitingSamples = 20_000
}
