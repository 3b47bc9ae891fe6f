import Accelerometry
import Counting
import LinuxSensors
import SourceNames

/// Samples as text from a board, a program or the network, and how to wait for them again.
struct TextFeed {
  var uri: SourceURI
  /// The name of the sensor.
  var name: String
  /// The name of the source in messages; `nil`: the URI.
  var path: String?
  /// The texts of messages.
  var medium: BoardMedium
  /// The stable properties of a board.
  var identity: SensorIdentity?
  /// Starts receiving; called on the reader's thread.
  var openLine: @Sendable () throws -> any BoardLine

  /// A feed that starts when the first sample is requested.
  /// - Parameter reconnecting: how it is waited for; the service does so itself.
  func feed(
    for opener: LiveOpener,
    reconnecting: (_ first: SensorReadings<SampleBatch>, _ again: @escaping @Sendable () -> SensorReadings<SampleBatch>)
      -> Reconnecting<SampleBatch>
  ) -> LiveFeed {
    var settings = BoardReader.Settings(name: path ?? "\(uri)", medium: medium, reading: opener.reading)
    settings.silence = opener.options.silenceTimeout
    // The kernel holds about three seconds of datagrams at 100 a second, and a port at least a third of a second.
    if opener.options.use == .thrifty { settings.gathering = .milliseconds(250) }
    let (openLine, first) = (openLine, settings)
    let readings: @Sendable (BoardReader.Settings) -> SensorReadings<SampleBatch> = { settings in
      SensorReadings { BoardReader(settings, line: openLine) }
    }
    settings.remarksOnSilence = false
    let again = settings
    let samples = reconnecting(readings(first), { readings(again) })
    return LiveFeed(
      uri: uri,
      profile: SensorProfile(name: name, samplingFrequency: opener.reading.samplingFrequency, clock: .boottime),
      identity: identity, isForService: opener.isForService, batches: { readings(first) }, following: { samples })
  }

  /// Adapts the clock of a source that is back.
  static let joint: @Sendable () -> (SampleBatch, Bool) -> SampleBatch = {
    var line = TimeLine()
    return { line.take($0, isBack: $1) }
  }
}
