import Accelerometry
import Dispatch
import Recordings
import Synchronization

/// A reader that delivers given samples in pieces of a given size, and may fail or wait for the test.
public struct ScriptedReader: SampleReader {
  public let profile = SensorProfile(name: "scripted", clock: .recording)
  private var samples: ArraySlice<AccelerationSample>
  private let piece: Int
  private let failure: (any Error)?
  private let gate: DispatchSemaphore?

  /// - Parameters:
  ///   - samples: all samples.
  ///   - piece: the number of samples per read.
  ///   - failure: thrown instead of the end.
  ///   - gate: each read waits until it is signalled.
  public init(
    _ samples: some Sequence<AccelerationSample>, inPiecesOf piece: Int = 1000, failure: (any Error)? = nil,
    gate: DispatchSemaphore? = nil
  ) {
    self.samples = Array(samples)[...]
    self.piece = piece
    self.failure = failure
    self.gate = gate
  }

  public mutating func read(into samples: inout [AccelerationSample]) throws -> Bool {
    gate?.wait()
    if self.samples.isEmpty, let failure { throw failure }
    samples = Array(self.samples.prefix(piece))
    self.samples = self.samples.dropFirst(piece)
    return !samples.isEmpty
  }
}
