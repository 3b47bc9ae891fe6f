import Accelerometry
import LinuxSensors
import SourceNames

extension SourceConnection {
  /// Samples as text from a board, a program or the network. It starts when the first sample is requested.
  /// - Parameters:
  ///   - path: the name of the source in messages; `nil`: the URI.
  ///   - openChannel: starts receiving; called on the reader's thread.
  init(
    text uri: SourceURI, name: String, path: String? = nil, medium: BoardMedium, identity: SensorIdentity? = nil,
    _ sources: Sources, isAgain: Bool, openChannel: @escaping @Sendable () throws -> any TextChannel
  ) {
    var settings = BoardReader.Settings(name: path ?? "\(uri)", medium: medium, reading: sources.reading)
    settings.silence = sources.options.silenceTimeout
    settings.remarksOnSilence = !isAgain
    // The kernel holds about three seconds of datagrams at 100 a second, and a port at least a third of a second.
    if sources.options.use == .thrifty { settings.gathering = .milliseconds(250) }
    let profile = SensorProfile(name: name, samplingFrequency: sources.reading.samplingFrequency, clock: .boottime)
    self.init(uri: uri, profile: profile, identity: identity) { [settings] in
      SensorReadings { BoardReader(settings, channel: openChannel) }
    }
  }
}
