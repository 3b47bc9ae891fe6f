import Accelerometry
import ChaseEngine
import LiveSources
import Pedometers
import Pedometry
import Recordings
import SourceNames

/// The source of a chase's steps, and its effect on time.
package struct ChaseSource {
  package var name: String
  package var pedometer: any Pedometer
  /// The same pedometer, if the owner of the chase plays it; `nil` for a live sensor.
  package var playback: PlaybackPedometer?
  /// Whether it can be played again from its beginning.
  package var isRepeatable = true
  /// The exit code for the last report of a sensor.
  package var failureStatus: @Sendable () -> ExitStatus? = { nil }
  /// Returns once an unplugged sensor is back; `nil` if the chase does not wait for it.
  package var waitForReturn: (@Sendable () async throws -> SourceConnection?)?

  /// The pace of time.
  package enum Pace: Equatable {
    /// This many seconds of the chase in a second.
    case times(Double)
    /// As samples arrive.
    case asItComes
  }

  package struct Options {
    package var reading = RecordingOptions()
    /// How the distance is computed; `nil` for the default of the source.
    package var stepLength: StepLengthModel?
    /// Called on other threads when there is data.
    package var wake: @Sendable () -> Void = {}

    package init() {}
  }

}

extension ChaseSource {
  /// A recording, a stream or a synthetic walk.
  /// - Returns: `nil` for a sensor.
  /// - Throws: `SyntheticWalkError`. Errors of a file occur when it is read: `PlaybackPedometer.failure`.
  package init?(playing uri: SourceURI, options: Options) throws(SyntheticWalkError) {
    switch uri {
    case .synthetic(let settings):
      self.init(walk: try SyntheticWalk(endless: settings), name: "\(uri)", options: options)
    case .file, .standardInput:
      let isPipe = uri == .standardInput
      self.init(name: isPipe ? "standard input" : "\(uri)", options: options) {
        guard let reader = try RecordingReader(uri, options: options.reading) else {
          preconditionFailure("a recording")
        }
        return reader
      }
      // A pipe cannot be read again.
      isRepeatable = !isPipe
    default: return nil
    }
  }

  package init(walk: SyntheticWalk, name: String, options: Options) {
    var options = options
    options.stepLength = options.stepLength ?? walk.stepLength.map { .fixed($0) }
    self.init(name: name, options: options) { try walk.reader() }
  }

  private init(name: String, options: Options, makeReader: @escaping @Sendable () throws -> any SampleReader) {
    let playback = PlaybackPedometer(
      stepLength: options.stepLength ?? .walkRatio(), wake: options.wake, makeReader: makeReader)
    self.init(name: name, pedometer: playback, playback: playback)
  }

  /// A live source.
  /// - Parameter name: the source that was found.
  package init(_ pedometer: LivePedometer, name: String) {
    self.init(name: name, pedometer: pedometer, isRepeatable: false) { pedometer.sensorFailure?.exitStatus }
  }
}
