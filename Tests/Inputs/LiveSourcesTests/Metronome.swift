import Accelerometry
import Counting
import LinuxSensors
import Pedometry
import SourceNames

@testable import LiveSources

/// A new kind of source: one step per half second, a given number of times. It needs only this file and an entry in
/// `LiveOpener.kinds`.
struct Metronome: SourceKind {
  func takes(_ uri: SourceURI?) -> Bool { if case .file("metronome")? = uri { true } else { false } }

  func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    LiveFeed(
      uri: uri ?? .standardInput,
      walk: ReadingsWalk {
        AsyncThrowingStream { beats in
          for beat in 0...20 {
            beats.yield(
              .element(
                StepCounterReading(
                  nanoseconds: Int64(beat) * 500_000_000, register: 0, steps: beat, newSteps: min(beat, 1))))
          }
          beats.finish()
        }
      }, profile: SensorProfile(name: "metronome", clock: .monotonic))
  }
}
