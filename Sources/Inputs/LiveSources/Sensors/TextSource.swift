import Accelerometry
import LinuxSensors
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
