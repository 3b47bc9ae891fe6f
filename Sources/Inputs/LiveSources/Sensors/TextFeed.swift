import Accelerometry
import Counting
import LinuxSensors
import SourceNames

/// Samples as text that a network delivers, and how to wait for them again.
struct TextFeed {
  var uri: SourceURI
  /// The name of the sensor.
  var name: String
  /// The texts of messages.
  var medium: BoardMedium
  /// Starts receiving; called on the reader's thread.
  var openLine: @Sendable () throws -> any BoardLine

  /// A feed that starts when the first sample is requested.
  /// - Parameter reconnecting: how it is waited for; not used for the service, which does so itself.
  func feed(
    for opener: LiveOpener,
    reconnecting: (_ first: SensorReadings<SampleBatch>, _ again: @escaping @Sendable () -> SensorReadings<SampleBatch>)
      -> Reconnecting<SampleBatch>
  ) -> LiveFeed {
    let notes = ReadingNotes()
    var settings = BoardReader.Settings(name: "\(uri)", medium: medium, reading: opener.reading)
    settings.silence = opener.options.silenceTimeout
    // The kernel holds about three seconds of datagrams at 100 a second.
    if opener.options.use == .thrifty { settings.gathering = .milliseconds(250) }
    let openLine = openLine
    let readings: @Sendable (BoardReader.Settings) -> SensorReadings<SampleBatch> = { settings in
      SensorReadings { BoardReader(settings, notes: notes, line: openLine) }
    }
    let profile = SensorProfile(
      name: name, samplingFrequency: opener.reading.samplingFrequency, clock: .boottime)
    let first = settings
    var feed: LiveFeed
    if !opener.isForService {
      settings.remarksOnSilence = false
      let again = settings
      let samples = reconnecting(readings(first), { readings(again) })
      feed = LiveFeed(uri: uri, walk: SampleWalk { samples }, samples: { samples }, profile: profile)
    } else {
      let events: @Sendable () -> AsyncMapSequence<SensorReadings<SampleBatch>, SourceEvent<SampleBatch>> = {
        readings(first).map { .element($0) }
      }
      feed = LiveFeed(uri: uri, walk: SampleWalk { events() }, samples: { events() }, profile: profile)
    }
    feed.notes = notes
    return feed
  }

  /// Adapts the clock of a source that is back.
  static let joint: @Sendable () -> (SampleBatch, Bool) -> SampleBatch = {
    var line = TimeLine()
    return { line.take($0, isBack: $1) }
  }
}
