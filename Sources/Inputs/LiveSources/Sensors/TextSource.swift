import Accelerometry
import LinuxSensors
import Platform
import ServiceTransport
import SourceNames

/// Samples as text from a board, a program or the network.
struct TextSource {
  var uri: SourceURI
  var name: String
  /// The name of the source in messages; `nil`: the URI.
  var path: String?
  var medium: BoardMedium
  var identity: SensorIdentity?
  /// Starts receiving; called on the reader's thread.
  var openChannel: @Sendable () throws -> any TextChannel

  /// A connection that starts when the first sample is requested.
  func connection(_ sources: Sources, isAgain: Bool) -> SourceConnection {
    var settings = BoardReader.Settings(name: path ?? "\(uri)", medium: medium, reading: sources.reading)
    settings.silence = sources.options.silenceTimeout
    settings.remarksOnSilence = !isAgain
    // The kernel holds about three seconds of datagrams at 100 a second, and a port at least a third of a second.
    if sources.options.use == .thrifty { settings.gathering = .milliseconds(250) }
    let (openChannel, chosen) = (openChannel, settings)
    let profile = SensorProfile(name: name, samplingFrequency: sources.reading.samplingFrequency, clock: .boottime)
    return SourceConnection(uri: uri, profile: profile, identity: identity) {
      SensorReadings { BoardReader(chosen, channel: openChannel) }
    }
  }
}

extension SourceWay {
  /// Samples as text in the messages of a server; it connects when the first sample is requested.
  /// - Parameters:
  ///   - place: the name of the source, and for messages to people.
  ///   - remark: a warning for the first samples.
  ///   - error: the error for an end of the connection.
  static func messages(
    of server: MessageServer, named name: String, at place: (uri: SourceURI, url: String), remark: String? = nil,
    _ sources: Sources, error: @escaping @Sendable (MessageEnd) -> SensorError
  ) -> SourceWay {
    SourceWay(.radio) { isAgain in
      guard let client = sources.messages else {
        throw SensorError.unusable(
          path: place.url, reason: "this program cannot receive messages from the network",
          remedy: "it needs pedometer-full; run 'make release && sudo make install'")
      }
      if case .file(let file)? = server.encryption, unsafe access(file, R_OK) != 0 {
        throw SensorError.unusable(
          path: place.url, reason: "the certificates in \(file) cannot be read (\(systemText(errno)))",
          remedy: "give a PEM file that this user may read")
      }
      let text = TextSource(uri: place.uri, name: name, medium: .messages) {
        try MessageChannel(server, client, remark: remark, error: error)
      }
      var connection = text.connection(sources, isAgain: isAgain)
      connection.nameOfReturn = place.url
      return connection
    }
  }
}

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
