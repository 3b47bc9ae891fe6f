import Accelerometry

/// A recording, or a synthetic walk, delivered like a sensor's samples: unpaced, in real time on any clock, or as it arrives.
///
/// In real time, a batch covers at most 100 ms of the recording and is delivered at the time of its last sample; deadlines
/// are relative to the first sample, so delays do not add up. A jump in the timestamps of more than a second is a
/// `SampleBatch.gap`, and takes as long as in the recording. A recording that arrives while it is made is read on a thread of its own,
/// and cancelling the task ends the sequence at once.
///
///     let walk = SyntheticWalk()
///     let source = RecordingReplay(profile: walk.profile, pace: .realTime) { try walk.reader() }
///     for try await batch in source.batches() { … }
public struct RecordingReplay<C: Clock>: AccelerationSource where C.Duration == Duration {
  /// The properties known before the first sample.
  public let profile: SensorProfile
  private let pace: ReplayPace
  private let clock: C
  private let makeReader: @Sendable () throws -> any SampleReader

  /// Creates a replay without opening the recording.
  /// - Parameters:
  ///   - profile: the properties known before the first sample.
  ///   - pace: the pace of the samples.
  ///   - clock: the clock of the pace; usually the system's.
  ///   - makeReader: opens the recording; called once for each sequence, at its first batch.
  public init(
    profile: SensorProfile, pace: ReplayPace, clock: C = ContinuousClock(),
    makeReader: @escaping @Sendable () throws -> any SampleReader
  ) { (self.profile, self.pace, self.clock, self.makeReader) = (profile, pace, clock, makeReader) }

  /// Opens the recording, from its beginning. Its errors are thrown unchanged.
  public func batches() -> Batches { Batches(replay: self) }

  /// The batches of one replay.
  public struct Batches: AsyncSequence {
    fileprivate let replay: RecordingReplay

    /// Starts the replay.
    public func makeAsyncIterator() -> Iterator { Iterator(replay: replay) }
  }

  /// Reads and waits. The clock starts with the first request.
  public struct Iterator: AsyncIteratorProtocol {
    private let replay: RecordingReplay
    private let reader: PulledReader
    private var gaps: GapFinder
    private var samples: [AccelerationSample] = []
    private var waiting: ArraySlice<SampleBatch> = []
    private var origin: (instant: C.Instant, nanoseconds: Int64)?
    private var latest = Int64.min
    private var isOver = false

    /// The maximum duration of a batch for live consumers.
    private static var longestSlice: Duration { .milliseconds(100) }

    fileprivate init(replay: RecordingReplay) {
      self.replay = replay
      reader = PulledReader(ahead: replay.pace == .asItArrives ? 0 : nil, open: replay.makeReader)
      gaps = GapFinder(frequency: nil, slice: replay.pace == .realTime ? Self.longestSlice : nil)
    }

    /// The next batch at its time; `nil` at the recording's end and when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> SampleBatch? {
      if isOver { return nil }
      do {
        if !Task.isCancelled, try await fill(isolation: actor), let batch = waiting.popFirst() {
          if try await waitUntilHappened(batch, isolation: actor) { return batch }
        } else if !reader.verdict.isEmpty, !Task.isCancelled {
          isOver = true
          return SampleBatch(samples: [], verdict: reader.verdict)
        }
      } catch {
        isOver = true
        throw error
      }
      isOver = true
      return nil
    }

    /// Whether there is a batch.
    private mutating func fill(isolation actor: isolated (any Actor)?) async throws -> Bool {
      while waiting.isEmpty {
        if replay.pace == .asItArrives {
          guard let read = try await reader.next() else { return false }
          samples = read
        } else {
          guard try reader.read(into: &samples) else { return false }
        }
        waiting = gaps.split(samples)[...]
      }
      return true
    }

    /// Waits until the time of the batch's last sample; `false` if the task was cancelled meanwhile.
    private mutating func waitUntilHappened(
      _ batch: SampleBatch, isolation actor: isolated (any Actor)?
    ) async throws -> Bool {
      guard replay.pace == .realTime, let first = batch.samples.first, let last = batch.samples.last else {
        return true
      }
      let origin = self.origin ?? (replay.clock.now, first.nanoseconds)
      self.origin = origin
      // A recording whose clock jumps back does not wait for its past again.
      latest = max(latest, last.nanoseconds)
      let elapsed = GapFinder.elapsed(from: origin.nanoseconds, to: latest)
      let deadline = origin.instant.advanced(by: .nanoseconds(elapsed))
      guard deadline > replay.clock.now else { return true }
      do {
        try await replay.clock.sleep(until: deadline, tolerance: nil)
        return true
      } catch {
        if Task.isCancelled { return false }
        throw error
      }
    }
  }
}
