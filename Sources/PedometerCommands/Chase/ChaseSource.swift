import Accelerometry
import ChaseEngine
import LiveSources
import Pedometers
import Pedometry
import Recordings

/// Where the steps of a chase come from, and what that means for its time.
struct ChaseSource {
  /// What the screen calls it.
  var name: String
  /// What counts the steps.
  var pedometer: any Pedometer
  /// The same, where the owner of the chase plays it; nothing for a live sensor.
  var playback: PlaybackPedometer?
  /// Whether it can be played again from its beginning.
  var isRepeatable = true
  /// The exit code for what a sensor last reported.
  var failureStatus: @Sendable () -> ExitStatus? = { nil }
  /// Returns once a sensor that was pulled out is back; `nil` when nobody is to wait for it.
  var waitForReturn: (@Sendable () async throws -> Void)?

  /// How fast time passes.
  enum Pace: Equatable {
    /// So many seconds of the chase in a second.
    case times(Double)
    /// As samples come in, however fast that is.
    case asItComes
  }

  /// What to do with a source.
  struct Options {
    var reading = RecordingOptions()
    /// How distance is made of steps; `nil`: as the source has it.
    var stepLength: StepLengthModel?
    /// Called on other threads when there is news.
    var wake: @Sendable () -> Void = {}
  }

}

extension ChaseSource {
  /// A recording, a stream or a made-up walk.
  /// - Returns: nothing for a sensor.
  /// - Throws: `SyntheticWalkError`. What is wrong with a file is known when it is read: `PlaybackPedometer.failure`.
  init?(playing uri: SourceURI, options: Options) throws(SyntheticWalkError) {
    switch uri {
    case .iio, .evdev, .counter, .bluetooth: return nil
    case .synthetic(let settings):
      self.init(walk: try Self.walk(settings), name: "\(uri)", options: options)
    case .file(let path):
      self.init(name: "\(uri)", options: options) { try RecordingReader(path: path, options: options.reading) }
    case .standardInput:
      self.init(name: "standard input", options: options) {
        RecordingReader(fileDescriptor: 0, name: "standard input", options: options.reading)
      }
      // What has run through a pipe is gone.
      isRepeatable = false
    }
  }

  /// A made-up walk.
  init(walk: SyntheticWalk, name: String, options: Options) {
    var options = options
    options.stepLength = options.stepLength ?? walk.stepLength.map { .fixed($0) }
    self.init(name: name, options: options) { try walk.reader() }
  }

  private init(name: String, options: Options, makeReader: @escaping @Sendable () throws -> any SampleReader) {
    let playback = PlaybackPedometer(
      stepLength: options.stepLength ?? .walkRatio(), wake: options.wake, makeReader: makeReader)
    self.init(name: name, pedometer: playback, playback: playback)
  }

  /// A live sensor.
  init(_ sensor: SensorOpening.Sensor) {
    self.init(
      name: "\(sensor.uri)", pedometer: sensor.pedometer, isRepeatable: false, failureStatus: sensor.failureStatus)
  }

  /// The walk of these settings; one that says neither how long nor how many steps goes on all day, for it is up to the
  /// chase when it ends.
  static func walk(_ settings: [SourceURI.Setting]) throws(SyntheticWalkError) -> SyntheticWalk {
    var walk = try SyntheticWalk(settings: settings)
    if !settings.contains(where: { $0.key == "duration" || $0.key == "steps" }) { walk.duration = .seconds(86_400) }
    return walk
  }
}
