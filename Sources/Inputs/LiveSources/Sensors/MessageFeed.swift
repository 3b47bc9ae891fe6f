import Accelerometry
import Counting
import LinuxSensors
import Platform
import ServiceTransport
import SourceNames

/// Samples as text in messages, from a server or a broker.
struct MessageFeed: Sendable {
  var uri: SourceURI
  /// For messages to people.
  var address: String
  var name: String
  var server: MessageServer
  /// A warning for the first samples.
  var remark: String?
  /// The error for an end of the connection.
  var error: @Sendable (MessageEnd) -> SensorError

  /// The feed; it connects when the first sample is requested.
  /// - Parameter sleep: waits between two attempts.
  func feed(
    for opener: LiveOpener, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) throws(SensorError) -> LiveFeed {
    guard let client = opener.messages else {
      throw .unusable(
        path: address, reason: "this program cannot receive messages from the network",
        remedy: "it needs pedometer-full; run 'make release && sudo make install'")
    }
    if case .file(let file)? = server.encryption, unsafe access(file, R_OK) != 0 {
      throw .unusable(
        path: address, reason: "the certificates in \(file) cannot be read (\(systemText(errno)))",
        remedy: "give a PEM file that this user may read")
    }
    let (server, remark, error) = (server, remark, error)
    let text = TextFeed(uri: uri, name: name, medium: .messages) {
      try MessageLine(server, client, remark: remark, error: error)
    }
    return text.feed(for: opener) { [address] first, again in
      Reconnecting<SampleBatch>.radio(
        address, waits: opener.finder.waits, first: { first }, open: { again() }, sleep: sleep,
        speaks: { !$0.samples.isEmpty },
        joint: TextFeed.joint)
    }
  }
}

/// Messages as lines of text.
final class MessageLine: BoardLine {
  private let queue: MessageQueue
  private let connection: any MessageConnection
  private var remark: String?

  /// Begins to connect. The error of a failed connection is the first thing that is read.
  init(
    _ server: MessageServer, _ client: any MessageClient, remark: String? = nil,
    error: @escaping @Sendable (MessageEnd) -> SensorError
  ) throws(SensorError) {
    let queue = try MessageQueue()
    self.queue = queue
    self.remark = remark
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

  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome { stop.wait(atMost: time) }

  var now: Int64 { SensorClock.boottime.now }

  func takeRemark() -> String? {
    defer { remark = nil }
    return remark
  }
}
