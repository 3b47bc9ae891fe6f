import Accelerometry
import Counting
import LinuxSensors
import Pedometry
import SourceNames

@testable import LiveSources

/// A new kind of source: one step per half second, a given number of times. It needs only this file and an entry in
/// `Sources.kinds`.
struct Metronome: SourceKind {
  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard uri == .file(path: "metronome") else { return nil }
    return SourceWay(.recording) { _ in
      SourceConnection(
        uri: .file(path: "metronome"), profile: SensorProfile(name: "metronome", clock: .monotonic),
        readings: {
          AsyncThrowingStream { beats in
            for beat in 0...20 {
              beats.yield(
                StepCounterReading(
                  nanoseconds: Int64(beat) * 500_000_000, steps: beat, newSteps: min(beat, 1)))
            }
            beats.finish()
          }
        })
    }
  }
}
