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

}

extension ChaseSource {
  /// A recording, a stream or a synthetic walk.
  /// - Parameters:
  ///   - stepLength: how the distance is computed; `nil` for the default of the source.
  ///   - wake: called on other threads when there is data.
  /// - Returns: `nil` for a sensor.
  /// - Throws: `SyntheticWalkError`. Errors of a file occur when it is read: `PlaybackPedometer.failure`.
  package init?(
    playing uri: SourceURI, reading: RecordingOptions, stepLength: StepLengthModel?,
    wake: @escaping @Sendable () -> Void
  ) throws(SyntheticWalkError) {
    switch uri {
    case .synthetic(let settings):
      self.init(walk: try SyntheticWalk(endless: settings), name: "\(uri)", stepLength: stepLength, wake: wake)
    case .file, .standardInput:
      let isPipe = uri == .standardInput
      self.init(name: isPipe ? "standard input" : "\(uri)", stepLength: stepLength, wake: wake) {
        guard let reader = try RecordingReader(uri, options: reading) else {
          preconditionFailure("a recording")
        }
        return reader
      }
      // A pipe cannot be read again.
      isRepeatable = !isPipe
    default: return nil
    }
  }

  package init(
    walk: SyntheticWalk, name: String, stepLength: StepLengthModel?, wake: @escaping @Sendable () -> Void
  ) {
    let own = walk.stepLength.map { StepLengthModel.fixed($0) }
    self.init(name: name, stepLength: stepLength ?? own, wake: wake) { try walk.reader() }
  }

  private init(
    name: String, stepLength: StepLengthModel?, wake: @escaping @Sendable () -> Void,
    makeReader: @escaping @Sendable () throws -> any SampleReader
  ) {
    let playback = PlaybackPedometer(stepLength: stepLength ?? .walkRatio(), wake: wake, makeReader: makeReader)
    self.init(name: name, pedometer: playback, playback: playback)
  }

  /// A live source.
  /// - Parameter name: the source that was found.
  package init(_ pedometer: LivePedometer, name: String) {
    self.init(name: name, pedometer: pedometer, isRepeatable: false) { pedometer.sensorFailure?.exitStatus }
  }
}
